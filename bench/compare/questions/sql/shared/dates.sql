with counts as (
  select {{day}} as bucket, platform, product_id, count(*) as n, sum(position) as places
  from mentions
  where {{template "chosen"}} and {{within}}
  group by bucket, platform, product_id
), ranked as (
  select bucket, platform, product_id, n, places, rank() over (partition by bucket, platform order by n desc) as standing
  from counts
), own as (
  select * from ranked where product_id = 101
), runs as (
  select {{day}} as bucket, platform, count(*) as run_count
  from answers
  where {{template "chosen"}} and {{within}}
  group by bucket, platform
)
select bucket, platform,
  places::double precision / n as position,
  coalesce(n, 0)::double precision / run_count as visibility,
  standing
from runs left join own using (bucket, platform)
order by bucket, platform
