-- How often each domain or page is cited.
select domain, '' as page, count(*) as citations
from facts1.citations_all
where ts between 1772323200 and 1775001599 and week between 1772409600 and 1773014400 and (version = 1)
  and prompt_id in (11, 12)
group by domain, page

-- How many citations of each domain or page stand in answers that mention each product.
select domain, '' as page, product_id, count(*) as citations
from facts1.citations_all cited
join (
  select answer_key, product_id
  from facts1.mentions_all
  where ts between 1772323200 and 1775001599 and week between 1772409600 and 1773014400 and (version = 1)
  and prompt_id in (11, 12)
    and product_id in (101, 201, 202)
) mentioned using (answer_key)
where ts between 1772323200 and 1775001599 and week between 1772409600 and 1773014400 and (version = 1)
  and prompt_id in (11, 12)
group by domain, page, product_id
