-- One page of the timeseries.
select listed.*
from (
select * from (
select day - day % 86400 as bucket, url_path as d0, normalized_url_path as d1, url_path_directory as d2,
  countIf(bot = 1) as m0
from facts1.visits_all
where day between 1772323200 and 1774915200 and week between 1772409600 and 1773014400 and (version = 2)
  and website_id in (?, ?)
  and bot = 1
group by bucket, d0, d1, d2
having m0 > 0
) top
order by bucket, m0 desc, d0, d1, d2
limit 1 by bucket
) listed
order by bucket, m0 desc, d0, d1, d2
limit 2020 offset 0
-- arguments: ["w-acme" "w-shop"]
