-- The manifest: which files make up the facts, version by version.
create table state (
  only_row        integer primary key check (only_row = 1),
  version         integer not null,  -- of the facts; each publish adds one
  next_answer_key integer not null,  -- answers are numbered once, across all files
  files_sum       text not null default '',  -- SHA-256 of this row and of files
  inputs_sum      text not null default '',  -- of inputs: their rows' SHA-256, by exclusive or
  secret          text not null default ''   -- fingerprint of the secret of visitor ids
);
insert into state (only_row, version, next_answer_key) values (1, 0, 1);

create table files (
  name            text primary key,  -- in the folder of the manifest
  kind            text not null check (kind in ('visits', 'answers')),
  first_week      integer not null,  -- start of the first ISO week, Unix seconds
  last_week       integer not null check (last_week >= first_week),
  row_count       integer not null check (row_count > 0),
  id_count        integer not null,  -- rows with an id of the sender's
  newest          integer not null,  -- second of the newest row
  bytes           integer not null,
  sha256          text not null,
  added_version   integer not null,
  removed_version integer,           -- null while the file is current
  removed_at      integer,           -- Unix seconds
  tables          integer not null default 0  -- generation of its tables; from 1 on it says itself which one it is
);
create unique index files_current on files (kind, first_week) where removed_version is null;

create table inputs (
  kind      text not null,
  sha256    text not null,
  name      text not null,
  bytes     integer not null,
  lines     integer not null,
  version   integer not null,        -- the publish that it was part of
  loaded_at integer not null,        -- Unix seconds
  marks     text not null,           -- sums of its beginnings: JSON
  primary key (kind, sha256)
);
