-- page 20,000 of days and pages, 180 days
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-01-02T00:00:00Z&dateTo=2026-06-30T23:59:59Z&metrics[]=human_visits&metrics[]=bot_visits&groupBy[]=normalizedUrlPath&page=20000&perPage=100
-- order: bucket, human_visits desc, normalized_url_path
select {{day}} as bucket, normalized_url_path,
  {{countIf "not bot"}} as human_visits,
  {{countIf "bot"}} as bot_visits
from visits
where website_id = 'w-001'
  and {{within}}
group by bucket, normalized_url_path
