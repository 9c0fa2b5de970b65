-- a thousand rows of days and paths, 30 days
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-06-01T00:00:00Z&dateTo=2026-06-30T23:59:59Z&metrics[]=human_visits&groupBy[]=urlPath&perPage=1000
-- order: bucket, human_visits desc, url_path
select {{day}} as bucket, url_path,
  count(*) as human_visits
from visits
where website_id = 'w-001'
  and {{within}}
  and not bot
group by bucket, url_path
