-- How many answers of each group mention each product, and the sum of its places in them.
select {{.Group}} as grp, {{.Platform}} as on_platform, product_id, count(*) as mentions, sum(position) as positions
from {{table "mentions" (some "ts" "prompt_id" "platform" "product_id" "position")}}
where {{template "selected.sql" .}}
  and product_id in ({{ids .Products}})
group by grp, on_platform, product_id
