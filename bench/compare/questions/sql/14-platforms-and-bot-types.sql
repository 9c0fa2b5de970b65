-- two platforms by day, platform and bot type, 30 days
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-06-01T00:00:00Z&dateTo=2026-06-30T23:59:59Z&metrics[]=bot_visits&metrics[]=human_visits&groupBy[]=platform&groupBy[]=botType&platforms[]=openai&platforms[]=claude
-- order: bucket, bot_visits desc, platform, bot_type
select {{day}} as bucket, platform, bot_type,
  {{countIf "bot"}} as bot_visits,
  {{countIf "not bot"}} as human_visits
from visits
where website_id = 'w-001'
  and {{within}}
  and platform in ('openai', 'claude')
group by bucket, platform, bot_type
