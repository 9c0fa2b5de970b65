-- One page of the timeseries.
select listed.*
from (
select day - day % 86400 as bucket,
  countIf(bot = 1) as m0
from facts1.visits_all
where day between 1772323200 and 1774915200 and week between 1772409600 and 1773014400 and (version = 2)
  and website_id in (?, ?)
  and bot = 1
group by bucket
having m0 > 0
) listed
order by bucket, m0 desc
limit 2001 offset 1
-- arguments: ["w-acme" "w-shop"]
