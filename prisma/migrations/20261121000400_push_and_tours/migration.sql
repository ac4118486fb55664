-- A push token belongs to its last user only, in whichever company that user is at home: fx_auth keeps the table.
create index "push_device_tokenHash_idx" on push_device ("tokenHash");
create policy auth_wall on push_device to fx_auth using (true) with check (true);
grant select, insert, update, delete on push_device to fx_auth;

-- Whatever ends a session (logout, deactivation, another password) ends its push messages in the same transaction.
create function ctx.end_push() returns trigger language plpgsql set search_path = '' as $$
begin
  delete from public.push_device where "companyId" = new."companyId" and "userId" = new."userId" and "sessionId" = new."id";
  return null;
end $$;
create trigger end_push after update of "endedAt" on session for each row
  when (new."endedAt" is not null and old."endedAt" is null) execute function ctx.end_push();

-- Tours are remembered with the user, also for staff of a group, who work in another company than their own.
grant update ("tours") on app_user to fx_auth;
