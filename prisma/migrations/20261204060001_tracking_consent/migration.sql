-- Phones of people are followed in working time and with their consent alone: who was asked, who gave it, who took it back.
create table "tracking_consent" (
  "companyId" uuid not null,
  "id" uuid not null,
  "userId" uuid not null,
  "tenantId" uuid not null,
  -- Asked | Given | Declined | Withdrawn
  "status" text not null,
  "textVersion" integer not null default 1,
  "askedAt" timestamptz(3),
  "askedByUserId" uuid,
  "answeredAt" timestamptz(3),
  -- Positions of before are not taken either.
  "givenAt" timestamptz(3),
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "tracking_consent_pkey" primary key ("companyId", "id"),
  constraint "tracking_consent_userId_fkey" foreign key ("companyId", "userId") references "app_user" ("companyId", "id") on update restrict on delete cascade,
  constraint "tracking_consent_tenantId_fkey" foreign key ("companyId", "tenantId") references "tenant" ("companyId", "id") on update restrict on delete restrict,
  constraint "tracking_consent_status" check ("status" in ('Asked', 'Given', 'Declined', 'Withdrawn')),
  constraint "tracking_consent_given" check (("status" = 'Given') = ("givenAt" is not null))
);
create unique index "tracking_consent_companyId_userId_key" on "tracking_consent"("companyId", "userId");
create index "tracking_consent_companyId_dateCreated_id_idx" on "tracking_consent"("companyId", "dateCreated" desc, "id");
create index "tracking_consent_companyId_tenantId_idx" on "tracking_consent"("companyId", "tenantId");
-- Of the whole company: a person answers wherever they work. Who sees whose is said by the reach of people.
call ctx.protect('tracking_consent', 'company');

grant select ("companyId", "userId", "status", "givenAt") on "tracking_consent" to fx_search;
grant select ("companyId", "id", "tenantId") on "app_user" to fx_search;
grant select ("companyId", "id", "path", "timeZone", "country") on "tenant" to fx_search;
grant select ("companyId", "id", "tenantId") on "working_calendar" to fx_search;
grant select ("companyId", "calendarId", "weekday", "startsAt", "endsAt") on "working_hours" to fx_search;
grant select ("companyId", "tenantId", "country", "date", "isWorked") on "holiday" to fx_search;
grant select ("companyId", "performedByUserId", "action", "deviceTime", "dateCreated") on "agent_action" to fx_search;
grant select ("entityType") on "user_position" to fx_geo;
grant select ("userId") on geo.device to fx_ingest;
create policy search_wall on "tracking_consent" for select to fx_search using (true);
create policy search_wall on "working_calendar" for select to fx_search using (true);
create policy search_wall on "working_hours" for select to fx_search using (true);
create policy search_wall on "agent_action" for select to fx_search using (true);
create policy search_wall on "holiday" for select to fx_search using (true);

-- Stretches of work of a person that touch a time: the hours of the calendar that holds for their branch, without days off, on the
-- clock of the company, and days that they began themself, for 24 hours at most. The same as rules/calendar/working-time and areas/working-time.
create function ctx.working_spans(company uuid, person uuid, since timestamptz, until timestamptz) returns setof tstzrange
language sql stable security definer set search_path = '' as $$
  with me as materialized (
    select t."path", coalesce(nullif(c."timeZone", ''), 'Africa/Johannesburg') as zone, coalesce(nullif(trim(c."country"), ''), 'ZA') as country
    from public.app_user u join public.tenant t on t."companyId" = u."companyId" and t."id" = u."tenantId"
      join public.tenant c on c."companyId" = u."companyId" and c."id" = u."companyId"
    where u."companyId" = company and u."id" = person
  ), above as materialized (
    select p.id, p.depth from me, unnest(me."path") with ordinality p(id, depth)
  ), calendar as materialized (
    select c."id" from above a join public.working_calendar c on c."companyId" = company and c."tenantId" = a.id order by a.depth desc limit 1
  ), hours as materialized (
    select array_position(array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'], h."weekday") as weekday, h."startsAt", h."endsAt"
    from public.working_hours h where h."companyId" = company and h."calendarId" = (select "id" from calendar)
    union all select n, '08:00', '17:00' from generate_series(1, 5) n where not exists (select from calendar)
  ), off as materialized (
    select distinct on (h."date") h."date", h."isWorked" from me, above a join public.holiday h on h."companyId" = company and h."tenantId" = a.id
    where h."country" = me.country order by h."date", a.depth desc
  ), shift as (
    select tstzrange((d.day + h."startsAt"::time) at time zone me.zone, (d.day + h."endsAt"::time) at time zone me.zone) as span
    from me, lateral (select n::date as day from generate_series((since at time zone me.zone)::date - 1, (until at time zone me.zone)::date, interval '1 day') n) d
      join hours h on h.weekday = extract(isodow from d.day)
    where not exists (select from off where off."date" = d.day and not off."isWorked")
  ), act as (
    select a."action", least(coalesce(a."deviceTime", a."dateCreated"), a."dateCreated") as at from public.agent_action a
    where a."companyId" = company and a."performedByUserId" = person and a."action" <= 1
      and a."dateCreated" > since - interval '1 day' and least(coalesce(a."deviceTime", a."dateCreated"), a."dateCreated") < until
  ), own as (
    -- The place that a day is begun with was read some seconds before.
    select tstzrange(s.at - interval '1 minute', least(s.at + interval '1 day', (select min(e.at) from act e where e."action" = 0 and e.at >= s.at)), '[]') as span from act s where s."action" = 1
  )
  select w.span from (select span from shift union all select span from own) w where w.span && tstzrange(since, until, '[]')
$$;

-- Of moments, those at which a person's phone may be followed: at work, and from when they gave their consent, while it stands.
create function ctx.trackable(company uuid, person uuid, moments timestamptz[]) returns setof timestamptz
language sql stable security definer set search_path = '' as $$
  select m from unnest(moments) m, public.tracking_consent c
  where c."companyId" = company and c."userId" = person and c."status" = 'Given' and m >= c."givenAt"
    and exists (select from ctx.working_spans(company, person, (select min(x) from unnest(moments) x), (select max(x) from unnest(moments) x)) span where span @> m)
$$;
-- The same for a server that works in a company's context: of that company's people alone.
create function ctx.own_trackable(person uuid, moments timestamptz[]) returns setof timestamptz
language sql stable security definer set search_path = '' as $$ select ctx.trackable(ctx.company(), person, moments) $$;
create function ctx.own_working_spans(person uuid, since timestamptz, until timestamptz) returns setof tstzrange
language sql stable security definer set search_path = '' as $$ select ctx.working_spans(ctx.company(), person, since, until) $$;
grant create on schema ctx to fx_search;
revoke all on function ctx.working_spans(uuid, uuid, timestamptz, timestamptz), ctx.trackable(uuid, uuid, timestamptz[]), ctx.own_trackable(uuid, timestamptz[]), ctx.own_working_spans(uuid, timestamptz, timestamptz) from public;
grant execute on function ctx.own_trackable(uuid, timestamptz[]), ctx.own_working_spans(uuid, timestamptz, timestamptz) to fx_app, fx_report, fx_geo;
-- Ingest works for all companies: it says whose phone it writes for.
grant execute on function ctx.trackable(uuid, uuid, timestamptz[]) to fx_ingest;
do $$
declare wall regprocedure;
begin
  foreach wall in array array['ctx.working_spans(uuid, uuid, timestamptz, timestamptz)', 'ctx.trackable(uuid, uuid, timestamptz[])', 'ctx.own_trackable(uuid, timestamptz[])', 'ctx.own_working_spans(uuid, timestamptz, timestamptz)']::regprocedure[] loop
    execute format('alter function %s owner to fx_search', wall);
  end loop;
end $$;
revoke create on schema ctx from fx_search;
