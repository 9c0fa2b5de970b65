-- How often each domain or page is cited.
select domain, '' as page, count(*) as citations
from (select ts, prompt_id, platform, domain, url from answers_20260302.citations v
  union all select ts, prompt_id, platform, domain, url from answers_20260309.citations v)
where ts between 1772323200 and 1775001599
  and prompt_id in (11, 12)
group by domain, page

-- How many citations of each domain or page stand in answers that mention each product.
select domain, '' as page, product_id, count(*) as citations
from (select answer_key, ts, prompt_id, platform, domain, url from answers_20260302.citations v
  union all select answer_key, ts, prompt_id, platform, domain, url from answers_20260309.citations v) cited
join (
  select answer_key, product_id
  from (select answer_key, ts, prompt_id, platform, product_id from answers_20260302.mentions v
  union all select answer_key, ts, prompt_id, platform, product_id from answers_20260309.mentions v)
  where ts between 1772323200 and 1775001599
  and prompt_id in (11, 12)
    and product_id in (101, 201, 202)
) mentioned using (answer_key)
where ts between 1772323200 and 1775001599
  and prompt_id in (11, 12)
group by domain, page, product_id
