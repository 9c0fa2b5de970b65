select if(own = 0, null, places / own) as mean_position,
  if(run_count = 0, null, own / run_count) as visibility,
  if(own = 0, null, 1 + arrayCount(x -> x > own, ns)) as standing,
  others
from (
  select groupArray(n) as ns, sumIf(n, product_id = 101) as own, sumIf(p, product_id = 101) as places, countIf(product_id <> 101) as others,
    (select count() from answers where {{template "chosen"}} and {{within}}) as run_count
  from (
    select product_id, count() as n, sum(position) as p
    from mentions
    where {{template "chosen"}} and {{within}}
    group by product_id
  )
)
