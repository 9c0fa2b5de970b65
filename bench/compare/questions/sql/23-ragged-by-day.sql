-- by day, 30 days that begin and end within a day
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-06-01T07:30:11Z&dateTo=2026-06-30T16:45:59Z&metrics[]=bot_visits&metrics[]=human_visits&metrics[]=unique_human_visitors
-- order: bucket, bot_visits desc
select {{day}} as bucket,
  {{countIf "bot"}} as bot_visits,
  {{countIf "not bot"}} as human_visits,
  {{distinctIf "visitor" "not bot"}} as unique_human_visitors
from visits
where website_id = 'w-001'
  and {{within}}
group by bucket
