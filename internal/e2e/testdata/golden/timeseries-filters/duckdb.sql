-- One page of the timeseries, and how many rows there are over all pages.
select listed.*, count(*) over () as total_items
from (
select ts - ts % 86400 as bucket,
  count(*) filter (where bot = 1) as m0
from (select bot, bot_type, platform, ts, website_id from visits_20260302.visits v join visits_20260302.websites using (website) join visits_20260302.sources using (source) where v.page in (1))
where ts between 1772323200 and 1775001599
  and website_id = ?
  and bot = 1
  and platform = ?
  and bot_type = ?
group by bucket
having m0 > 0
) listed
order by bucket, m0 desc
limit 20 offset 0
-- arguments: ["w-acme" "openai" "gptbot"]
