-- A position took 386 bytes: 152 of them attributes whose names stood in every row, 103 the index, half of whose pages were
-- empty. What nearly every tracker tells has columns of its own now (a column without a value costs nothing), the rest
-- stands in "more", and "attributes" shows both as one when it is read: no row needs another one to be understood.
--
-- A value stands in its column when it is of its kind, else in "more", never in both
-- (apps/geo/src/positions/attributes.ts). Whoever writes rows by hand may put everything into "more".

-- The owner too is held by the walls, and would keep nothing.
alter table geo.position no force row level security;
create temporary table kept on commit drop as select * from geo.position;
truncate geo.position;

alter table geo.position drop constraint position_pkey;
alter table geo.position drop column "attributes";
alter table geo.position
  add column "sat" smallint,
  add column "rssi" smallint,
  add column "batteryLevel" smallint,
  add column "event" smallint,
  add column "ignition" boolean,
  add column "motion" boolean,
  add column "charge" boolean,
  add column "armed" boolean,
  add column "blocked" boolean,
  add column "hdop" numeric,
  add column "pdop" numeric,
  add column "power" numeric,
  add column "battery" numeric,
  add column "odometer" numeric,
  add column "tripOdometer" numeric,
  add column "status" numeric,
  -- Null: nothing more.
  add column "more" jsonb,
  add column "attributes" jsonb generated always as (coalesce("more", '{}') || json_object(
    'sat' value "sat", 'rssi' value "rssi", 'batteryLevel' value "batteryLevel", 'event' value "event",
    'ignition' value "ignition", 'motion' value "motion", 'charge' value "charge", 'armed' value "armed", 'blocked' value "blocked",
    'hdop' value "hdop", 'pdop' value "pdop", 'power' value "power", 'battery' value "battery", 'odometer' value "odometer",
    'tripOdometer' value "tripOdometer", 'status' value "status" absent on null returning jsonb)) virtual;

-- Ids of devices are unique anyway, so the company does not have to stand in the greatest index there is; without this
-- one, two companies with a device of the same id would share its moments.
create unique index device_id on geo.device ("id");
-- Full pages: what is inserted goes into the middle and splits them anyway, and what is packed stays as it is.
alter table geo.position add primary key ("deviceId", "fixTime") with (fillfactor = 100);

create function pg_temp.whole(value jsonb) returns smallint language sql immutable as $$
  select case when jsonb_typeof(value) = 'number' and value::numeric between -32768 and 32767 and value::numeric = trunc(value::numeric) then value::smallint end $$;
create function pg_temp.flag(value jsonb) returns boolean language sql immutable as $$ select case when jsonb_typeof(value) = 'boolean' then value::boolean end $$;
create function pg_temp.number(value jsonb) returns numeric language sql immutable as $$ select case when jsonb_typeof(value) = 'number' then value::numeric end $$;
insert into geo.position ("companyId", "deviceId", "fixTime", "deviceTime", "serverTime", "latitude", "longitude", "altitude", "speed", "course", "accuracy", "isValid",
  "sat", "rssi", "batteryLevel", "event", "ignition", "motion", "charge", "armed", "blocked", "hdop", "pdop", "power", "battery", "odometer", "tripOdometer", "status", "more")
select "companyId", "deviceId", "fixTime", "deviceTime", "serverTime", "latitude", "longitude", "altitude", "speed", "course", "accuracy", "isValid",
  pg_temp.whole(a -> 'sat'), pg_temp.whole(a -> 'rssi'), pg_temp.whole(a -> 'batteryLevel'), pg_temp.whole(a -> 'event'),
  pg_temp.flag(a -> 'ignition'), pg_temp.flag(a -> 'motion'), pg_temp.flag(a -> 'charge'), pg_temp.flag(a -> 'armed'), pg_temp.flag(a -> 'blocked'),
  pg_temp.number(a -> 'hdop'), pg_temp.number(a -> 'pdop'), pg_temp.number(a -> 'power'), pg_temp.number(a -> 'battery'), pg_temp.number(a -> 'odometer'),
  pg_temp.number(a -> 'tripOdometer'), pg_temp.number(a -> 'status'),
  (select jsonb_object_agg(key, value) from jsonb_each(a) where case
    when key in ('sat', 'rssi', 'batteryLevel', 'event') then pg_temp.whole(value) is null
    when key in ('ignition', 'motion', 'charge', 'armed', 'blocked') then pg_temp.flag(value) is null
    when key in ('hdop', 'pdop', 'power', 'battery', 'odometer', 'tripOdometer', 'status') then pg_temp.number(value) is null
    else true end)
from (select *, "attributes" as a from kept) k order by "deviceId", "fixTime";
alter table geo.position force row level security;

-- While a week runs, each device goes on in the middle of the index, whose pages split and stay half empty. What has
-- ended is packed once (apps/geo/src/positions/packing.ts): that may be done by who takes messages in, reading may not.
grant usage on schema parts to fx_ingest;

-- Names, for a statement, of what to pack: weeks that ended before the moment and whose index is a quarter greater than it has to be.
-- What a packing that was cut off has left is cleared away: one packs at a time.
create function geo.loose_weeks(before timestamptz) returns table ("week" text, "index" text)
language plpgsql security definer set search_path = '' set lock_timeout = '3s' as $$
declare
  broken text;
begin
  for broken in select c.relname from pg_catalog.pg_index x join pg_catalog.pg_class c on c.oid = x.indexrelid
    where c.relnamespace = 'parts'::regnamespace and c.relname ~ '^geo_position_.*_cc(new|old)\d*$' and not x.indisvalid
  loop
    execute format('drop index parts.%I', broken);
  end loop;
  return query select format('parts.%I', t.relname), format('parts.%I', c.relname)
    from pg_catalog.pg_inherits i
    join pg_catalog.pg_class t on t.oid = i.inhrelid
    join pg_catalog.pg_index x on x.indrelid = t.oid and x.indisprimary
    join pg_catalog.pg_class c on c.oid = x.indexrelid
    where i.inhparent = 'geo.position'::regclass and t.relname ~ '^geo_position_\d{4}w\d{2}$'
      and to_timestamp(substr(t.relname, 14), 'IYYY"w"IW') + interval '8 days' < before
      -- 38 bytes a row; -1 rows: nobody has counted yet.
      and pg_catalog.pg_relation_size(c.oid) > 262144 + 1.25 * 38 * greatest(t.reltuples, 0)
    order by 1;
end $$;
revoke all on function geo.loose_weeks(timestamptz) from public;
grant execute on function geo.loose_weeks(timestamptz) to fx_ingest;

-- As before; who takes messages in may tend the weeks.
create or replace function geo.ensure_partitions(since timestamptz, until timestamptz) returns integer
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
        execute format('grant maintain on parts.%I to fx_ingest', name);
        made := made + 1;
      exception when check_violation then null;
      end;
    end if;
    week := week + interval '7 days';
  end loop;
  return made;
end $$;
do $$
declare
  week text;
begin
  for week in select c.relname from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid where i.inhparent = 'geo.position'::regclass loop
    execute format('grant maintain on parts.%I to fx_ingest', week);
  end loop;
end $$;

-- The number of a change stands in no index: a row of "latest" is rewritten with every message, and what no index knows
-- of is rewritten in place. Who asks for changes reads the company's rows anyway.
drop index geo.latest_seq_idx;
