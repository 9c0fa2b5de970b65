-- A visit is a row of numbers; what the numbers stand for is in the tables
-- below it, once per file. They hold within this file only.
create table {{.}}.visits (
  id       varchar,            -- the sender's own, mostly null
  ts       bigint not null,    -- Unix seconds
  website  uinteger not null,
  source   uinteger not null,
  bot      utinyint not null,
  referred utinyint not null,
  visitor  ubigint not null,
  page     uinteger not null,  -- of the path; here too, because most questions ask for it
  path     uinteger not null,
  agent    uinteger not null
);
create table {{.}}.websites (website uinteger not null, website_id varchar not null);
create table {{.}}.sources (source uinteger not null, platform varchar not null, bot_type varchar not null);
create table {{.}}.pages (page uinteger not null, normalized_url_path varchar not null, url_path_directory varchar not null);
create table {{.}}.paths (path uinteger not null, url_path varchar not null);
create table {{.}}.agents (agent uinteger not null, user_agent varchar not null);

-- The figures of whole days and weeks of a website, counted when the file is
-- built. A row stands for all visits of its bucket (level 0), for those of a
-- platform (1), of a bot type (2), or of both (3).
create table {{.}}.totals (
  website                  uinteger not null,
  bucket                   bigint not null,    -- its start, Unix seconds
  width                    utinyint not null,  -- in days: 1 or 7
  level                    utinyint not null,
  platform                 varchar not null,   -- empty if the level is not about it
  bot_type                 varchar not null,
  bot_visits               bigint not null,
  human_visits             bigint not null,
  referred_human_visits    bigint not null,
  ai_referred_human_visits bigint not null,
  unique_human_visitors    bigint not null,
  unique_pages             bigint not null,
  unique_human_pages       bigint not null,
  unique_human_platforms   bigint not null,
  bot_user_agents          bigint not null,
  all_pages                bigint not null,    -- distinct normalized paths, by bots or humans
  bot_paths                bigint not null,    -- distinct paths as they came
  human_paths              bigint not null,
  all_paths                bigint not null
);

-- The same of each directory, from generation 2 on. A directory is told by one of
-- its pages that was visited in that week: so the page stays as long as the row.
create table {{.}}.directory_totals (
  website                  uinteger not null,
  bucket                   bigint not null,
  width                    utinyint not null,
  page                     uinteger not null,
  bot_visits               bigint not null,
  human_visits             bigint not null,
  referred_human_visits    bigint not null,
  ai_referred_human_visits bigint not null,
  unique_human_visitors    bigint not null,
  unique_pages             bigint not null,
  unique_human_pages       bigint not null,
  unique_human_platforms   bigint not null,
  bot_user_agents          bigint not null
);

-- The user agents of the bots of a source, each once, from generation 2 on: websites
-- have them in common, so their numbers do not add up.
create table {{.}}.agent_totals (
  website uinteger not null,
  bucket  bigint not null,
  width   utinyint not null,
  source  uinteger not null,
  agent   uinteger not null
);
