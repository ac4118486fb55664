-- When a company works: the hours of each day, of a branch or a team too where it has its own, and its days off.
create table "working_calendar" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "working_calendar_pkey" primary key ("companyId", "id"),
  constraint "working_calendar_companyId_tenantId_fkey" foreign key ("companyId", "tenantId") references "tenant" ("companyId", "id") on delete cascade on update restrict
);
create unique index "working_calendar_companyId_tenantId_key" on "working_calendar"("companyId", "tenantId");

create table "working_hours" (
  "companyId" uuid not null,
  "id" uuid not null,
  "calendarId" uuid not null,
  "position" integer not null,
  "weekday" text not null,
  "startsAt" text not null,
  "endsAt" text not null,
  constraint "working_hours_pkey" primary key ("companyId", "id"),
  constraint "working_hours_companyId_calendarId_fkey" foreign key ("companyId", "calendarId") references "working_calendar" ("companyId", "id") on delete cascade on update restrict,
  constraint "working_hours_weekday" check ("weekday" in ('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday')),
  constraint "working_hours_span" check ("startsAt" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and "endsAt" ~ '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$' and "startsAt" < "endsAt")
);
create index "working_hours_companyId_calendarId_position_idx" on "working_hours"("companyId", "calendarId", "position");

-- The weeks that companies chose keep their days; hours are those of an office.
insert into working_calendar ("companyId", "id", "tenantId")
  select w."companyId", uuidv7(), w."companyId" from working_week w where exists (select 1 from tenant t where t."companyId" = w."companyId" and t."id" = w."companyId");
insert into working_hours ("companyId", "id", "calendarId", "position", "weekday", "startsAt", "endsAt")
  select c."companyId", uuidv7(), c."id", d.place, (array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])[d.day], '08:00', '17:00'
  from working_calendar c join working_week w on w."companyId" = c."companyId" cross join lateral unnest(w."days") with ordinality d(day, place);
drop table working_week;

-- A day off may be of a branch alone, and a branch may work on one of the company's.
alter table "holiday" add column "tenantId" uuid, add column "isWorked" boolean not null default false, add column "version" bigint not null default 1,
  add column "dateModified" timestamptz(3) not null default current_timestamp;
update holiday set "tenantId" = "companyId";
alter table "holiday" alter column "tenantId" set not null,
  add constraint "holiday_companyId_tenantId_fkey" foreign key ("companyId", "tenantId") references "tenant" ("companyId", "id") on delete cascade on update restrict;
drop index "holiday_companyId_country_date_key";
create unique index "holiday_companyId_tenantId_country_date_key" on "holiday"("companyId", "tenantId", "country", "date");

call ctx.protect('working_calendar', 'company');
call ctx.protect('working_hours', 'company');
