-- One page of the timeseries.
select listed.*
from (
select bucket,
  sum(bot_visits) as m0
from facts1.totals_all
where bucket between 1772323200 and 1775001599 and week between 1772409600 and 1773014400 and (version = 2)
  and width = 1 and level = 0
  and website_id in (?, ?)
group by bucket
having m0 > 0
) listed
order by bucket, m0 desc
limit 2020 offset 0
-- arguments: ["w-acme" "w-shop"]
