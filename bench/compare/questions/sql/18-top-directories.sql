-- five directories of each week, 180 days
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-01-02T00:00:00Z&dateTo=2026-06-30T23:59:59Z&interval=week&metrics[]=human_visits&metrics[]=unique_human_visitors&groupBy[]=urlPathDirectory&topLimit=5
-- order: bucket, human_visits desc, url_path_directory
select {{week}} as bucket, url_path_directory,
  count(*) as human_visits,
  count(distinct visitor) as unique_human_visitors
from visits
where website_id = 'w-001'
  and {{within}}
  and not bot
group by bucket, url_path_directory
