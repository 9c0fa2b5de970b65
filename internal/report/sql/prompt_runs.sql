-- How many answers there are in each group.
select {{.Group}} as grp, {{.Platform}} as on_platform, count(*) as runs
from {{table "answers" (some "ts" "prompt_id" "platform")}}
where {{template "selected.sql" .}}
group by grp, on_platform
