-- Rows of totals that the visits do not give, and rows that they give and totals
-- does not have; none if all is well. {{.}} stands for the attached database.
with seen as (
  select website, ts, bot = 1 as is_bot, referred = 1 as is_referred, visitor, page, path, agent, platform, bot_type,
    bot = 0 and referred = 1 and platform not in ('none', 'other') as by_ai
  from {{.}}.visits join {{.}}.sources using (source)
), counted as (
  select website,
    case width when 1 then ts - ts % 86400 else ts - (ts + 259200) % 604800 end as bucket, width, level,
    case when level & 1 = 1 then platform else '' end as platform,
    case when level & 2 = 2 then bot_type else '' end as bot_type,
    count(*) filter (where is_bot), count(*) filter (where not is_bot),
    count(*) filter (where not is_bot and is_referred), count(*) filter (where by_ai),
    count(distinct visitor) filter (where not is_bot),
    count(distinct page) filter (where is_bot), count(distinct page) filter (where not is_bot),
    count(distinct seen.platform) filter (where by_ai),
    count(distinct agent) filter (where is_bot),
    count(distinct page), count(distinct path) filter (where is_bot), count(distinct path) filter (where not is_bot), count(distinct path)
  from seen, (values (1::utinyint), (7::utinyint)) w(width), (values (0::utinyint), (1::utinyint), (2::utinyint), (3::utinyint)) l(level)
  group by 1, 2, 3, 4, 5, 6
)
select count(*) from (
  (from counted except all from {{.}}.totals) union all (from {{.}}.totals except all from counted)
)
