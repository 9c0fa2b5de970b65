with cited as (
  select answer_key, domain from citations where {{template "chosen"}} and {{within}}
), counts as (
  select domain, count(*) as n from cited group by domain
), pairs as (
  select domain, product_id, count(*) as n, 0 as owns
  from cited
  join (select answer_key, product_id from mentions where {{template "chosen"}} and {{within}}) mentioned using (answer_key)
  group by domain, product_id
  union all
  select domain, product_id, 0 as n, 1 as owns from counts join owned using (domain)
), known as (
  select domain, product_id, sum(n) as beside, max(owns) as owns from pairs group by domain, product_id
)
select product_id, sum(case when owns = 1 then counts.n else beside end) as n, max(case when beside > 0 then 1 else 0 end) as mentioned
from known join counts using (domain)
group by product_id
