-- Assets: the vehicles and things that trackers are mounted on. A group names the role whose people see its assets; an asset in
-- groups is seen by those people alone, on top of company and reach.
create table "asset_category" (
  "companyId" uuid not null,
  "id" uuid not null,
  "name" text not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "asset_category_pkey" primary key ("companyId", "id")
);
create index "asset_category_companyId_dateCreated_id_idx" on "asset_category"("companyId", "dateCreated" desc, "id");
create unique index "asset_category_companyId_name_key" on "asset_category"("companyId", upper("name")) where "deletedAt" is null;

create table "asset_group" (
  "companyId" uuid not null,
  "id" uuid not null,
  "name" text not null,
  -- Whose people see the assets of the group; null: everybody in reach.
  "roleId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "asset_group_pkey" primary key ("companyId", "id"),
  constraint "asset_group_roleId_fkey" foreign key ("companyId", "roleId") references "role"("companyId", "id") on update restrict on delete restrict
);
create index "asset_group_companyId_dateCreated_id_idx" on "asset_group"("companyId", "dateCreated" desc, "id");
create index "asset_group_companyId_roleId_idx" on "asset_group"("companyId", "roleId");
create unique index "asset_group_companyId_name_key" on "asset_group"("companyId", upper("name")) where "deletedAt" is null;

create table "asset" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "registrationNumber" text not null,
  "make" text,
  "model" text,
  "colour" text,
  "vehicleIdentificationNumber" text,
  "engineNumber" text,
  "year" integer,
  -- Kilometres and hours that people read off the dashboard, and when.
  "odometer" numeric(10, 1),
  "odometerAt" timestamptz(3),
  "engineHours" numeric(9, 1),
  "engineHoursAt" timestamptz(3),
  "mapIcon" text not null default 'car',
  "status" text not null default 'Active',
  "categoryId" uuid,
  "clientId" uuid,
  "note" text,
  "searchText" text not null default '',
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "asset_pkey" primary key ("companyId", "id"),
  constraint "asset_tenantId_fkey" foreign key ("companyId", "tenantId") references "tenant"("companyId", "id") on update restrict on delete restrict,
  constraint "asset_categoryId_fkey" foreign key ("companyId", "categoryId") references "asset_category"("companyId", "id") on update restrict on delete restrict,
  constraint "asset_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on update restrict on delete restrict
);
create index "asset_companyId_dateCreated_id_idx" on "asset"("companyId", "dateCreated" desc, "id");
create index "asset_companyId_tenantId_idx" on "asset"("companyId", "tenantId");
create index "asset_companyId_categoryId_idx" on "asset"("companyId", "categoryId");
create index "asset_companyId_clientId_idx" on "asset"("companyId", "clientId");
create index "asset_companyId_registrationNumber_id_idx" on "asset"("companyId", "registrationNumber", "id");
create unique index "asset_companyId_registrationNumber_key" on "asset"("companyId", upper("registrationNumber")) where "deletedAt" is null;

create table "asset_group_member" (
  "companyId" uuid not null,
  "assetId" uuid not null,
  "assetGroupId" uuid not null,
  constraint "asset_group_member_pkey" primary key ("companyId", "assetId", "assetGroupId"),
  constraint "asset_group_member_assetId_fkey" foreign key ("companyId", "assetId") references "asset"("companyId", "id") on update restrict on delete cascade,
  constraint "asset_group_member_assetGroupId_fkey" foreign key ("companyId", "assetGroupId") references "asset_group"("companyId", "id") on update restrict on delete restrict
);
create index "asset_group_member_companyId_assetGroupId_idx" on "asset_group_member"("companyId", "assetGroupId");

create function ctx.asset_search_text() returns trigger language plpgsql set search_path = '' as $$
begin
  new."searchText" = pg_catalog.upper(pg_catalog.concat_ws(' ', new."registrationNumber", new."make", new."model", new."colour", new."vehicleIdentificationNumber", new."engineNumber"));
  return new;
end $$;
create trigger search_text before insert or update on "asset" for each row execute function ctx.asset_search_text();

call ctx.protect('asset_category', 'company');
call ctx.protect('asset_group', 'company');
call ctx.protect('asset', 'tenant');
call ctx.protect('asset_group_member', 'company');

-- The asset wall. These functions are the one place that decides it; they run as fx_search, which reads who has which role, and
-- take company and person from the context. The program itself (no person, or that of zeros) sees all: what it sends to people is cut for each.
grant select ("companyId", "id", "deletedAt") on "asset" to fx_search;
grant select ("companyId", "id", "roleId", "deletedAt") on "asset_group" to fx_search;
grant select on "asset_group_member" to fx_search;
grant select ("companyId", "userId", "roleId") on "user_role" to fx_search;
grant select ("companyId", "id", "name", "systemRole", "deletedAt") on "role" to fx_search;
grant select ("companyId", "deviceId", "assetId", "since", "until") on geo.device_asset to fx_search;
create policy search_wall on "asset" for select to fx_search using (true);
create policy search_wall on "asset_group" for select to fx_search using (true);
create policy search_wall on "asset_group_member" for select to fx_search using (true);
create policy search_wall on "user_role" for select to fx_search using (true);
create policy search_wall on geo.device_asset for select to fx_search using (true);
grant create on schema ctx to fx_search;

-- Assets that the person of the context does not see: in groups, and none of the groups is open to one of their roles. Administrators
-- hand the roles out themselves, so they see all.
create function ctx.hidden_assets() returns setof uuid language sql stable security definer set search_path = '' as $$
  select m."assetId" from public.asset_group_member m
    join public.asset_group g on g."companyId" = m."companyId" and g."id" = m."assetGroupId" and g."deletedAt" is null
  where m."companyId" = ctx.company() and ctx.actor() <> '00000000-0000-0000-0000-000000000000'
    and not exists (select from public.user_role ur join public.role r on r."companyId" = ur."companyId" and r."id" = ur."roleId" and r."deletedAt" is null
      where ur."userId" = ctx.actor() and (r."systemRole" = 'global' or (r."systemRole" in ('admin', 'company-admin') and r."companyId" = ctx.company())))
  group by m."assetId"
  having not bool_or(g."roleId" is null or exists (select from public.user_role ur
    where ur."companyId" = m."companyId" and ur."userId" = ctx.actor() and ur."roleId" = g."roleId"))
$$;
-- Devices that are mounted on one of them now.
create function ctx.hidden_devices() returns setof uuid language sql stable security definer set search_path = '' as $$
  select a."deviceId" from geo.device_asset a where a."companyId" = ctx.company() and a."until" is null and a."assetId" in (select ctx.hidden_assets())
$$;
-- Devices that are or were: their positions of that time are behind the wall too.
create function ctx.once_hidden_devices() returns setof uuid language sql stable security definer set search_path = '' as $$
  select distinct a."deviceId" from geo.device_asset a where a."companyId" = ctx.company() and a."assetId" in (select ctx.hidden_assets())
$$;
create function ctx.was_hidden(device uuid, moment timestamptz) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from geo.device_asset a where a."companyId" = ctx.company() and a."deviceId" = device and a."since" <= moment
    and (a."until" is null or a."until" > moment) and a."assetId" in (select ctx.hidden_assets()))
$$;
-- Names of the roles that see a device by the asset it is on; null: everybody in reach. For what is sent to many at once.
create function ctx.roles_of_device(company uuid, device uuid) returns text[] language sql stable security definer set search_path = '' as $$
  select case when bool_or(g."roleId" is null) then null else coalesce(array_agg(distinct r."name") filter (where r."name" is not null), '{}')
    || array(select n."name" from public.role n where n."companyId" = company and n."systemRole" in ('admin', 'company-admin') and n."deletedAt" is null) end
  from geo.device_asset a
    join public.asset_group_member m on m."companyId" = a."companyId" and m."assetId" = a."assetId"
    join public.asset_group g on g."companyId" = m."companyId" and g."id" = m."assetGroupId" and g."deletedAt" is null
    left join public.role r on r."companyId" = g."companyId" and r."id" = g."roleId" and r."deletedAt" is null
  where a."companyId" = company and a."deviceId" = device and a."until" is null
  having count(*) > 0
$$;
-- People of the company, among these, who see a device by the asset it is on: whom an event may be told.
create function ctx.who_sees_device(company uuid, device uuid, people uuid[]) returns setof uuid language sql stable security definer set search_path = '' as $$
  select p from unnest(people) p where company = ctx.company() and (ctx.roles_of_device(company, device) is null
    or exists (select from public.user_role ur join public.role r on r."companyId" = ur."companyId" and r."id" = ur."roleId" and r."deletedAt" is null
      where ur."companyId" = company and ur."userId" = p and r."name" = any(ctx.roles_of_device(company, device))))
$$;
do $$
declare wall regprocedure;
begin
  foreach wall in array array['ctx.hidden_assets()', 'ctx.hidden_devices()', 'ctx.once_hidden_devices()', 'ctx.was_hidden(uuid, timestamptz)', 'ctx.roles_of_device(uuid, uuid)', 'ctx.who_sees_device(uuid, uuid, uuid[])']::regprocedure[] loop
    execute format('revoke all on function %s from public', wall);
    execute format('grant execute on function %s to fx_app, fx_report, fx_geo, fx_search', wall);
    execute format('alter function %s owner to fx_search', wall);
  end loop;
end $$;
revoke create on schema ctx from fx_search;

create policy asset_wall on "asset" as restrictive to fx_app, fx_report using ("id" not in (select ctx.hidden_assets())) with check (true);
-- The geo service mounts devices on assets that the caller sees.
grant select ("companyId", "id", "tenantId", "deletedAt") on "asset" to fx_geo;
create policy geo_wall on "asset" for select to fx_geo using ("companyId" = (select ctx.company()));
create policy geo_scope_wall on "asset" as restrictive for select to fx_geo using ((select ctx.has_whole_company()) or "tenantId" = any((select ctx.scope_list())::uuid[]));
create policy geo_asset_wall on "asset" as restrictive for select to fx_geo using ("id" not in (select ctx.hidden_assets()));

-- Who does not see an asset sees neither the devices on it nor what they did: every answer of the geo service is read through these.
create policy asset_wall on geo.device as restrictive to fx_geo using ("id" not in (select ctx.hidden_devices())) with check (true);
do $$
declare target text;
begin
  foreach target in array array['latest', 'dirty', 'device_health', 'quarantine', 'episode', 'geofence_link', 'fence_state', 'visit', 'command', 'device_memory', 'reaction', 'presence'] loop
    execute format('create policy asset_wall on geo.%I as restrictive to fx_geo using ("deviceId" not in (select ctx.hidden_devices())) with check (true)', target);
  end loop;
  -- A trip belongs to the asset that it was made on.
  foreach target in array array['trip', 'stop', 'engine_session', 'device_asset'] loop
    execute format('create policy asset_wall on geo.%I as restrictive to fx_geo using ("deviceId" not in (select ctx.hidden_devices()) and ("assetId" is null or "assetId" not in (select ctx.hidden_assets()))) with check (true)', target);
  end loop;
end $$;
create policy asset_wall on geo.position as restrictive to fx_geo using ("deviceId" not in (select ctx.hidden_devices()) and ("deviceId" not in (select ctx.once_hidden_devices()) or not ctx.was_hidden("deviceId", "fixTime"))) with check (true);
create policy asset_wall on geo.event as restrictive to fx_geo using ("deviceId" not in (select ctx.hidden_devices()) and ("deviceId" not in (select ctx.once_hidden_devices()) or not ctx.was_hidden("deviceId", "eventTime"))) with check (true);
