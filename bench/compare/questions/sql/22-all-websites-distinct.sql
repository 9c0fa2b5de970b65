-- platforms and user agents on all websites by week, 90 days
-- GET /v1/products/101/analytics/timeseries?dateFrom=2026-04-02T00:00:00Z&dateTo=2026-06-30T23:59:59Z&interval=week&metrics[]=unique_human_platforms&metrics[]=bot_user_agents
-- order: bucket, unique_human_platforms desc
select {{week}} as bucket,
  {{distinctIf "platform" "not bot and referred and platform not in ('none', 'other')"}} as unique_human_platforms,
  {{distinctIf "user_agent" "bot"}} as bot_user_agents
from visits
where website_id in ('w-001', 'w-002', 'w-003', 'w-004', 'w-005')
  and {{within}}
  and (bot or referred and platform not in ('none', 'other'))
group by bucket
