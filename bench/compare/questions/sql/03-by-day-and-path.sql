-- by day and urlPath, 180 days, first 20 rows and the total
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-01-02T00:00:00Z&dateTo=2026-06-30T23:59:59Z&metrics[]=bot_visits&groupBy[]=urlPath
-- at least: 10
-- order: bucket, bot_visits desc, url_path
select {{day}} as bucket, url_path,
  count(*) as bot_visits
from visits
where website_id = 'w-001'
  and {{within}}
  and bot
group by bucket, url_path
