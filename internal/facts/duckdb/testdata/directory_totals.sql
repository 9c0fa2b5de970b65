-- Rows of directory_totals that the visits do not give, and rows that they give and
-- it does not have; none if all is well. {{.}} stands for the attached database.
with seen as (
  select website, ts, bot = 1 as is_bot, referred = 1 as is_referred, visitor, page, agent, platform, url_path_directory,
    bot = 0 and referred = 1 and platform not in ('none', 'other') as by_ai
  from {{.}}.visits join {{.}}.sources using (source) join {{.}}.pages using (page)
), counted as (
  select website,
    case width when 1 then ts - ts % 86400 else ts - (ts + 259200) % 604800 end as bucket, width, url_path_directory,
    count(*) filter (where is_bot), count(*) filter (where not is_bot),
    count(*) filter (where not is_bot and is_referred), count(*) filter (where by_ai),
    count(distinct visitor) filter (where not is_bot),
    count(distinct page) filter (where is_bot), count(distinct page) filter (where not is_bot),
    count(distinct platform) filter (where by_ai),
    count(distinct agent) filter (where is_bot)
  from seen, (values (1::utinyint), (7::utinyint)) w(width)
  group by 1, 2, 3, 4
), stored as (
  select website, bucket, width, url_path_directory, bot_visits, human_visits, referred_human_visits, ai_referred_human_visits,
    unique_human_visitors, unique_pages, unique_human_pages, unique_human_platforms, bot_user_agents
  from {{.}}.directory_totals join {{.}}.pages using (page)
)
select count(*) from (
  (from counted except all from stored) union all (from stored except all from counted)
)
