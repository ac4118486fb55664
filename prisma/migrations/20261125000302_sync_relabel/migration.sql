-- Devices hold records with the names of others in them. Whoever is renamed, by whatever way, leaves a job that sends the
-- records that hold the name once more. The job looks with the eyes of the program, so that reach hides none of them.
create function ctx.relabel() returns trigger language plpgsql set search_path = '' as $$
begin
  insert into public.outbox ("companyId", "id", "type", "payload", "runAt")
    values (new."companyId", gen_random_uuid(), 'sync.relabel', jsonb_build_object('table', tg_table_name, 'id', new."id"), now());
  perform pg_notify('outbox', '');
  return null;
end $$;

create trigger relabel after update of "firstName", "lastName", "userName" on app_user for each row
  when ((old."firstName", old."lastName", old."userName") is distinct from (new."firstName", new."lastName", new."userName")) execute function ctx.relabel();
create trigger relabel after update of "firstName", "lastName", "phonenumber" on lead for each row
  when ((old."firstName", old."lastName", old."phonenumber") is distinct from (new."firstName", new."lastName", new."phonenumber")) execute function ctx.relabel();
create trigger relabel after update of "firstName", "lastName", "phonenumber" on client for each row
  when ((old."firstName", old."lastName", old."phonenumber") is distinct from (new."firstName", new."lastName", new."phonenumber")) execute function ctx.relabel();
create trigger relabel after update of "name" on tenant for each row when (old."name" is distinct from new."name") execute function ctx.relabel();
create trigger relabel after update of "name" on activity_plan for each row when (old."name" is distinct from new."name") execute function ctx.relabel();
create trigger relabel after update of "name", "geofenceRadius" on activity_type for each row
  when ((old."name", old."geofenceRadius") is distinct from (new."name", new."geofenceRadius")) execute function ctx.relabel();
create trigger relabel after update of "name", "meaning" on activity_status for each row
  when ((old."name", old."meaning") is distinct from (new."name", new."meaning")) execute function ctx.relabel();
