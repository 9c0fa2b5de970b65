-- More of what is counted about the visits of whole days and weeks, like totals:
-- each table has editions of its own, of a kind that has its name, and a week
-- that was published before this step has none of them until they are counted.

-- The metrics of the directories of a website.
create table if not exists {{.DB}}.directory_totals (
  week                     Int64,
  version                  UInt64,
  website_id               String,
  bucket                   Int64,   -- its start, Unix seconds
  width                    UInt8,   -- in days: 1 or 7
  url_path_directory       String,
  bot_visits               UInt64,
  human_visits             UInt64,
  referred_human_visits    UInt64,
  ai_referred_human_visits UInt64,
  unique_human_visitors    UInt64,
  unique_pages             UInt64,
  unique_human_pages       UInt64,
  unique_human_platforms   UInt64,
  bot_user_agents          UInt64
) engine = {{.Tree "directory_totals" ""}} partition by version order by (website_id, width, bucket){{.Settings "index_granularity = 1024"}};

-- The user agents of the bots of a website, each once. Websites have them in
-- common, so their numbers do not add up.
create table if not exists {{.DB}}.agent_totals (
  week       Int64,
  version    UInt64,
  website_id String,
  bucket     Int64,
  width      UInt8,
  platform   String,
  bot_type   String,
  user_agent String
) engine = {{.Tree "agent_totals" ""}} partition by version order by (website_id, width, bucket){{.Settings "index_granularity = 1024"}};

-- The metrics of pages with many visits in a week, by page (level 0), or by page
-- and platform (1). What a report asks about the others is soon read from visits.
create table if not exists {{.DB}}.busy_pages (
  week                     Int64,
  version                  UInt64,
  website_id               String,
  bucket                   Int64,   -- its start, Unix seconds
  width                    UInt8,   -- in days: 1 or 7
  level                    UInt8,
  normalized_url_path      String,
  platform                 String,  -- empty if the level is not about it
  bot_visits               UInt64,
  human_visits             UInt64,
  referred_human_visits    UInt64,
  ai_referred_human_visits UInt64,
  unique_human_visitors    UInt64,
  unique_pages             UInt64,
  unique_human_pages       UInt64,
  unique_human_platforms   UInt64,
  bot_user_agents          UInt64
) engine = {{.Tree "busy_pages" ""}} partition by version order by (website_id, width, level, normalized_url_path, bucket){{.Settings "index_granularity = 256"}};
{{if .Cluster}}
create table if not exists {{.DB}}.directory_totals_all as {{.DB}}.directory_totals engine = Distributed({{.Cluster}}, {{.DB}}, directory_totals, cityHash64(website_id));
create table if not exists {{.DB}}.agent_totals_all as {{.DB}}.agent_totals engine = Distributed({{.Cluster}}, {{.DB}}, agent_totals, cityHash64(website_id));
create table if not exists {{.DB}}.busy_pages_all as {{.DB}}.busy_pages engine = Distributed({{.Cluster}}, {{.DB}}, busy_pages, cityHash64(website_id));
{{end}}
