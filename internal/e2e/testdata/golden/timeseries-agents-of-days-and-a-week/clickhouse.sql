-- One page of the timeseries.
select listed.*
from (
select day - (day + 259200) % 604800 as bucket,
  uniqExactIf(user_agent, bot = 1) as m0,
  uniqExactIf(platform, bot = 0 and referred = 1 and platform not in ('none', 'other')) as m1
from facts1.visits_all
where day between 1772582400 and 1773532800 and week between 1772409600 and 1773014400 and (version = 2)
  and website_id = ?
group by bucket
having m0 > 0 or m1 > 0
) listed
order by bucket, m0 desc
limit 2020 offset 0
-- arguments: ["w-acme"]
