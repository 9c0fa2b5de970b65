-- bot_visits by day, 30 days
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-06-01T00:00:00Z&dateTo=2026-06-30T23:59:59Z&metrics[]=bot_visits
-- at least: 20
-- order: bucket, bot_visits desc
select {{day}} as bucket,
  count(*) as bot_visits
from visits
where website_id = 'w-001'
  and {{within}}
  and bot
group by bucket
