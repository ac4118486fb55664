-- The geo service's own schema (apps/geo). Written by hand and without Prisma models: the service reads and writes
-- through SQL alone, positions are partitioned, and models would ask @@schema of every other model of the project.
--
-- fx_geo works inside one company's context, like fx_app does in public. fx_ingest takes what devices send before a
-- company is known (as fx_auth does for people who sign in): it finds a device by its identity and files what it
-- sent under that device's company. A row of "latest" is written with every position, in one transaction, and its
-- foreign key holds company and device together.

create schema geo;
grant usage on schema geo to fx_geo, fx_ingest;
grant usage on schema ctx, public to fx_geo;
grant usage on schema ctx to fx_ingest;

-- wall: 'company' (isolation), 'tenant' (isolation and reach by "tenantId"), 'device' (isolation and reach by the
-- device: who does not see the device does not see what it did).
create procedure ctx.protect_geo(target regclass, wall text, rights text default 'select, insert, update, delete')
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy company_wall on %s to fx_geo using ("companyId" = (select ctx.company())) with check ("companyId" = (select ctx.company()))', target);
  if wall = 'tenant' then
    execute format('create policy scope_wall on %s as restrictive to fx_geo using ((select ctx.has_whole_company()) or "tenantId" = any((select ctx.scope_list())::uuid[])) with check ((select ctx.has_whole_company()) or "tenantId" = any((select ctx.scope_list())::uuid[]))', target);
  elsif wall = 'device' then
    execute format('create policy scope_wall on %s as restrictive to fx_geo using ((select ctx.has_whole_company()) or "deviceId" in (select d."id" from geo.device d where d."companyId" = (select ctx.company()))) with check ((select ctx.has_whole_company()) or "deviceId" in (select d."id" from geo.device d where d."companyId" = (select ctx.company())))', target);
  end if;
  if rights <> '' then execute format('grant %s on %s to fx_geo', rights, target); end if;
end $$;

-- Lets the ways in reach a table across companies.
create procedure ctx.open_to_ingest(target regclass, rights text) language plpgsql as $$
begin
  execute format('create policy ingest_wall on %s to fx_ingest using (true) with check (true)', target);
  execute format('grant %s on %s to fx_ingest', rights, target);
end $$;

create table geo.device (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "tenantId" uuid not null,
  -- IMEI or whatever the device calls itself; of one company only.
  "uniqueId" text not null,
  "name" text not null,
  "type" text not null default 'Primary',
  "protocol" text,
  "make" text,
  "model" text,
  "phone" text,
  "contact" text,
  "category" text,
  -- online, offline, unknown: by its connections and messages, kept by the ways in.
  "status" text not null default 'unknown',
  "statusAt" timestamptz(3),
  -- SHA-256 of the token it must show over HTTP; null asks for none.
  "tokenHash" bytea,
  "disabled" boolean not null default false,
  -- Where messages to the phone go; never shown.
  "pushToken" text,
  -- The person whose phone it is; one code path for vehicles and people.
  "userId" uuid,
  "attributes" jsonb not null default '{}',
  "version" bigint not null default 1,
  "createdUserId" uuid,
  "dateCreated" timestamptz(3) not null default now(),
  "dateModified" timestamptz(3) not null default now(),
  "deletedAt" timestamptz(3),
  "searchText" text generated always as (upper("name" || ' ' || "uniqueId" || ' ' || coalesce("phone", '') || ' ' || coalesce("model", ''))) stored,
  primary key ("companyId", "id"),
  foreign key ("companyId", "tenantId") references public.tenant ("companyId", "id") on update restrict on delete restrict,
  constraint device_status check ("status" in ('online', 'offline', 'unknown')),
  constraint device_unique_id check (length("uniqueId") between 1 and 128)
);
create unique index device_unique on geo.device ("uniqueId") where "deletedAt" is null;
create index device_name on geo.device ("companyId", "name", "id") where "deletedAt" is null;
create index device_tenant on geo.device ("companyId", "tenantId");
create index device_user on geo.device ("companyId", "userId") where "userId" is not null;
call ctx.protect_geo('geo.device', 'tenant');
call ctx.open_to_ingest('geo.device', 'select ("companyId", "id", "uniqueId", "protocol", "model", "tokenHash", "disabled", "status", "attributes", "deletedAt"), update ("protocol", "status", "statusAt", "pushToken")');

-- One row per moment of a device; its name outside is <deviceId>_<epoch milliseconds of fixTime>. Without coordinates: a sign of
-- life with values. km/h, metres, degrees.
create table geo.position (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  "fixTime" timestamptz(3) not null,
  -- Null: the same as fixTime.
  "deviceTime" timestamptz(3),
  "serverTime" timestamptz(3) not null default now(),
  "latitude" double precision,
  "longitude" double precision,
  "altitude" real,
  "speed" real,
  "course" real,
  "accuracy" real,
  "isValid" boolean not null,
  "attributes" jsonb not null default '{}',
  primary key ("companyId", "deviceId", "fixTime"),
  constraint position_place check (("latitude" is null) = ("longitude" is null) and "latitude" between -90 and 90 and "longitude" between -180 and 180)
) partition by range ("fixTime");
-- Whatever the weeks do not hold; they live where no role but the owner may enter (see parts.user_position_*).
create table parts.geo_position_other partition of geo.position default;
call ctx.protect_geo('geo.position', 'device', 'select, delete');
call ctx.open_to_ingest('geo.position', 'select, insert, update');

-- Makes the weeks (from Monday, UTC) between two moments; a week that the default partition already holds rows of is
-- left to it. Returns how many were made.
create function geo.ensure_partitions(since timestamptz, until timestamptz) returns integer
language plpgsql security definer set search_path = '' set lock_timeout = '3s' as $$
declare
  week timestamptz := date_trunc('week', since at time zone 'UTC') at time zone 'UTC';
  name text;
  made integer := 0;
begin
  while week <= until loop
    name := 'geo_position_' || to_char(week at time zone 'UTC', 'IYYY"w"IW');
    if to_regclass('parts.' || name) is null then
      begin
        execute format('create table parts.%I partition of geo.position for values from (%L) to (%L)', name, week, week + interval '7 days');
        made := made + 1;
      exception when check_violation then null;
      end;
    end if;
    week := week + interval '7 days';
  end loop;
  return made;
end $$;

-- Forgets whole weeks that ended before the moment. Returns how many.
create function geo.drop_partitions(before timestamptz) returns integer
language plpgsql security definer set search_path = '' set lock_timeout = '3s' as $$
declare
  name text;
  dropped integer := 0;
begin
  for name in select c.relname from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'geo.position'::regclass and c.relname ~ '^geo_position_\d{4}w\d{2}$'
      and to_timestamp(substr(c.relname, 14), 'IYYY"w"IW') + interval '8 days' < before
  loop
    execute format('drop table parts.%I', name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke all on function geo.ensure_partitions(timestamptz, timestamptz), geo.drop_partitions(timestamptz) from public;
grant execute on function geo.ensure_partitions(timestamptz, timestamptz), geo.drop_partitions(timestamptz) to fx_ingest;
select geo.ensure_partitions(now() - interval '5 weeks', now() + interval '8 weeks');

-- Two messages of one moment become one, whichever comes first: alarms are united, of other contradictions the
-- greater value stays (an order that does not depend on the arrival).
create function geo.merge_attributes(a jsonb, b jsonb) returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select case when a @> b then a else (
    select jsonb_object_agg(coalesce(x.key, y.key), case
      when x.value is null then y.value
      when y.value is null or x.value = y.value then x.value
      when x.key = 'alarm' and jsonb_typeof(x.value) = 'string' and jsonb_typeof(y.value) = 'string' then to_jsonb((
        select string_agg(distinct name, ',' order by name) from unnest(string_to_array((x.value #>> '{}') || ',' || (y.value #>> '{}'), ',')) name))
      else greatest(x.value, y.value) end)
    from jsonb_each(a) x full join jsonb_each(b) y on y.key = x.key
  ) end
$$;

-- The newest of each device, what it last said of itself, and the order of changes for who follows along.
create sequence geo.latest_seq;
grant usage, select on sequence geo.latest_seq to fx_ingest, fx_geo;
create table geo.latest (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  -- Null until it has sent a place.
  "fixTime" timestamptz(3),
  "deviceTime" timestamptz(3),
  "latitude" double precision,
  "longitude" double precision,
  "altitude" real,
  "speed" real,
  "course" real,
  "accuracy" real,
  "isValid" boolean not null default false,
  -- Of the newest position.
  "attributes" jsonb not null default '{}',
  -- Every attribute's newest value, heartbeats included, and when that was.
  "state" jsonb not null default '{}',
  "stateTime" timestamptz(3),
  -- The last sign of life.
  "serverTime" timestamptz(3) not null default now(),
  "seq" bigint not null default nextval('geo.latest_seq'),
  primary key ("companyId", "deviceId"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade
) with (fillfactor = 60);
create index latest_seq_idx on geo.latest ("companyId", "seq");
call ctx.protect_geo('geo.latest', 'device', 'select');
call ctx.open_to_ingest('geo.latest', 'select, insert, update');

-- What must be reckoned again (trips, stops, engine, fences): written with the positions, so that nothing is forgotten.
create table geo.dirty (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  "since" timestamptz(3) not null,
  "until" timestamptz(3) not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default now(),
  primary key ("companyId", "deviceId"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade
) with (fillfactor = 60);
call ctx.protect_geo('geo.dirty', 'device');
call ctx.open_to_ingest('geo.dirty', 'select, insert, update');

create table geo.device_health (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  "lastFrameAt" timestamptz(3),
  "lastFixAt" timestamptz(3),
  "frames" bigint not null default 0,
  "fixes" bigint not null default 0,
  -- Refused positions (0/0, 999, of the future).
  "refused" bigint not null default 0,
  -- Bad frames by reason: {"crc": 3}.
  "bad" jsonb not null default '{}',
  "logins" bigint not null default 0,
  -- A second socket came with the same identity.
  "conflicts" bigint not null default 0,
  "lastConflictAt" timestamptz(3),
  -- Fixes that came more than 15 min late.
  "buffered" bigint not null default 0,
  "clockSkewMs" bigint,
  "lastRemote" text,
  "dateModified" timestamptz(3) not null default now(),
  primary key ("companyId", "deviceId"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade
) with (fillfactor = 60);
call ctx.protect_geo('geo.device_health', 'device', 'select');
call ctx.open_to_ingest('geo.device_health', 'select, insert, update');

-- Frames that were not understood, of devices we know; the newest 50 of each are kept.
create table geo.quarantine (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "deviceId" uuid not null,
  "protocol" text not null,
  "reason" text not null,
  "detail" text not null default '',
  "remote" text,
  "bytes" bytea not null,
  "dateCreated" timestamptz(3) not null default now(),
  primary key ("companyId", "id"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade
);
create index quarantine_device on geo.quarantine ("companyId", "deviceId", "id");
call ctx.protect_geo('geo.quarantine', 'device', 'select, delete');
call ctx.open_to_ingest('geo.quarantine', 'select, insert, delete');

-- Who knocked and is not known. Nobody's until a company names the identity: a list of all would let one company take
-- another's trackers, so fx_geo sees those of its own ways in, and asks for any other by its exact name.
create table geo.unlinked (
  "uniqueId" text not null primary key,
  "companyId" uuid,
  "protocol" text not null,
  "remote" text,
  -- What a feed told of it: name, model, phone.
  "words" jsonb not null default '{}',
  "attempts" bigint not null default 1,
  "firstSeen" timestamptz(3) not null default now(),
  "lastSeen" timestamptz(3) not null default now()
);
create index unlinked_seen on geo.unlinked ("lastSeen");
call ctx.protect_geo('geo.unlinked', 'company', 'select');
call ctx.open_to_ingest('geo.unlinked', 'select, insert, update, delete');
grant create on schema geo to fx_search;
grant usage on schema geo to fx_search;
grant select on geo.unlinked to fx_search;
create policy search_wall on geo.unlinked for select to fx_search using (true);
create function geo.unlinked_named(unique_id text) returns setof geo.unlinked
language sql stable security definer set search_path = '' as 'select * from geo.unlinked u where u."uniqueId" = unique_id';
revoke all on function geo.unlinked_named(text) from public;
grant execute on function geo.unlinked_named(text) to fx_geo;
alter function geo.unlinked_named(text) owner to fx_search;
revoke create on schema geo from fx_search;

-- Senders that speak for many devices of a company (Traccar's forwarding, a batch client), each with a token.
create table geo.feed (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "tenantId" uuid not null,
  "name" text not null,
  -- SHA-256
  "tokenHash" bytea not null,
  "isActive" boolean not null default true,
  "createdUserId" uuid,
  "dateCreated" timestamptz(3) not null default now(),
  primary key ("companyId", "id"),
  foreign key ("companyId", "tenantId") references public.tenant ("companyId", "id") on update restrict on delete restrict
);
create unique index feed_token on geo.feed ("tokenHash");
call ctx.protect_geo('geo.feed', 'tenant');
call ctx.open_to_ingest('geo.feed', 'select ("companyId", "id", "tokenHash", "isActive")');

create table geo.driver (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "tenantId" uuid not null,
  "name" text not null,
  -- iButton, RFID or card.
  "uniqueId" text,
  "userId" uuid,
  "phone" text,
  "licence" text,
  "licenceExpires" date,
  "attributes" jsonb not null default '{}',
  "version" bigint not null default 1,
  "createdUserId" uuid,
  "dateCreated" timestamptz(3) not null default now(),
  "dateModified" timestamptz(3) not null default now(),
  "deletedAt" timestamptz(3),
  "searchText" text generated always as (upper("name" || ' ' || coalesce("uniqueId", '') || ' ' || coalesce("phone", ''))) stored,
  primary key ("companyId", "id"),
  foreign key ("companyId", "tenantId") references public.tenant ("companyId", "id") on update restrict on delete restrict
);
create unique index driver_unique on geo.driver ("companyId", "uniqueId") where "deletedAt" is null;
create index driver_name on geo.driver ("companyId", "name", "id") where "deletedAt" is null;
call ctx.protect_geo('geo.driver', 'tenant');

-- Stored sums of apps/geo/src/motion; named like positions, by device and first fix. Rebuilt for a window at a time.
create table geo.trip (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  "startTime" timestamptz(3) not null,
  -- Null: still under way.
  "endTime" timestamptz(3),
  "startLatitude" double precision not null,
  "startLongitude" double precision not null,
  "endLatitude" double precision,
  "endLongitude" double precision,
  "metres" double precision not null default 0,
  -- Straight legs over holes without data, counted apart.
  "gapMetres" double precision not null default 0,
  "movingSeconds" integer not null default 0,
  "idleSeconds" integer not null default 0,
  "averageSpeed" real,
  "maxSpeed" real,
  "startOdometer" double precision,
  "endOdometer" double precision,
  "fuelUsed" real,
  "points" integer not null default 0,
  -- 0 to 1
  "quality" real,
  "startReason" text,
  "endReason" text,
  "explain" jsonb not null default '{}',
  -- Encoded polyline, five digits.
  "path" text not null default '',
  "driverId" uuid,
  "assetId" uuid,
  primary key ("companyId", "deviceId", "startTime"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade
);
create index trip_time on geo.trip ("companyId", "startTime");
call ctx.protect_geo('geo.trip', 'device');

create table geo.stop (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  "startTime" timestamptz(3) not null,
  "endTime" timestamptz(3),
  "kind" text not null,
  "latitude" double precision not null,
  "longitude" double precision not null,
  "ignitionSeconds" integer not null default 0,
  "points" integer not null default 0,
  "explain" jsonb not null default '{}',
  "assetId" uuid,
  primary key ("companyId", "deviceId", "startTime"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade
);
create index stop_time on geo.stop ("companyId", "startTime");
call ctx.protect_geo('geo.stop', 'device');

create table geo.engine_session (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  "startTime" timestamptz(3) not null,
  "endTime" timestamptz(3),
  -- ignition, voltage or motion
  "source" text not null,
  "seconds" integer not null default 0,
  "movingSeconds" integer not null default 0,
  "idleSeconds" integer not null default 0,
  "metres" double precision not null default 0,
  "assetId" uuid,
  primary key ("companyId", "deviceId", "startTime"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade
);
create index engine_session_time on geo.engine_session ("companyId", "startTime");
call ctx.protect_geo('geo.engine_session', 'device');

-- Stretches of a device's time: overspeed, idle, gap.
create table geo.episode (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  "kind" text not null,
  "startTime" timestamptz(3) not null,
  "endTime" timestamptz(3),
  "latitude" double precision,
  "longitude" double precision,
  "maxSpeed" real,
  "speedLimit" real,
  "metres" double precision,
  "attributes" jsonb not null default '{}',
  primary key ("companyId", "deviceId", "kind", "startTime"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade
);
create index episode_time on geo.episode ("companyId", "startTime");
call ctx.protect_geo('geo.episode', 'device');

create table geo.geofence (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "tenantId" uuid not null,
  -- geofence or poi
  "type" text not null default 'geofence',
  -- circle, polygon, route
  "shape" text not null,
  "name" text not null,
  "description" text,
  -- GeoJSON geometry: Point (circle), Polygon, LineString (route).
  "area" jsonb not null,
  -- Metres: of a circle, or half the width of a route.
  "radius" double precision,
  "colour" text,
  "speedLimit" real,
  "enterDelay" integer not null default 0,
  "exitDelay" integer not null default 0,
  "calendar" jsonb,
  "tags" text[] not null default '{}',
  "isActive" boolean not null default true,
  "attributes" jsonb not null default '{}',
  "version" bigint not null default 1,
  "createdUserId" uuid,
  "dateCreated" timestamptz(3) not null default now(),
  "dateModified" timestamptz(3) not null default now(),
  "deletedAt" timestamptz(3),
  "searchText" text generated always as (upper("name" || ' ' || coalesce("description", ''))) stored,
  primary key ("companyId", "id"),
  foreign key ("companyId", "tenantId") references public.tenant ("companyId", "id") on update restrict on delete restrict,
  constraint geofence_type check ("type" in ('geofence', 'poi')),
  constraint geofence_shape check ("shape" in ('circle', 'polygon', 'route')),
  constraint geofence_delays check ("enterDelay" between 0 and 600 and "exitDelay" between 0 and 600)
);
create index geofence_name on geo.geofence ("companyId", "name", "id") where "deletedAt" is null;
create index geofence_modified on geo.geofence ("companyId", "dateModified");
call ctx.protect_geo('geo.geofence', 'tenant');

-- The specification's permission: this device is watched at this fence.
create table geo.geofence_link (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "deviceId" uuid not null,
  "geofenceId" uuid not null,
  "createdUserId" uuid,
  "dateCreated" timestamptz(3) not null default now(),
  primary key ("companyId", "id"),
  unique ("companyId", "deviceId", "geofenceId"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade,
  foreign key ("companyId", "geofenceId") references geo.geofence ("companyId", "id") on update restrict on delete cascade
);
create index geofence_link_fence on geo.geofence_link ("companyId", "geofenceId");
call ctx.protect_geo('geo.geofence_link', 'device');

create table geo.fence_state (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  "geofenceId" uuid not null,
  "state" text not null,
  "since" timestamptz(3),
  -- The point it was reckoned to.
  "asOf" timestamptz(3) not null,
  "isStale" boolean not null default false,
  -- What the state machine must remember to go on.
  "snapshot" jsonb not null default '{}',
  primary key ("companyId", "deviceId", "geofenceId"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade,
  foreign key ("companyId", "geofenceId") references geo.geofence ("companyId", "id") on update restrict on delete cascade,
  constraint fence_state_known check ("state" in ('outside', 'entering', 'inside', 'leaving'))
) with (fillfactor = 60);
create index fence_state_fence on geo.fence_state ("companyId", "geofenceId");
call ctx.protect_geo('geo.fence_state', 'device');

create table geo.visit (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  "geofenceId" uuid not null,
  "enterTime" timestamptz(3) not null,
  "exitTime" timestamptz(3),
  -- visit, or crossed: passed through between two points.
  "kind" text not null default 'visit',
  "enterLatitude" double precision,
  "enterLongitude" double precision,
  "exitLatitude" double precision,
  "exitLongitude" double precision,
  "isLate" boolean not null default false,
  "attributes" jsonb not null default '{}',
  primary key ("companyId", "deviceId", "geofenceId", "enterTime"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade,
  foreign key ("companyId", "geofenceId") references geo.geofence ("companyId", "id") on update restrict on delete cascade
);
create index visit_fence on geo.visit ("companyId", "geofenceId", "enterTime");
create index visit_time on geo.visit ("companyId", "enterTime");
call ctx.protect_geo('geo.visit', 'device');

-- A rule: what must happen for an event to count.
create table geo.event_io (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "tenantId" uuid not null,
  "name" text not null,
  -- Type of event (geofenceEnter, alarm, ignitionOn ...).
  "type" text not null,
  "conditions" jsonb not null default '[]',
  "severity" text not null default 'info',
  "cooldownSeconds" integer not null default 0,
  -- Time window in the tenant's zone; null always.
  "calendar" jsonb,
  "isActive" boolean not null default true,
  "attributes" jsonb not null default '{}',
  "version" bigint not null default 1,
  "createdUserId" uuid,
  "dateCreated" timestamptz(3) not null default now(),
  "dateModified" timestamptz(3) not null default now(),
  "deletedAt" timestamptz(3),
  "searchText" text generated always as (upper("name" || ' ' || "type")) stored,
  primary key ("companyId", "id"),
  foreign key ("companyId", "tenantId") references public.tenant ("companyId", "id") on update restrict on delete restrict,
  constraint event_io_severity check ("severity" in ('info', 'warning', 'critical')),
  constraint event_io_cooldown check ("cooldownSeconds" >= 0)
);
create index event_io_name on geo.event_io ("companyId", "name", "id") where "deletedAt" is null;
call ctx.protect_geo('geo.event_io', 'tenant');

-- What follows when a rule counts an event.
create table geo.event_action (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "tenantId" uuid not null,
  "eventIoId" uuid,
  "name" text not null,
  -- notify, email, sms, webhook, command
  "type" text not null,
  "parameters" jsonb not null default '{}',
  "isActive" boolean not null default true,
  "attributes" jsonb not null default '{}',
  "version" bigint not null default 1,
  "createdUserId" uuid,
  "dateCreated" timestamptz(3) not null default now(),
  "dateModified" timestamptz(3) not null default now(),
  "deletedAt" timestamptz(3),
  "searchText" text generated always as (upper("name" || ' ' || "type")) stored,
  primary key ("companyId", "id"),
  foreign key ("companyId", "tenantId") references public.tenant ("companyId", "id") on update restrict on delete restrict,
  foreign key ("companyId", "eventIoId") references geo.event_io ("companyId", "id") on update restrict on delete cascade
);
create index event_action_rule on geo.event_action ("companyId", "eventIoId");
create index event_action_name on geo.event_action ("companyId", "name", "id") where "deletedAt" is null;
call ctx.protect_geo('geo.event_action', 'tenant');

create table geo.event (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "deviceId" uuid not null,
  "type" text not null,
  "eventTime" timestamptz(3) not null,
  -- Tells two events of one type and moment apart: the fence, the alarm's name; '' when there is nothing to tell.
  "key" text not null default '',
  "serverTime" timestamptz(3) not null default now(),
  "latitude" double precision,
  "longitude" double precision,
  "speed" real,
  "geofenceId" uuid,
  "eventIoId" uuid,
  "driverId" uuid,
  "assetId" uuid,
  "severity" text not null default 'info',
  "attributes" jsonb not null default '{}',
  "isLate" boolean not null default false,
  -- A later point showed that it was none.
  "isSuperseded" boolean not null default false,
  "acknowledgedBy" uuid,
  "acknowledgedAt" timestamptz(3),
  "note" text,
  -- Of a crash: NEW, APPROVED, REJECTED.
  "status" text,
  primary key ("companyId", "id"),
  unique ("companyId", "deviceId", "eventTime", "type", "key"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade
);
create index event_time on geo.event ("companyId", "eventTime" desc, "id");
create index event_type on geo.event ("companyId", "type", "eventTime" desc);
call ctx.protect_geo('geo.event', 'device');
-- Events that a feed forwards.
call ctx.open_to_ingest('geo.event', 'select ("companyId", "deviceId", "eventTime", "type", "key"), insert');

-- Commands kept for reuse.
create table geo.saved_command (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "tenantId" uuid not null,
  "name" text not null,
  "type" text not null,
  "parameters" jsonb not null default '{}',
  "attributes" jsonb not null default '{}',
  "version" bigint not null default 1,
  "createdUserId" uuid,
  "dateCreated" timestamptz(3) not null default now(),
  "dateModified" timestamptz(3) not null default now(),
  "deletedAt" timestamptz(3),
  "searchText" text generated always as (upper("name" || ' ' || "type")) stored,
  primary key ("companyId", "id"),
  foreign key ("companyId", "tenantId") references public.tenant ("companyId", "id") on update restrict on delete restrict
);
create index saved_command_name on geo.saved_command ("companyId", "name", "id") where "deletedAt" is null;
call ctx.protect_geo('geo.saved_command', 'tenant');

-- Commands sent or waiting: queued, sent, acked, then done, failed, expired or cancelled.
create table geo.command (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "deviceId" uuid not null,
  "type" text not null,
  "parameters" jsonb not null default '{}',
  "state" text not null default 'queued',
  -- What the protocol repeats in its answer.
  "correlation" bigint generated always as identity,
  "reason" text,
  "answer" text,
  "attempts" integer not null default 0,
  "createdUserId" uuid,
  "approvedUserId" uuid,
  "expiresAt" timestamptz(3) not null default now() + interval '15 minutes',
  "dateCreated" timestamptz(3) not null default now(),
  "sentAt" timestamptz(3),
  "endedAt" timestamptz(3),
  primary key ("companyId", "id"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade,
  constraint command_state check ("state" in ('queued', 'sent', 'acked', 'done', 'failed', 'expired', 'cancelled'))
);
create index command_open on geo.command ("companyId", "deviceId", "id") where "state" in ('queued', 'sent', 'acked');
create index command_time on geo.command ("companyId", "dateCreated");
call ctx.protect_geo('geo.command', 'device', 'select, insert, update');
call ctx.open_to_ingest('geo.command', 'select, update ("state", "answer", "attempts", "sentAt", "endedAt", "reason")');

-- Which asset a device was on, and when; trips keep the asset of their time.
create table geo.device_asset (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "deviceId" uuid not null,
  "assetId" uuid not null,
  "since" timestamptz(3) not null default now(),
  -- Null: until now.
  "until" timestamptz(3),
  "changedBy" uuid,
  "dateCreated" timestamptz(3) not null default now(),
  primary key ("companyId", "id"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade,
  constraint device_asset_order check ("until" is null or "until" > "since"),
  constraint device_asset_once exclude using gist ("companyId" with =, "deviceId" with =, tstzrange("since", "until") with &&)
);
create index device_asset_asset on geo.device_asset ("companyId", "assetId", "since");
call ctx.protect_geo('geo.device_asset', 'device');

-- Addresses by cell of some 11 m.
create table geo.geocode_cache (
  "companyId" uuid not null,
  "cell" text not null,
  "address" text not null,
  "source" text not null,
  "placeId" text,
  "metres" real,
  "dateCreated" timestamptz(3) not null default now(),
  primary key ("companyId", "cell")
);
call ctx.protect_geo('geo.geocode_cache', 'company');

-- How far an import or a repair of gaps has come.
create table geo.import_cursor (
  "companyId" uuid not null,
  "source" text not null,
  "cursor" jsonb not null default '{}',
  "dateModified" timestamptz(3) not null default now(),
  primary key ("companyId", "source")
);
call ctx.protect_geo('geo.import_cursor', 'company');

-- The zone of a company's days, and the tree for names.
create policy geo_wall on public.tenant for select to fx_geo using ("companyId" = (select ctx.company()));
grant select ("companyId", "id", "parentId", "type", "name", "timeZone", "path") on public.tenant to fx_geo;
