-- A calendar's address is a key that outlasts sessions: whoever sets a password, in whatever way, ends it in the same
-- transaction. Staff of a group have one in each company they work in.
create policy auth_wall on calendar_feed to fx_auth using (true) with check (true);
grant select ("companyId", "userId"), delete on calendar_feed to fx_auth;
drop index "calendar_feed_companyId_tokenHash_key";
create unique index "calendar_feed_tokenHash_key" on calendar_feed ("tokenHash");

create function ctx.end_feeds() returns trigger language plpgsql set search_path = '' as $$
begin
  delete from public.calendar_feed where "userId" = new."userId";
  return null;
end $$;
create trigger end_feeds after update of "changedAt" on credential for each row
  when (new."changedAt" is distinct from old."changedAt") execute function ctx.end_feeds();
