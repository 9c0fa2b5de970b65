-- Facts. week and version are the edition that a row belongs to: the start of
-- its ISO week in Unix seconds, and the publish that wrote it.
create table if not exists {{.DB}}.visits (
  week                Int64,
  version             UInt64,
  id                  String,   -- the sender's own, mostly empty
  ts                  Int64,    -- Unix seconds
  day                 Int64 default ts - ts % 86400,
  website_id          String,
  bot                 UInt8,
  referred            UInt8,
  platform            String,
  bot_type            String,
  visitor             UInt64,
  url_path            String,
  normalized_url_path String,
  url_path_directory  String,
  user_agent          String
) engine = {{.Tree "visits" ""}} partition by (week, version) order by (website_id, day, normalized_url_path){{.Settings "index_granularity = 1024"}};

-- The figures of whole days and weeks of a website. A row stands for all visits
-- of its bucket (level 0), for those of a platform (1), of a bot type (2), or of
-- both (3). There are few rows, and each part costs a report about a millisecond,
-- so the weeks of a version are one partition.
create table if not exists {{.DB}}.totals (
  week                     Int64,
  version                  UInt64,
  website_id               String,
  bucket                   Int64,   -- its start, Unix seconds
  width                    UInt8,   -- in days: 1 or 7
  level                    UInt8,
  platform                 String,  -- empty if the level is not about it
  bot_type                 String,
  bot_visits               UInt64,
  human_visits             UInt64,
  referred_human_visits    UInt64,
  ai_referred_human_visits UInt64,
  unique_human_visitors    UInt64,
  unique_pages             UInt64,
  unique_human_pages       UInt64,
  unique_human_platforms   UInt64,
  bot_user_agents          UInt64,
  all_pages                UInt64,  -- distinct normalized paths, by bots or humans
  bot_paths                UInt64,  -- distinct paths as they came
  human_paths              UInt64,
  all_paths                UInt64
) engine = {{.Tree "totals" ""}} partition by version order by (website_id, width, level, bucket){{.Settings "index_granularity = 256"}};

create table if not exists {{.DB}}.answers (
  week       Int64,
  version    UInt64,
  id         String,
  answer_key Int64,
  ts         Int64,
  product_id Int64,   -- of the prompt
  prompt_id  Int64,
  platform   String
) engine = {{.Tree "answers" ""}} partition by (week, version) order by (prompt_id, platform, ts){{.Settings}};

create table if not exists {{.DB}}.mentions (
  week       Int64,
  version    UInt64,
  answer_key Int64,
  ts         Int64,
  prompt_id  Int64,
  platform   String,
  product_id Int64,
  position   Int64
) engine = {{.Tree "mentions" ""}} partition by (week, version) order by (prompt_id, platform, ts){{.Settings}};

create table if not exists {{.DB}}.citations (
  week       Int64,
  version    UInt64,
  answer_key Int64,
  ts         Int64,
  prompt_id  Int64,
  platform   String,
  domain     String,
  url        String
) engine = {{.Tree "citations" ""}} partition by (week, version) order by (prompt_id, platform, ts){{.Settings}};

-- Rows of a load under way that have an id: of those with the same id, the one
-- with the highest seq counts, and which that is shows at the end.
create table if not exists {{.DB}}.staged_visits (
  week Int64, version UInt64, id String, seq Int64, ts Int64, website_id String, bot UInt8, referred UInt8,
  platform String, bot_type String, visitor UInt64, url_path String, normalized_url_path String,
  url_path_directory String, user_agent String
) engine = {{.Tree "staged_visits" ""}} partition by version order by (website_id, ts){{.Settings}};
create table if not exists {{.DB}}.staged_answers (
  week Int64, version UInt64, id String, seq Int64, answer_key Int64, ts Int64, product_id Int64, prompt_id Int64, platform String
) engine = {{.Tree "staged_answers" ""}} partition by version order by (prompt_id, platform, ts){{.Settings}};
create table if not exists {{.DB}}.staged_mentions (
  week Int64, version UInt64, answer_key Int64, ts Int64, prompt_id Int64, platform String, product_id Int64, position Int64
) engine = {{.Tree "staged_mentions" ""}} partition by version order by (prompt_id, platform, ts){{.Settings}};
create table if not exists {{.DB}}.staged_citations (
  week Int64, version UInt64, answer_key Int64, ts Int64, prompt_id Int64, platform String, domain String, url String
) engine = {{.Tree "staged_citations" ""}} partition by version order by (prompt_id, platform, ts){{.Settings}};

-- The manifest. It has rows on the first shard alone. What a version says counts
-- if the version is in publishes.
create table if not exists {{.DB}}.publishes (
  version         UInt64,
  at              DateTime default now(),
  next_answer_key Int64,   -- answers are numbered once, across all versions
  shards          UInt32   -- of the cluster: what is on a shard must stay found there
) engine = {{.Tree "publishes" ""}} partition by tuple() order by version{{.Settings}};

-- Which editions a version adds (sign 1) and takes away (sign -1).
create table if not exists {{.DB}}.editions (
  version UInt64,
  kind    String,   -- visits, answers, or the name of a table of totals
  week    Int64,
  edition UInt64,   -- the version of the rows
  sign    Int8,
  rows    UInt64,
  ids     UInt64,   -- rows with an id of the sender's
  newest  Int64     -- second of the newest row
) engine = {{.Tree "editions" ""}} partition by tuple() order by (version, kind, week){{.Settings}};

create table if not exists {{.DB}}.inputs (
  version UInt64,
  kind    String,
  sha256  String,
  name    String,
  bytes   Int64,
  lines   Int64,
  place   UInt32,   -- within its load
  marks   String    -- sums of its beginnings: JSON
) engine = {{.Tree "inputs" ""}} partition by tuple() order by (version, place){{.Settings}};

-- Versions that loads have taken, and when they last said that they are alive.
create table if not exists {{.DB}}.claims (
  version UInt64,
  host    String,
  process Int64,
  space   String,   -- where its number means something
  started Int64,    -- by the clock of that machine
  at      DateTime default now()
) engine = {{.Tree "claims" "Replacing" "at"}} partition by tuple() order by (version, space, process, started){{.Settings}};

-- By what the secret of visitor ids is known again, with which visits were loaded.
create table if not exists {{.DB}}.secrets (
  fingerprint String,
  at          DateTime default now()
) engine = {{.Tree "secrets" ""}} partition by tuple() order by at{{.Settings}};
{{if .Cluster}}
-- What is on all shards. A website's visits and a prompt's answers are on one.
create table if not exists {{.DB}}.visits_all as {{.DB}}.visits engine = Distributed({{.Cluster}}, {{.DB}}, visits, cityHash64(website_id));
create table if not exists {{.DB}}.totals_all as {{.DB}}.totals engine = Distributed({{.Cluster}}, {{.DB}}, totals, cityHash64(website_id));
create table if not exists {{.DB}}.answers_all as {{.DB}}.answers engine = Distributed({{.Cluster}}, {{.DB}}, answers, cityHash64(prompt_id));
create table if not exists {{.DB}}.mentions_all as {{.DB}}.mentions engine = Distributed({{.Cluster}}, {{.DB}}, mentions, cityHash64(prompt_id));
create table if not exists {{.DB}}.citations_all as {{.DB}}.citations engine = Distributed({{.Cluster}}, {{.DB}}, citations, cityHash64(prompt_id));
create table if not exists {{.DB}}.staged_visits_all as {{.DB}}.staged_visits engine = Distributed({{.Cluster}}, {{.DB}}, staged_visits, cityHash64(website_id));
create table if not exists {{.DB}}.staged_answers_all as {{.DB}}.staged_answers engine = Distributed({{.Cluster}}, {{.DB}}, staged_answers, cityHash64(prompt_id));
create table if not exists {{.DB}}.staged_mentions_all as {{.DB}}.staged_mentions engine = Distributed({{.Cluster}}, {{.DB}}, staged_mentions, cityHash64(prompt_id));
create table if not exists {{.DB}}.staged_citations_all as {{.DB}}.staged_citations engine = Distributed({{.Cluster}}, {{.DB}}, staged_citations, cityHash64(prompt_id));
create table if not exists {{.DB}}.publishes_all as {{.DB}}.publishes engine = Distributed({{.Cluster}}, {{.DB}}, publishes);
create table if not exists {{.DB}}.editions_all as {{.DB}}.editions engine = Distributed({{.Cluster}}, {{.DB}}, editions);
create table if not exists {{.DB}}.inputs_all as {{.DB}}.inputs engine = Distributed({{.Cluster}}, {{.DB}}, inputs);
{{end}}
