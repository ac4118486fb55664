-- The work wall: what a person's phone reported outside working time is nobody's to see, at whatever door. What comes in is cut by ctx.trackable; what an
-- older Outpost kept, or a change of the calendar left outside, stays hidden by these policies. Whose phone it is now decides.
grant select ("companyId", "id", "userId") on geo.device to fx_search;
create policy search_wall on geo.device for select to fx_search using (true);
grant create on schema ctx to fx_search;

create function ctx.phones() returns setof uuid language sql stable security definer set search_path = '' as $$
  select d."id" from geo.device d where d."companyId" = ctx.company() and d."userId" is not null
$$;

-- True when a phone's stretch of time lies in one stretch of work of its person. Stretches are sought once a week of a phone and
-- kept for the transaction: a day of a phone has thousands of rows.
create function ctx.phone_at_work(device uuid, since timestamptz, until timestamptz) returns boolean language plpgsql volatile security definer set search_path = '' as $$
declare
  week constant timestamptz = pg_catalog.date_trunc('week', since, 'UTC');
  key constant text = pg_catalog.concat(ctx.company(), ' ', device, ' ', week, '|');
  slot constant text = 'at_work.s' || (pg_catalog.abs(pg_catalog.hashtext(key)::bigint) % 64);
  kept constant text = pg_catalog.current_setting(slot, true);
  spans tstzmultirange;
begin
  if pg_catalog.starts_with(kept, key) then
    spans = pg_catalog.substr(kept, pg_catalog.length(key) + 1);
  else
    select pg_catalog.range_agg(s) into spans from geo.device d, ctx.working_spans(d."companyId", d."userId", week - interval '1 day', week + interval '8 days') s
      where d."companyId" = ctx.company() and d."id" = device;
    spans = coalesce(spans, '{}');
    -- Its owner may not call set_config.
    execute pg_catalog.format('set local %s = %L', slot, key || spans::text);
  end if;
  return spans @> pg_catalog.tstzrange(since, greatest(since, until), '[]');
end $$;

do $$
declare wall regprocedure;
begin
  foreach wall in array array['ctx.phones()', 'ctx.phone_at_work(uuid, timestamptz, timestamptz)']::regprocedure[] loop
    execute format('revoke all on function %s from public', wall);
    execute format('grant execute on function %s to fx_geo, fx_search', wall);
    execute format('alter function %s owner to fx_search', wall);
  end loop;
end $$;
revoke create on schema ctx from fx_search;

-- The newest place is what sockets tell, which the program reads for all: hidden from it too.
create policy work_wall on geo.latest as restrictive for select to fx_geo
  using ("fixTime" is null or "deviceId" not in (select ctx.phones()) or ctx.phone_at_work("deviceId", "fixTime", "fixTime"));
-- The program itself processes and forgets what it does not show. A way or a stay that work does not hold whole is not shown.
do $$
declare one record;
begin
  for one in select * from (values ('position', 'fixTime', 'fixTime'), ('event', 'eventTime', 'eventTime'), ('trip', 'startTime', 'endTime'), ('stop', 'startTime', 'endTime'),
    ('engine_session', 'startTime', 'endTime'), ('episode', 'startTime', 'endTime'), ('visit', 'enterTime', 'exitTime')) v(target, since, until) loop
    execute format('create policy work_wall on geo.%I as restrictive for select to fx_geo using ((select coalesce(ctx.actor(), %L) = %L)
      or "deviceId" not in (select ctx.phones()) or ctx.phone_at_work("deviceId", %I, %I))', one.target, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', one.since, one.until);
  end loop;
end $$;
