with cited as (
  select answer_key, {{.}} from citations where {{template "chosen"}} and {{within}}
), counts as (
  select {{.}}, count(*) as n from cited group by {{.}}
), beside as (
  select distinct {{.}}, product_id
  from cited
  join (select answer_key, product_id from mentions where {{template "chosen"}} and {{within}}) mentioned using (answer_key)
), associated as (
  select {{.}}, product_id, 1 as mentioned from beside
  union all
  select {{.}}, product_id, 0 as mentioned from counts join owned using (domain)
), products as (
  select {{.}}, string_agg(distinct product_id::text, ',') as ids, max(case when product_id = 101 then mentioned else 0 end) as mentioned
  from associated
  group by {{.}}
)
select {{.}}, n, ids, coalesce(mentioned, 0)
from counts left join products using ({{.}})
order by n desc, {{.}}
