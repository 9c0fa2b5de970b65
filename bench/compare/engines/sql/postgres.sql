-- Plain tables, filled in the order in which they are read.
create type website as enum ({{.Websites}});
create type platform as enum ({{.Platforms}});
create type bot_type as enum ({{.BotTypes}});
create type tracked as enum ({{.Tracked}});
create table visits (
  website_id          website not null,
  ts                  timestamp not null,
  bot                 boolean not null,
  referred            boolean not null,
  platform            platform not null,
  bot_type            bot_type not null,
  visitor             bigint not null,
  url_path            text not null,
  normalized_url_path text not null,
  url_path_directory  text not null,
  user_agent          text not null
);
create table answers (owner integer not null, tracked tracked not null, ts timestamp not null, prompt_id integer not null,
  platform platform not null, answer_key bigint not null);
create table mentions (owner integer not null, tracked tracked not null, ts timestamp not null, prompt_id integer not null,
  platform platform not null, answer_key bigint not null, product_id integer not null, position integer not null);
create table citations (owner integer not null, tracked tracked not null, ts timestamp not null, prompt_id integer not null,
  platform platform not null, answer_key bigint not null, domain text not null, url text not null);
create table prompts (prompt_id integer primary key, owner integer not null, tracked tracked not null, text text not null);
create table prompt_platforms (prompt_id integer not null, platform platform not null, primary key (prompt_id, platform));
create table prompt_labels (prompt_id integer not null, label_id integer not null, primary key (label_id, prompt_id));
create table owned (domain text not null, product_id integer not null, primary key (domain, product_id));
