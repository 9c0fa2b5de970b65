-- How many citations of each domain or page stand in answers that mention each product.
select domain, page, product_id, count(*) as citations
from (
  select answer_key, domain, {{.Page}} as page
  from {{table "citations"}}
  where {{template "selected.sql" .}}
) cited
join (
  select answer_key, product_id
  from {{table "mentions"}}
  where {{template "selected.sql" .}}
    and product_id in ({{ids .ProductIDs}})
) mentioned using (answer_key)
group by domain, page, product_id
