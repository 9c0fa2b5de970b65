-- How many citations of each domain or page stand in answers that mention each product.
select domain, {{.Page}} as page, product_id, count(*) as citations
from {{table "citations" (some "answer_key" "ts" "prompt_id" "platform" "domain" "url")}} cited
join (
  select answer_key, product_id
  from {{table "mentions" (some "answer_key" "ts" "prompt_id" "platform" "product_id")}}
  where {{template "selected.sql" .}}
    and product_id in ({{ids .Products}})
) mentioned using (answer_key)
where {{template "selected.sql" .}}
group by domain, page, product_id
