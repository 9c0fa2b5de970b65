-- {{.Text}} is a string of which there are few: today's ClickHouse has a type for
-- that, the one of 2018 does not.
create table visits (
  website_id          Enum16({{.Websites}}),
  ts                  DateTime('UTC'),
  bot                 UInt8,
  referred            UInt8,
  platform            Enum8({{.Platforms}}),
  bot_type            Enum8({{.BotTypes}}),
  visitor             Int64,
  url_path            {{.Text}},
  normalized_url_path {{.Text}},
  url_path_directory  {{.Text}},
  user_agent          {{.Text}}
) engine = MergeTree partition by toYYYYMM(ts) order by (website_id, ts);
create table answers (owner Int32, tracked Enum8({{.Tracked}}), ts DateTime('UTC'), prompt_id Int32, platform Enum8({{.Platforms}}),
  answer_key Int64) engine = MergeTree partition by toYYYYMM(ts) order by (owner, ts);
create table mentions (owner Int32, tracked Enum8({{.Tracked}}), ts DateTime('UTC'), prompt_id Int32, platform Enum8({{.Platforms}}),
  answer_key Int64, product_id Int32, position Int32) engine = MergeTree partition by toYYYYMM(ts) order by (owner, ts);
create table citations (owner Int32, tracked Enum8({{.Tracked}}), ts DateTime('UTC'), prompt_id Int32, platform Enum8({{.Platforms}}),
  answer_key Int64, domain {{.Text}}, url {{.Text}}) engine = MergeTree partition by toYYYYMM(ts) order by (owner, ts);
create table prompts (prompt_id Int32, owner Int32, tracked Enum8({{.Tracked}}), text String) engine = MergeTree order by prompt_id;
create table prompt_platforms (prompt_id Int32, platform Enum8({{.Platforms}})) engine = MergeTree order by prompt_id;
create table prompt_labels (prompt_id Int32, label_id Int32) engine = MergeTree order by (label_id, prompt_id);
create table owned (domain String, product_id Int32) engine = MergeTree order by domain;
