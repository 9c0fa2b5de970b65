-- one page by day, 180 days
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-01-02T00:00:00Z&dateTo=2026-06-30T23:59:59Z&metrics[]=bot_visits&metrics[]=human_visits&urlPath=/blog/3/how-to-build-a-rocket-3/&perPage=200
-- order: bucket, bot_visits desc
select {{day}} as bucket,
  {{countIf "bot"}} as bot_visits,
  {{countIf "not bot"}} as human_visits
from visits
where website_id = 'w-001'
  and {{within}}
  and normalized_url_path = '/blog/3/how-to-build-a-rocket-3'
group by bucket
