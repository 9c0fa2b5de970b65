-- two bot types by day, 90 days
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-04-02T00:00:00Z&dateTo=2026-06-30T23:59:59Z&metrics[]=bot_visits&metrics[]=unique_pages&metrics[]=bot_user_agents&groupBy[]=botType&botTypes[]=gptbot&botTypes[]=claudebot
-- order: bucket, bot_visits desc, bot_type
select {{day}} as bucket, bot_type,
  count(*) as bot_visits,
  count(distinct normalized_url_path) as unique_pages,
  count(distinct user_agent) as bot_user_agents
from visits
where website_id = 'w-001'
  and {{within}}
  and bot
  and bot_type in ('gptbot', 'claudebot')
group by bucket, bot_type
