-- Each change of a lead's status leaves a row: who, really who, how long the last status held, and where it was done.
-- A trigger, because a status changes by a call, by an assignment, by a consent and by a device's change log alike.
create function ctx.log_lead_status() returns trigger language plpgsql set search_path = '' as $$
declare
  since timestamptz := coalesce(
    (select max(l."dateCreated") from public.lead_status_log l where l."companyId" = new."companyId" and l."leadId" = new."id"), new."dateCreated");
  place text[] := pg_catalog.string_to_array(nullif(pg_catalog.current_setting('app.position', true), ''), ',');
  nobody uuid := '00000000-0000-0000-0000-000000000000';
begin
  insert into public.lead_status_log ("companyId", "id", "tenantId", "leadId", "fromStatus", "toStatus", "reason", "userId", "realUserId", "durationSeconds", "latitude", "longitude")
  values (new."companyId", gen_random_uuid(), new."tenantId", new."id", old."status", new."status", new."statusReason",
    coalesce(ctx.actor(), nobody), coalesce(nullif(pg_catalog.current_setting('app.real_user', true), '')::uuid, ctx.actor(), nobody),
    greatest(0, extract(epoch from now() - since))::bigint, place[1]::numeric, place[2]::numeric);
  return null;
end $$;
create trigger log_status after update of "status" on lead for each row
  when (old."status" is distinct from new."status") execute function ctx.log_lead_status();
