with counts as (
  select prompt_id, platform, product_id, count(*) as n, sum(position) as places
  from mentions
  where {{template "chosen"}} and {{within}}
  group by prompt_id, platform, product_id
), ranked as (
  select prompt_id, platform, product_id, n, places, rank() over (partition by prompt_id, platform order by n desc) as standing
  from counts
), own as (
  select * from ranked where product_id = 101
), runs as (
  select prompt_id, platform, count(*) as run_count
  from answers
  where {{template "chosen"}} and {{within}}
  group by prompt_id, platform
), listed as (
  select prompt_id, platform, text
  from prompts join prompt_platforms using (prompt_id)
  where {{template "chosen"}}
)
select prompt_id, platform,
  places::double precision / n as position,
  coalesce(n, 0)::double precision / run_count as visibility,
  standing, run_count
from listed
left join runs using (prompt_id, platform)
left join own using (prompt_id, platform)
order by text, platform
