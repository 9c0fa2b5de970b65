-- One page of the timeseries, and how many rows there are over all pages.
select listed.*, count(*) over () as total_items
from (
select ts - ts % 86400 as bucket,
  count(*) filter (where bot = 1) as m0
from (select bot, bot_type, normalized_url_path, platform, ts, website_id from visits_20260302.visits v join visits_20260302.websites using (website) join visits_20260302.sources using (source) join visits_20260302.pages using (page)
  union all select bot, bot_type, normalized_url_path, platform, ts, website_id from visits_20260309.visits v join visits_20260309.websites using (website) join visits_20260309.sources using (source) join visits_20260309.pages using (page))
where ts between 1772323200 and 1775001599
  and website_id = ?
  and bot = 1
  and platform = ?
  and bot_type = ?
  and normalized_url_path = ?
group by bucket
having m0 > 0
) listed
order by bucket, m0 desc
limit 20 offset 0
-- arguments: ["w-acme" "openai" "gptbot" "/blog"]
