with counts as (
  select product_id, count(*) as n, sum(position) as places
  from mentions
  where {{template "chosen"}} and {{within}}
  group by product_id
), runs as (
  select count(*) as run_count from answers where {{template "chosen"}} and {{within}}
)
select places::double precision / n as position,
  coalesce(n, 0)::double precision / nullif(run_count, 0) as visibility,
  case when n > 0 then 1 + (select count(*) from counts c where c.n > own.n) end as standing,
  (select count(*) from counts where product_id <> 101) as competitors
from runs left join (select * from counts where product_id = 101) own on true
