-- What the calls of the geo service need beside its own schema.

-- Every act is put on the company's audit chain, in the transaction that does it. The chain's end is all it reads.
create policy geo_wall on public.audit_log to fx_geo using ("companyId" = (select ctx.company())) with check ("companyId" = (select ctx.company()));
grant insert on public.audit_log to fx_geo;
grant select ("companyId", "seq", "hash") on public.audit_log to fx_geo;

-- usertraking/trip: the places of the phones of the caller's people, and whether somebody is one of them.
create policy geo_wall on public.user_position for select to fx_geo using ("companyId" = (select ctx.company()));
create policy geo_scope_wall on public.user_position as restrictive for select to fx_geo
  using ((select ctx.has_whole_company()) or "tenantId" = any((select ctx.scope_list())::uuid[]));
grant select ("companyId", "userId", "tenantId", "deviceTime", "latitude", "longitude", "speed", "accuracy", "source", "flags") on public.user_position to fx_geo;
create policy geo_wall on public.app_user for select to fx_geo using ("companyId" = (select ctx.company()));
grant select ("companyId", "id") on public.app_user to fx_geo;

-- A command that may hurt somebody waits for the word of a second person.
alter table geo.command drop constraint command_state;
alter table geo.command add constraint command_state check ("state" in ('asked', 'queued', 'sent', 'acked', 'done', 'failed', 'expired', 'cancelled'));
-- Why somebody sent it; "reason" tells why it came to nothing.
alter table geo.command add column "purpose" text;
create index command_asked on geo.command ("companyId", "deviceId", "id") where "state" = 'asked';
