-- What apps/geo reckons of drivers, assets, connections, hours of fences, and readings set by hand.

-- The key (iButton, RFID, card) that was last told up to the trip's end; the driver who has it is "driverId".
alter table geo.trip add column "driverKey" text;
create index trip_driver_key on geo.trip ("companyId", "driverKey") where "driverKey" is not null;

-- Whose a key was, and when: a key that is handed on leaves past trips with who drove them. Kept by the trigger below.
create table geo.driver_key (
  "companyId" uuid not null,
  "driverKey" text not null,
  -- The first who has a key is known by it since ever.
  "since" timestamptz(3) not null,
  "until" timestamptz(3),
  "driverId" uuid not null,
  primary key ("companyId", "driverKey", "since"),
  foreign key ("companyId", "driverId") references geo.driver ("companyId", "id") on update restrict on delete cascade
);
create index driver_key_driver on geo.driver_key ("companyId", "driverId");
insert into geo.driver_key ("companyId", "driverKey", "since", "driverId") select "companyId", "uniqueId", '-infinity', "id" from geo.driver where "uniqueId" is not null and "deletedAt" is null;
call ctx.protect_geo('geo.driver_key', 'company', 'select, insert, update');

create function geo.hand_over_key() returns trigger language plpgsql set search_path = '' as $$
declare
  had text := case when tg_op = 'UPDATE' and old."deletedAt" is null then old."uniqueId" end;
  has text := case when new."deletedAt" is null then new."uniqueId" end;
begin
  if had is not distinct from has then return null; end if;
  update geo.driver_key set "until" = clock_timestamp() where "companyId" = new."companyId" and "driverKey" = had and "driverId" = new."id" and "until" is null;
  if has is null then return null; end if;
  insert into geo.driver_key ("companyId", "driverKey", "since", "driverId")
  select new."companyId", has, case when exists (select from geo.driver_key k where k."companyId" = new."companyId" and k."driverKey" = has) then clock_timestamp() else '-infinity' end, new."id"
  on conflict ("companyId", "driverKey", "since") do update set "driverId" = excluded."driverId", "until" = null;
  -- Who is written down later drove before: the trips that told the key are reckoned anew.
  insert into geo.dirty ("companyId", "deviceId", "since", "until")
  select t."companyId", t."deviceId", min(t."startTime"), max(t."startTime") from geo.trip t where t."companyId" = new."companyId" and t."driverKey" = has group by 1, 2 order by 1, 2
  on conflict ("companyId", "deviceId") do update set "since" = least(dirty."since", excluded."since"), "until" = greatest(dirty."until", excluded."until"), "version" = dirty."version" + 1;
  return null;
end $$;
create trigger hand_over_key after insert or update of "uniqueId", "deletedAt" on geo.driver for each row execute function geo.hand_over_key();

-- Of rules of the types geofenceNotInside and geofenceNotOutside: the days and the time of day at which is looked.
alter table geo.event_io add column "schedule" jsonb;
call ctx.open_to_ingest('geo.event_io', 'select ("companyId", "schedule", "isActive", "deletedAt")');

-- Readings that somebody set: the sum at a moment, and what the device's own counter stood at then. Metres, seconds.
alter table geo.device add column "odometerBase" double precision;
alter table geo.device add column "odometerSince" timestamptz(3);
alter table geo.device add column "odometerCounter" double precision;
alter table geo.device add column "engineBase" double precision;
alter table geo.device add column "engineSince" timestamptz(3);
alter table geo.device add constraint device_bases check (("odometerBase" is null) = ("odometerSince" is null) and ("engineBase" is null) = ("engineSince" is null) and "odometerBase" >= 0 and "engineBase" >= 0);

-- Whether a device is heard of, as it was last told; the lines' own state stands in geo.device.
create table geo.presence (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  "connection" text not null,
  -- Its sign of life that the state goes by.
  "lastSeen" timestamptz(3) not null,
  -- The end of the last silence that was told as inactivity.
  "inactiveAt" timestamptz(3),
  primary key ("companyId", "deviceId"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade,
  constraint presence_connection check ("connection" in ('online', 'unknown', 'offline'))
) with (fillfactor = 60);
call ctx.protect_geo('geo.presence', 'device');
call ctx.open_to_ingest('geo.presence', 'select');

-- A state at a fence grows stale by time alone.
create index fence_state_fresh on geo.fence_state ("companyId", "asOf") where not "isStale";
call ctx.open_to_ingest('geo.fence_state', 'select ("asOf", "isStale"), update ("isStale")');

-- A trip belongs to the asset that the device was on when it began, also when somebody corrects that later.
create function geo.follow_asset() returns trigger language plpgsql set search_path = '' as $$
declare
  device record;
  target text;
begin
  for device in select c, d, min(s) as since from (values (new."companyId", new."deviceId", new."since"), (old."companyId", old."deviceId", old."since")) v(c, d, s) where d is not null group by c, d loop
    foreach target in array array['trip', 'stop', 'engine_session'] loop
      execute format('update geo.%I t set "assetId" = n."assetId" from (
        select x."startTime", (select a."assetId" from geo.device_asset a where a."companyId" = $1 and a."deviceId" = $2 and a."since" <= x."startTime" and (a."until" is null or a."until" > x."startTime")) as "assetId"
        from geo.%I x where x."companyId" = $1 and x."deviceId" = $2 and x."startTime" >= $3) n
        where t."companyId" = $1 and t."deviceId" = $2 and t."startTime" = n."startTime" and t."assetId" is distinct from n."assetId"', target, target)
      using device.c, device.d, device.since;
    end loop;
  end loop;
  return null;
end $$;
create trigger follow_asset after insert or update or delete on geo.device_asset for each row execute function geo.follow_asset();
