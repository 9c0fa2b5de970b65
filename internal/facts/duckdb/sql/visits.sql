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
