-- by week and platform, 30 days that begin and end within a day
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-06-01T07:30:11Z&dateTo=2026-06-30T16:45:59Z&interval=week&metrics[]=unique_pages&metrics[]=unique_human_pages&metrics[]=bot_visits&metrics[]=human_visits&groupBy[]=platform
-- order: bucket, unique_pages desc, platform
select {{week}} as bucket, platform,
  {{distinctIf "normalized_url_path" "bot"}} as unique_pages,
  {{distinctIf "normalized_url_path" "not bot"}} as unique_human_pages,
  {{countIf "bot"}} as bot_visits,
  {{countIf "not bot"}} as human_visits
from visits
where website_id = 'w-001'
  and {{within}}
group by bucket, platform
