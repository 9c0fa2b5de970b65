-- One page of the timeseries.
select listed.*
from (
select day - day % 86400 as bucket, url_path as d0,
  countIf(bot = 1) as m0
from facts1.visits_all
where day between 1772409600 and 1772409600 and week between 1772409600 and 1772409600 and (version = 2)
  and website_id = ?
  and bot = 1
group by bucket, d0
having m0 > 0
) listed
order by bucket, m0 desc, d0
limit 2 offset 2
-- arguments: ["w-acme"]
