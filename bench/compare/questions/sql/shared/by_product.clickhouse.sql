select product_id, sum(if(owns = 1, total, beside)) as citations, max(beside > 0) as mentioned
from (
  select domain, product_id, sum(n) as beside, max(o) as owns
  from (
    select domain, product_id, toUInt64(count()) as n, toUInt8(0) as o
    from (
      select answer_key, domain from citations where {{template "chosen"}} and {{within}}
    )
    all inner join (
      select answer_key, product_id from mentions where {{template "chosen"}} and {{within}}
    ) using (answer_key)
    group by domain, product_id
    union all
    select domain, product_id, toUInt64(0) as n, toUInt8(1) as o from owned
  )
  group by domain, product_id
)
all inner join (
  select domain, count() as total from citations where {{template "chosen"}} and {{within}} group by domain
) using (domain)
group by product_id
