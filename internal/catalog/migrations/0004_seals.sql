-- Sums of what the rows say, for bits that flip on a disk: of each key, and of
-- all the rest together. The program writes them; those of before are sealed as
-- they are found.
alter table api_keys add column seal text not null default '';
alter table meta add column workspace_sum text not null default '';

update meta set schema_version = 4;
