-- a small website by day, 180 days, five counts
-- GET /v1/products/109/analytics/timeseries?websiteId=w-045&dateFrom=2026-01-02T00:00:00Z&dateTo=2026-06-30T23:59:59Z&metrics[]=human_visits&metrics[]=bot_visits&metrics[]=referred_human_visits&metrics[]=unique_human_visitors&metrics[]=unique_pages&perPage=200
-- order: bucket, human_visits desc
select {{day}} as bucket,
  {{countIf "not bot"}} as human_visits,
  {{countIf "bot"}} as bot_visits,
  {{countIf "not bot and referred"}} as referred_human_visits,
  {{distinctIf "visitor" "not bot"}} as unique_human_visitors,
  {{distinctIf "normalized_url_path" "bot"}} as unique_pages
from visits
where website_id = 'w-045'
  and {{within}}
group by bucket
