-- One page of the timeseries.
select listed.*
from (
select bucket, sum(m0) as m0, sum(m1) as m1
from (
select start as bucket,
  0 as m0,
  uniqExactIf(platform, ai_referred_human_visits > 0) as m1
from (
  select *, bucket - (bucket + 259200) % 604800 as start from facts1.totals_all days
  where bucket between 1772582400 and 1773014399 and week between 1772409600 and 1772409600 and (version = 2)
  and width = 1 and level = 1
  and website_id = ?
) days
group by start
union all
select start as bucket,
  uniqExactIf(user_agent, 1 = 1) as m0,
  0 as m1
from (
  select *, bucket - (bucket + 259200) % 604800 as start from facts1.agent_totals_all days
  where bucket between 1772582400 and 1773014399 and week between 1772409600 and 1772409600 and (version = 2)
  and width = 1
  and website_id = ?
) days
group by start
union all
select bucket,
  sum(bot_user_agents) as m0,
  sum(unique_human_platforms) as m1
from facts1.totals_all
where bucket between 1773014400 and 1773619199 and week between 1773014400 and 1773014400 and (version = 2)
  and width = 7 and level = 0
  and website_id = ?
group by bucket
) parts
group by bucket
having m0 > 0 or m1 > 0
) listed
order by bucket, m0 desc
limit 2020 offset 0
-- arguments: ["w-acme" "w-acme" "w-acme"]
