create table {{.}}.visits (
  id                  varchar,
  ts                  bigint not null,
  website_id          varchar not null,
  bot                 utinyint not null,
  referred            utinyint not null,
  platform            varchar not null,
  bot_type            varchar not null,
  visitor             ubigint not null,
  url_path            varchar not null,
  normalized_url_path varchar not null,
  url_path_directory  varchar not null,
  user_agent          varchar not null
);
