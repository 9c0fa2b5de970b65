-- Keys that end by themselves, keys that were replaced, and what a list may show
-- of a key: its last four characters. Of keys from before, only the first ones
-- are known.
alter table api_keys rename column prefix to shown;
update api_keys set shown = shown || '…';
alter table api_keys add column expires_at bigint check (expires_at >= created_at);
alter table api_keys add column replaced_by text;

-- What was done to keys, by whom. It refers to nothing, so that it outlives all.
create table key_log (
    number   bigint not null primary key check (number >= 1),
    at       bigint not null,
    action   text   not null check (action in ('create', 'rotate', 'revoke')),
    key_id   text   not null check (key_id <> ''),
    team_id  text   not null,
    key_name text   not null,
    os_user  text   not null,
    host     text   not null,
    detail   text   not null
);

update meta set schema_version = 2;
