-- Rows of agent_totals that the visits do not give, and rows that they give and it
-- does not have; none if all is well. {{.}} stands for the attached database.
with counted as (
  select distinct website,
    case width when 1 then ts - ts % 86400 else ts - (ts + 259200) % 604800 end as bucket, width, source, agent
  from {{.}}.visits, (values (1::utinyint), (7::utinyint)) w(width)
  where bot = 1
)
select count(*) from (
  (from counted except all from {{.}}.agent_totals) union all (from {{.}}.agent_totals except all from counted)
)
