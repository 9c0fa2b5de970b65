-- A file of its own: the databases write triggers differently.
-- The log of keys only grows.
create function key_log_only_grows() returns trigger language plpgsql as $$
begin
    raise exception 'the log of keys cannot be changed';
end $$;

create trigger key_log_not_changed before update or delete on key_log
    for each row execute function key_log_only_grows();

create trigger key_log_not_cut before truncate on key_log
    for each statement execute function key_log_only_grows();

update meta set schema_version = 3;
