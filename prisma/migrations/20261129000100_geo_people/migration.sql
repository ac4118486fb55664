-- Whom a device, a driver or an event action may name: active people in the caller's reach, so the geo service reads who works where.
create policy geo_wall on public.user_tenant for select to fx_geo using ("companyId" = (select ctx.company()));
grant select ("companyId", "userId", "tenantId") on public.user_tenant to fx_geo;
grant select ("status", "deletedAt") on public.app_user to fx_geo;
