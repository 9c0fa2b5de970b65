select {{.}}, n, arrayStringConcat(arrayMap(x -> toString(x), ids), ',') as products, mentioned
from (
  select {{.}}, count() as n
  from citations
  where {{template "chosen"}} and {{within}}
  group by {{.}}
)
any left join (
  select {{.}}, groupUniqArray(product_id) as ids, max(product_id = 101 and m) as mentioned
  from (
    select {{.}}, product_id, 1 as m
    from (
      select answer_key, {{.}} from citations where {{template "chosen"}} and {{within}}
    )
    all inner join (
      select answer_key, product_id from mentions where {{template "chosen"}} and {{within}}
    ) using (answer_key)
    group by {{.}}, product_id
    union all
    select {{.}}, product_id, 0 as m
    from (
      select {{.}} from citations where {{template "chosen"}} and {{within}} group by {{.}}
    )
    all inner join owned using (domain)
  )
  group by {{.}}
) using ({{.}})
order by n desc, {{.}}
