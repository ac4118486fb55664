-- Feeds that people make by call, the Traccar server behind each, and what a company has chosen for itself.

alter table geo.feed
  add column "version" bigint not null default 1,
  add column "dateModified" timestamptz(3) not null default now(),
  add column "deletedAt" timestamptz(3),
  add column "searchText" text generated always as (upper("name")) stored,
  -- Address of the Traccar server, for its REST API; null: it only forwards to us.
  add column "url" text,
  -- The token of its REST API, closed with a key of the master secret.
  add column "sealedToken" bytea,
  -- How much of its past a device brings along when it is first seen.
  add column "historyDays" integer not null default 7,
  -- When it is read next; null without an address.
  add column "nextRunAt" timestamptz(3),
  -- Somebody wants its devices, fences and drivers here; null once that is under way.
  add column "importAskedAt" timestamptz(3),
  -- A process reads it until then, unless it says otherwise.
  add column "leaseUntil" timestamptz(3),
  add constraint feed_history check ("historyDays" between 0 and 1000),
  add constraint feed_access check (("url" is null) = ("sealedToken" is null));
create index feed_name on geo.feed ("companyId", "name", "id") where "deletedAt" is null;
create index feed_due on geo.feed ("companyId", "nextRunAt") where "nextRunAt" is not null and "isActive" and "deletedAt" is null;
-- Which are due, of all companies; the address and token of one are read inside its company alone.
grant select ("deletedAt", "nextRunAt", "leaseUntil"), update ("nextRunAt") on geo.feed to fx_ingest;

-- What a company has chosen; no row: nothing.
create table geo.company_setting (
  "companyId" uuid not null,
  -- Days that positions are kept; null: the installation's, 0: for ever.
  "keepDays" integer,
  -- The same of trips, stops, engine sessions, episodes, visits and events; null and 0: for ever.
  "keepTripDays" integer,
  -- How trips are told: arrival (ours), traccar (its rule before 6.x), traccar6 (its spatial rule).
  "tripRule" text not null default 'arrival',
  -- What the company had changed of Traccar's report.trip.* settings.
  "tripSettings" jsonb not null default '{}',
  "version" bigint not null default 1,
  "dateModified" timestamptz(3) not null default now(),
  primary key ("companyId"),
  constraint company_setting_days check ("keepDays" between 0 and 3660 and "keepTripDays" between 0 and 3660),
  constraint company_setting_rule check ("tripRule" in ('arrival', 'traccar', 'traccar6'))
);
call ctx.protect_geo('geo.company_setting', 'company', 'select, insert, update');
call ctx.open_to_ingest('geo.company_setting', 'select ("companyId", "keepDays", "keepTripDays")');

-- A device may differ from its company.
alter table geo.device
  add column "tripRule" text,
  add constraint device_trip_rule check ("tripRule" in ('arrival', 'traccar', 'traccar6'));
