-- The catalog: who may see what. The same statements run on every database that
-- Sightline keeps its catalog in, so they are plain SQL: bigint, boolean, text.
--
-- What left the workspace is retired, not deleted: facts still name it, and a
-- later workspace may bring it back.

-- One row: the version of these tables, and of what is in them. Every change to
-- the catalog adds one to catalog_version in its own transaction.
create table meta (
    only_row        boolean not null primary key default true check (only_row),
    schema_version  bigint  not null check (schema_version > 0),
    catalog_version bigint  not null default 0 check (catalog_version >= 0)
);

create table teams (
    id      text    not null primary key check (id <> ''),
    name    text    not null check (name <> ''),
    retired boolean not null default false
);

create table team_manages (
    team_id         text not null references teams (id),
    managed_team_id text not null references teams (id),
    primary key (team_id, managed_team_id),
    check (team_id <> managed_team_id)
);

-- Without a team a product is known only as a competitor.
create table products (
    id      bigint  not null primary key check (id >= 1),
    team_id text    references teams (id),
    name    text    not null check (name <> ''),
    website text    not null check (website <> ''),
    domain  text    not null check (domain <> ''),
    retired boolean not null default false
);

create table product_names (
    product_id bigint not null references products (id),
    ordinal    bigint not null check (ordinal >= 0),
    name       text   not null check (name <> ''),
    primary key (product_id, ordinal)
);

create table product_competitors (
    product_id    bigint not null references products (id),
    competitor_id bigint not null references products (id),
    primary key (product_id, competitor_id),
    check (product_id <> competitor_id)
);

create table websites (
    id         text    not null primary key check (id <> ''),
    product_id bigint  not null references products (id),
    domain     text    not null check (domain <> ''),
    partner    boolean not null,
    tracked    boolean not null,
    retired    boolean not null default false
);

create table labels (
    product_id bigint  not null references products (id),
    id         bigint  not null check (id >= 1),
    name       text    not null check (name <> ''),
    retired    boolean not null default false,
    primary key (product_id, id)
);

-- The second key is there for prompt_labels, which must not name the label of
-- another product.
create table prompts (
    id         bigint  not null primary key check (id >= 1),
    product_id bigint  not null references products (id),
    text       text    not null check (text <> ''),
    domain     text    not null check (domain <> ''),
    retired    boolean not null default false,
    unique (id, product_id)
);

create table prompt_platforms (
    prompt_id bigint not null references prompts (id),
    platform  text   not null check (platform <> ''),
    primary key (prompt_id, platform)
);

create table prompt_labels (
    prompt_id  bigint not null,
    product_id bigint not null,
    label_id   bigint not null,
    primary key (prompt_id, label_id),
    foreign key (prompt_id, product_id) references prompts (id, product_id),
    foreign key (product_id, label_id) references labels (product_id, id)
);

-- The key itself is never stored: hash is its SHA-256 in hexadecimal, prefix its
-- first characters, for people. Times are seconds since 1970, UTC.
create table api_keys (
    id         text   not null primary key check (id <> ''),
    team_id    text   not null references teams (id),
    name       text   not null,
    hash       text   not null unique check (length(hash) = 64),
    prefix     text   not null check (prefix <> ''),
    created_at bigint not null,
    revoked_at bigint check (revoked_at >= created_at)
);

insert into meta (schema_version) values (1);
