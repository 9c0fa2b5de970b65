-- What counts of visits need is in the index alone; pages are found by their path.
create index on visits (website_id, ts) include (bot, referred, platform, bot_type);
create index on visits (website_id, normalized_url_path, ts);
create index on answers (owner, ts);
create index on mentions (owner, ts);
create index on mentions (prompt_id, ts);
create index on citations (owner, ts);
create index on citations (prompt_id, ts);
vacuum (analyze);
