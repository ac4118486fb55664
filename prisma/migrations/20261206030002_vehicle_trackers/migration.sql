-- A tracker that is built into a vehicle is no phone, even where it names its driver: the vehicle is the company's at any hour. It counts as built in
-- while it is on an asset and speaks a protocol that only such hardware speaks. A phone that somebody puts on an asset stays a phone.
grant select ("protocol") on geo.device to fx_search;
grant create on schema ctx to fx_search;

create function ctx.is_built_in(company uuid, device uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from geo.device d where d."companyId" = company and d."id" = device and d."protocol" in ('teltonika', 'gt06', 'h02')
    and exists (select from geo.device_asset a where a."companyId" = d."companyId" and a."deviceId" = d."id" and a."until" is null))
$$;
revoke all on function ctx.is_built_in(uuid, uuid) from public;
grant execute on function ctx.is_built_in(uuid, uuid) to fx_search;
alter function ctx.is_built_in(uuid, uuid) owner to fx_search;

-- They belong to fx_search, so they are replaced as fx_search.
do $replace$
declare deployer constant text = current_user;
begin
set local role fx_search;
create or replace function ctx.phones() returns setof uuid language sql stable security definer set search_path = '' as $$
  select d."id" from geo.device d where d."companyId" = ctx.company() and d."userId" is not null and not ctx.is_built_in(d."companyId", d."id")
$$;

create or replace function ctx.trackable_by(company uuid, person uuid, device uuid, moments timestamptz[]) returns setof timestamptz
language sql stable security definer set search_path = '' as $$
  with may as materialized (
    select c."givenAt" as since from public.tracking_consent c where c."companyId" = company and c."userId" = person and c."status" = 'Given'
    union all select p."since" from public.company_phone p where p."companyId" = company and p."deviceId" = device and p."userId" = person and p."endedAt" is null
  ), vehicle as materialized (select ctx.is_built_in(company, device) as yes)
  select m from unnest(moments) m where (select yes from vehicle) or (m >= (select min(since) from may)
    and exists (select from ctx.working_spans(company, person, (select min(x) from unnest(moments) x), (select max(x) from unnest(moments) x)) span where span @> m))
$$;
execute format('set local role %I', deployer);
end $replace$;
revoke create on schema ctx from fx_search;
