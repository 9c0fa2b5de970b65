-- all nine metrics by week, 180 days
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-01-02T00:00:00Z&dateTo=2026-06-30T23:59:59Z&interval=week&metrics[]=bot_visits&metrics[]=human_visits&metrics[]=referred_human_visits&metrics[]=ai_referred_human_visits&metrics[]=unique_human_visitors&metrics[]=unique_pages&metrics[]=unique_human_pages&metrics[]=unique_human_platforms&metrics[]=bot_user_agents
-- order: bucket, bot_visits desc
select {{week}} as bucket,
  {{countIf "bot"}} as bot_visits,
  {{countIf "not bot"}} as human_visits,
  {{countIf "not bot and referred"}} as referred_human_visits,
  {{countIf "not bot and referred and platform not in ('none', 'other')"}} as ai_referred_human_visits,
  {{distinctIf "visitor" "not bot"}} as unique_human_visitors,
  {{distinctIf "normalized_url_path" "bot"}} as unique_pages,
  {{distinctIf "normalized_url_path" "not bot"}} as unique_human_pages,
  {{distinctIf "platform" "not bot and referred and platform not in ('none', 'other')"}} as unique_human_platforms,
  {{distinctIf "user_agent" "bot"}} as bot_user_agents
from visits
where website_id = 'w-001'
  and {{within}}
group by bucket
