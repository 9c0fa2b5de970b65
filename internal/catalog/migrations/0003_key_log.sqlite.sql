-- A file of its own: the databases write triggers differently.
-- The log of keys only grows.
create trigger key_log_not_changed before update on key_log
begin
    select raise(abort, 'the log of keys cannot be changed');
end;

create trigger key_log_not_cut before delete on key_log
begin
    select raise(abort, 'the log of keys cannot be cut');
end;

-- A replacing insert deletes without the trigger above.
create trigger key_log_not_replaced before insert on key_log
when new.number <= (select coalesce(max(number), 0) from key_log)
begin
    select raise(abort, 'the log of keys cannot be changed');
end;

update meta set schema_version = 3;
