-- One page of the timeseries.
select listed.*
from (
select ts - ts % 86400 as bucket, any_value(url_path) as d0,
  count(*) filter (where bot = 1) as m0
from (select bot, v.path as path_key, ts, url_path, website_id from visits_20260302.visits v join visits_20260302.websites using (website) join visits_20260302.paths using (path))
where ts between 1772409600 and 1772495999
  and website_id = ?
  and bot = 1
group by bucket, path_key
having m0 > 0
) listed
order by bucket, m0 desc, d0
limit 2 offset 2
-- arguments: ["w-acme"]
