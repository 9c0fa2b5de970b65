-- people on all websites of the product by day, 90 days
-- GET /v1/products/101/analytics/timeseries?dateFrom=2026-04-02T00:00:00Z&dateTo=2026-06-30T23:59:59Z&metrics[]=unique_human_visitors&metrics[]=human_visits&metrics[]=referred_human_visits&metrics[]=ai_referred_human_visits&perPage=100
-- order: bucket, unique_human_visitors desc
select {{day}} as bucket,
  count(distinct visitor) as unique_human_visitors,
  count(*) as human_visits,
  {{countIf "referred"}} as referred_human_visits,
  {{countIf "referred and platform not in ('none', 'other')"}} as ai_referred_human_visits
from visits
where website_id in ('w-001', 'w-002', 'w-003', 'w-004', 'w-005')
  and {{within}}
  and not bot
group by bucket
