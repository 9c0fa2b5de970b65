-- How many rows the timeseries has, over all pages.
select count(*) as total_items
from (
select * from (
select ts - ts % 86400 as bucket, url_path as d0, normalized_url_path as d1, url_path_directory as d2,
  count(*) filter (where bot = 1) as m0
from (select * from visits_20260302.visits union all select * from visits_20260309.visits)
where ts between 1772323200 and 1775001599
  and website_id in (?, ?)
group by bucket, d0, d1, d2
having m0 > 0
) qualify row_number() over (partition by bucket order by m0 desc, d0, d1, d2) <= 1
) counted
-- arguments: ["w-acme" "w-shop"]

-- One page of the timeseries.
select *
from (
select * from (
select ts - ts % 86400 as bucket, url_path as d0, normalized_url_path as d1, url_path_directory as d2,
  count(*) filter (where bot = 1) as m0
from (select * from visits_20260302.visits union all select * from visits_20260309.visits)
where ts between 1772323200 and 1775001599
  and website_id in (?, ?)
group by bucket, d0, d1, d2
having m0 > 0
) qualify row_number() over (partition by bucket order by m0 desc, d0, d1, d2) <= 1
) listed
order by bucket, m0 desc, d0, d1, d2
limit 20 offset 0
-- arguments: ["w-acme" "w-shop"]
