-- a small website by day, path and bot type, 7 days
-- GET /v1/products/109/analytics/timeseries?websiteId=w-045&dateFrom=2026-06-24T00:00:00Z&dateTo=2026-06-30T23:59:59Z&metrics[]=bot_visits&groupBy[]=urlPath&groupBy[]=botType
-- order: bucket, bot_visits desc, url_path, bot_type
select {{day}} as bucket, url_path, bot_type,
  count(*) as bot_visits
from visits
where website_id = 'w-045'
  and {{within}}
  and bot
group by bucket, url_path, bot_type
