select bucket, platform,
  if(own = 0, null, places / own) as mean_position,
  own / run_count as visibility,
  if(own = 0, null, standing) as standing_or_null
from (
  select {{day}} as bucket, platform, count() as run_count
  from answers
  where {{template "chosen"}} and {{within}}
  group by bucket, platform
)
any left join (
  select bucket, platform, own, places, 1 + arrayCount(x -> x > own, ns) as standing
  from (
    select bucket, platform, groupArray(n) as ns, sumIf(n, product_id = 101) as own, sumIf(p, product_id = 101) as places
    from (
      select {{day}} as bucket, platform, product_id, count() as n, sum(position) as p
      from mentions
      where {{template "chosen"}} and {{within}}
      group by bucket, platform, product_id
    )
    group by bucket, platform
  )
) using (bucket, platform)
order by bucket, platform
