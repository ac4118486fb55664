-- Whether people must share their location, and when a day that still runs is ended, become settings: inherited along group, company,
-- branch and team, with who changed them and when. What holds for a tenant today holds afterwards.
insert into "setting" ("companyId", "tenantId", "name", "value", "modifiedByUserId")
select t."companyId", t."id", 'locationRule', to_jsonb(case when t."locationRequired" then 'required'::text else 'free' end), '00000000-0000-0000-0000-000000000000'
from "tenant" t left join "tenant" p on p."id" = coalesce(t."parentId", t."groupId")
where t."locationRequired" <> coalesce(p."locationRequired", false);
-- A group's hour counted for nothing until now.
insert into "setting" ("companyId", "tenantId", "name", "value", "modifiedByUserId")
select "companyId", "id", 'dayEnd', to_jsonb("dayEndHour"::text), '00000000-0000-0000-0000-000000000000'
from "tenant" where "dayEndHour" is not null and "type" > 1;

-- The nearest tenant of the path that chose decides, then the group, which lies behind the company's wall: fx_search reads both.
grant select ("companyId", "tenantId", "name", "value") on "setting" to fx_search;
grant select ("groupId") on "tenant" to fx_search;
create policy search_wall on "setting" for select to fx_search using ("name" = 'locationRule');
create function ctx.location_is_required(company uuid, path uuid[]) returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce((
    select s."value" = '"required"' from public.setting s
    where s."name" = 'locationRule' and (s."companyId" = company and s."tenantId" = any(path)
      or s."tenantId" = (select t."groupId" from public.tenant t where t."companyId" = company and t."id" = company))
    order by array_position(path, s."tenantId") desc nulls last limit 1), false)
$$;
grant create on schema ctx to fx_search;
alter function ctx.location_is_required(uuid, uuid[]) owner to fx_search;
revoke create on schema ctx from fx_search;
revoke all on function ctx.location_is_required(uuid, uuid[]) from public;
grant execute on function ctx.location_is_required(uuid, uuid[]) to fx_app, fx_auth, fx_report;
