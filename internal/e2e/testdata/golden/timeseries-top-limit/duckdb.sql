-- One page of the timeseries, and how many rows there are over all pages.
select listed.*, count(*) over () as total_items
from (
select * from (
select ts - ts % 86400 as bucket, any_value(url_path) as d0, any_value(normalized_url_path) as d1, any_value(url_path_directory) as d2,
  count(*) filter (where bot = 1) as m0
from (select bot, directory_key, normalized_url_path, v.page as page_key, v.path as path_key, ts, url_path, url_path_directory, website_id from visits_20260302.visits v join visits_20260302.websites using (website) join (select *, min(page) over (partition by url_path_directory) as directory_key from visits_20260302.pages) using (page) join visits_20260302.paths using (path)
  union all select bot, directory_key, normalized_url_path, v.page as page_key, v.path as path_key, ts, url_path, url_path_directory, website_id from visits_20260309.visits v join visits_20260309.websites using (website) join (select *, min(page) over (partition by url_path_directory) as directory_key from visits_20260309.pages) using (page) join visits_20260309.paths using (path))
where ts between 1772409600 and 1773619199
  and website_id in (?, ?)
  and bot = 1
group by bucket, path_key, page_key, directory_key
having m0 > 0
) qualify row_number() over (partition by bucket order by m0 desc, d0, d1, d2) <= 1
) listed
order by bucket, m0 desc, d0, d1, d2
limit 20 offset 0
-- arguments: ["w-acme" "w-shop"]
