-- ten pages with most bot visits of each day, 30 days
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-06-01T00:00:00Z&dateTo=2026-06-30T23:59:59Z&metrics[]=bot_visits&groupBy[]=normalizedUrlPath&topLimit=10&perPage=100
-- order: bucket, bot_visits desc, normalized_url_path
select {{day}} as bucket, normalized_url_path,
  count(*) as bot_visits
from visits
where website_id = 'w-001'
  and {{within}}
  and bot
group by bucket, normalized_url_path
