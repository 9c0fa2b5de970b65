select prompt_id, platform,
  if(own = 0, null, places / own) as mean_position,
  if(run_count = 0, null, own / run_count) as visibility,
  if(own = 0, null, standing) as standing_or_null,
  if(run_count = 0, null, run_count) as runs
from (
  select prompt_id, platform, text, run_count
  from (
    select prompt_id, platform, text
    from prompt_platforms all inner join (select prompt_id, owner, tracked, text from prompts) using (prompt_id)
    where {{template "chosen"}}
  )
  any left join (
    select prompt_id, platform, count() as run_count
    from answers
    where {{template "chosen"}} and {{within}}
    group by prompt_id, platform
  ) using (prompt_id, platform)
)
any left join (
  select prompt_id, platform, own, places, 1 + arrayCount(x -> x > own, ns) as standing
  from (
    select prompt_id, platform, groupArray(n) as ns, sumIf(n, product_id = 101) as own, sumIf(p, product_id = 101) as places
    from (
      select prompt_id, platform, product_id, count() as n, sum(position) as p
      from mentions
      where {{template "chosen"}} and {{within}}
      group by prompt_id, platform, product_id
    )
    group by prompt_id, platform
  )
) using (prompt_id, platform)
order by text, platform
