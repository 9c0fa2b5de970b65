-- How often each domain or page is cited.
select domain, {{.Page}} as page, count(*) as citations
from {{table "citations" (some "ts" "prompt_id" "platform" "domain" "url")}}
where {{template "selected.sql" .}}
group by domain, page
