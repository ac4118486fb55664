-- What apps/geo/src/reckoning keeps beside the rows people look at.

-- The whole row as motion made it: from a stop's the points that follow are read on, whatever came before.
alter table geo.stop add column "memory" jsonb not null default '{}';
-- Its last point, and from when on it is beyond doubt.
alter table geo.stop add column "lastTime" timestamptz(3);
alter table geo.stop add column "certainTime" timestamptz(3);
alter table geo.engine_session add column "memory" jsonb not null default '{}';
alter table geo.episode add column "memory" jsonb not null default '{}';

-- What must be remembered of a device to go on from where the last reckoning ended.
create table geo.device_memory (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  -- Fences: the state now, and states of before that late places are replayed from.
  "now" jsonb not null default '{"last": null, "fences": {}}',
  "snapshots" jsonb not null default '[]',
  -- What its last message told (ignition, alarms, driver), and which that was.
  "messages" jsonb not null default '{"ignition": null, "alarms": [], "driver": null}',
  "messagesTime" timestamptz(3),
  -- When each rule last woke somebody for it, epoch milliseconds.
  "told" jsonb not null default '{}',
  primary key ("companyId", "deviceId"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade
) with (fillfactor = 70);
call ctx.protect_geo('geo.device_memory', 'device');

-- The point that made it certain, or the row it tells of begins at: what is reckoned anew from there replaces it.
alter table geo.event add column "originTime" timestamptz(3);
-- A crossing of a fence as fences reckoned it.
alter table geo.event add column "origin" jsonb;
create index event_origin on geo.event ("companyId", "deviceId", "originTime") where "originTime" is not null;

-- What an event set off by a rule: one row an action, whatever became of it. notify, email and sms wait for the server.
create table geo.reaction (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "deviceId" uuid not null,
  "eventId" uuid not null,
  "eventIoId" uuid not null,
  "eventActionId" uuid not null,
  "type" text not null,
  "state" text not null default 'waiting',
  "attempts" integer not null default 0,
  -- When it is tried next.
  "nextAt" timestamptz(3) not null default now(),
  -- The last answer, or why nobody was told.
  "result" text,
  "dateCreated" timestamptz(3) not null default now(),
  "endedAt" timestamptz(3),
  primary key ("companyId", "id"),
  unique ("companyId", "eventId", "eventActionId"),
  foreign key ("companyId", "eventId") references geo.event ("companyId", "id") on update restrict on delete cascade,
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade,
  foreign key ("companyId", "eventActionId") references geo.event_action ("companyId", "id") on update restrict on delete cascade,
  constraint reaction_state check ("state" in ('waiting', 'done', 'failed', 'silent'))
);
create index reaction_waiting on geo.reaction ("companyId", "type", "nextAt") where "state" = 'waiting';
create index reaction_device on geo.reaction ("companyId", "deviceId");
call ctx.protect_geo('geo.reaction', 'device');
-- Which companies have something to send.
call ctx.open_to_ingest('geo.reaction', 'select ("companyId", "type", "state", "nextAt")');
