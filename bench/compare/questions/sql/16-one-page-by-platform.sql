-- one page by week and platform, 90 days
-- GET /v1/products/101/analytics/timeseries?websiteId=w-001&dateFrom=2026-04-02T00:00:00Z&dateTo=2026-06-30T23:59:59Z&interval=week&metrics[]=human_visits&metrics[]=unique_human_visitors&groupBy[]=platform&urlPath=/
-- order: bucket, human_visits desc, platform
select {{week}} as bucket, platform,
  count(*) as human_visits,
  count(distinct visitor) as unique_human_visitors
from visits
where website_id = 'w-001'
  and {{within}}
  and normalized_url_path = '/'
  and not bot
group by bucket, platform
