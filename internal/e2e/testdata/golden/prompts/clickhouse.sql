-- How many answers there are in each group.
select prompt_id as grp, platform as on_platform, count(*) as runs
from facts1.answers_all
where ts between 1772323200 and 1775001599 and week between 1772409600 and 1773014400 and (version = 1)
  and prompt_id in (11, 12)
group by grp, on_platform

-- How many answers of each group mention each product, and the sum of its places in them.
select prompt_id as grp, platform as on_platform, product_id, count(*) as mentions, sum(position) as positions
from facts1.mentions_all
where ts between 1772323200 and 1775001599 and week between 1772409600 and 1773014400 and (version = 1)
  and prompt_id in (11, 12)
  and product_id in (101, 201, 202)
group by grp, on_platform, product_id
