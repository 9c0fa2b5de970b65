#!/usr/bin/env bash
# Makes the roles of docs/scaling.md in a new PostgreSQL: sightline owns the catalog, sightline_serve
# only reads it. compose.yaml gives it to the image of PostgreSQL, which runs it once, as the
# administrator and in an empty data directory. The tests run it, too.
set -euo pipefail
: "${SIGHTLINE_PASSWORD:?}" "${SIGHTLINE_SERVE_PASSWORD:?}"

# psql quotes the passwords, and no list of processes shows them.
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres <<'SQL'
\set owner `printenv SIGHTLINE_PASSWORD`
\set serve `printenv SIGHTLINE_SERVE_PASSWORD`
create role sightline login password :'owner';
create role sightline_serve login password :'serve';
create database sightline owner sightline encoding 'UTF8' template template0;
\connect sightline
revoke all on database sightline from public;
grant connect on database sightline to sightline_serve;
revoke create on schema public from public;
grant create on schema public to sightline;
grant usage on schema public to sightline_serve;
grant select on all tables in schema public to sightline_serve;
alter default privileges for role sightline in schema public grant select on tables to sightline_serve;
SQL
