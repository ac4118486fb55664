-- What follows an event: it is told as it comes, people take note of it, and the server tells those whom a rule names.

-- Each change of an event takes the next number, so that who follows along can ask what was missed.
create sequence geo.event_seq;
grant usage on sequence geo.event_seq to fx_geo, fx_ingest;
alter table geo.event add column "seq" bigint not null default nextval('geo.event_seq');
alter table geo.event add column "changedAt" timestamptz(3) not null default clock_timestamp();
create index event_seq_idx on geo.event ("companyId", "seq");

create function geo.number_event() returns trigger language plpgsql set search_path = '' as $$
begin
  new."seq" := nextval('geo.event_seq');
  new."changedAt" := clock_timestamp();
  return new;
end $$;
create trigger number_event before update on geo.event for each row when (old.* is distinct from new.*) execute function geo.number_event();

-- Says with the commit which events changed, "<company> <id>,<id>": a notification may have 8,000 bytes.
create function geo.announce_events() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('geo_events', c."companyId" || ' ' || string_agg(c."id"::text, ','))
  from (select n."companyId", n."id", (row_number() over (partition by n."companyId") - 1) / 100 as part from changed n) c group by c."companyId", c.part;
  return null;
end $$;
create trigger announce_new after insert on geo.event referencing new table as changed for each statement execute function geo.announce_events();
create trigger announce_changed after update on geo.event referencing new table as changed for each statement execute function geo.announce_events();

-- Who took note of an event is named.
grant select ("firstName", "lastName") on public.app_user to fx_geo;

-- A second reaction of the same action, to others, when nobody took note of the event in time.
alter table geo.reaction add column "level" smallint not null default 1;
-- Addresses that were reached: a second try leaves them in peace.
alter table geo.reaction add column "reached" jsonb not null default '[]';
alter table geo.reaction drop constraint "reaction_companyId_eventId_eventActionId_key";
alter table geo.reaction add unique ("companyId", "eventId", "eventActionId", "level", "type");
grant update ("state", "result", "endedAt") on geo.reaction to fx_ingest;

-- The bridge between the geo service and the server: three functions, each for one side, owned by a role that never
-- logs in, sees one company at a time and of the outbox only its own kind of entry.
grant usage on schema public, ctx to fx_bridge;
grant usage, create on schema geo to fx_bridge;
grant usage on schema geo to fx_app;
create policy bridge_wall on public.outbox for insert to fx_bridge with check ("companyId" = (select ctx.company()) and "type" = 'geo.reaction');
grant insert ("companyId", "id", "type", "payload", "runAt") on public.outbox to fx_bridge;
create policy bridge_wall on public.tenant for select to fx_bridge using ("companyId" = (select ctx.company()));
grant select ("companyId", "id", "path", "timeZone") on public.tenant to fx_bridge;
do $$
declare target text;
begin
  foreach target in array array['geo.reaction', 'geo.event', 'geo.device', 'geo.event_io', 'geo.event_action', 'geo.geofence'] loop
    execute format('create policy bridge_wall on %s to fx_bridge using ("companyId" = (select ctx.company())) with check ("companyId" = (select ctx.company()))', target);
  end loop;
end $$;
grant select ("companyId", "id", "deviceId", "eventId", "eventIoId", "eventActionId", "type", "level", "state", "attempts", "nextAt", "reached") on geo.reaction to fx_bridge;
grant update ("state", "result", "reached", "attempts", "endedAt") on geo.reaction to fx_bridge;
grant select on geo.event to fx_bridge;
grant select ("companyId", "id", "name", "tenantId") on geo.device to fx_bridge;
grant select ("companyId", "id", "name") on geo.event_io, geo.geofence to fx_bridge;
grant select ("companyId", "id", "parameters", "isActive", "deletedAt") on geo.event_action to fx_bridge;

-- For the geo service, in the transaction that notes the reactions: gives them to the server's outbox, each at its time.
create function geo.hand_over(reactions uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare handed integer;
begin
  insert into public.outbox ("companyId", "id", "type", "payload", "runAt")
  select r."companyId", uuidv7(), 'geo.reaction', jsonb_build_object('reactionId', r."id"), r."nextAt" from geo.reaction r
  where r."companyId" = ctx.company() and r."id" = any(reactions) and r."state" = 'waiting' and r."type" in ('notify', 'email', 'sms');
  get diagnostics handed = row_count;
  if handed > 0 then perform pg_notify('outbox', ''); end if;
  return handed;
end $$;

-- For the server: all that a reaction tells of; null when it is not there.
create function geo.reaction_facts(reaction uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', r."id", 'type', r."type", 'level', r."level", 'state', r."state", 'attempts', r."attempts", 'dueAt', r."nextAt", 'reached', r."reached",
    'isWanted', a."isActive" and a."deletedAt" is null, 'parameters', a."parameters", 'rule', i."name",
    'device', jsonb_build_object('id', d."id", 'name', d."name"), 'tenantPath', to_jsonb(t."path"),
    'timeZone', (select z."timeZone" from public.tenant z where z."companyId" = t."companyId" and z."id" = any(t."path") and z."timeZone" is not null order by array_position(t."path", z."id") desc limit 1),
    'event', jsonb_build_object('id', e."id", 'type', e."type", 'time', e."eventTime", 'severity', e."severity", 'latitude', e."latitude", 'longitude', e."longitude", 'speed', e."speed",
      'attributes', e."attributes", 'fence', g."name", 'isSuperseded', e."isSuperseded", 'isAcknowledged', e."acknowledgedAt" is not null))
  from geo.reaction r
  join geo.event e on e."companyId" = r."companyId" and e."id" = r."eventId"
  join geo.device d on d."companyId" = r."companyId" and d."id" = r."deviceId"
  join public.tenant t on t."companyId" = d."companyId" and t."id" = d."tenantId"
  join geo.event_action a on a."companyId" = r."companyId" and a."id" = r."eventActionId"
  left join geo.event_io i on i."companyId" = r."companyId" and i."id" = r."eventIoId"
  left join geo.geofence g on g."companyId" = e."companyId" and g."id" = e."geofenceId"
  where r."companyId" = ctx.company() and r."id" = reaction
$$;

-- For the server: what became of a reaction that waited; false when it waits no more, and then nothing may be done for it.
create function geo.note_reaction(reaction uuid, outcome text, words text, tries integer, addresses jsonb) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  update geo.reaction r set "state" = outcome, "result" = left(words, 500), "attempts" = tries, "reached" = addresses,
    "endedAt" = case when outcome = 'waiting' then null else now() end
  where r."companyId" = ctx.company() and r."id" = reaction and r."state" = 'waiting' and r."type" in ('notify', 'email', 'sms');
  return found;
end $$;

revoke all on function geo.hand_over(uuid[]), geo.reaction_facts(uuid), geo.note_reaction(uuid, text, text, integer, jsonb) from public;
grant execute on function geo.hand_over(uuid[]) to fx_geo;
grant execute on function geo.reaction_facts(uuid), geo.note_reaction(uuid, text, text, integer, jsonb) to fx_app;
alter function geo.hand_over(uuid[]) owner to fx_bridge;
alter function geo.reaction_facts(uuid) owner to fx_bridge;
alter function geo.note_reaction(uuid, text, text, integer, jsonb) owner to fx_bridge;
revoke create on schema geo from fx_bridge;
