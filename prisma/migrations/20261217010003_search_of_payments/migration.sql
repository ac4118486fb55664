-- Payments and payouts are found by number, reference, payer and client, as loans are. The text searched is that of their indexes.
grant select ("companyId", "id", "clientId", "number", "providerReference", "billReference", "payerName", "payerPhone") on payment to fx_search;
grant select ("companyId", "id", "clientId", "number", "providerReference", "payTo") on disbursement to fx_search;

create function search.payment(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select h.id from (
    (select id from public.payment where "companyId" = ctx.company() and upper(''R-'' || lpad("number"::text, greatest(6, length("number"::text)), ''0'') || '' '' || coalesce("providerReference", '''') || '' '' || coalesce("billReference", '''') || '' '' || coalesce("payerName", '''') || '' '' || coalesce("payerPhone", '''')) like pattern limit most)
    union
    (select p.id from public.payment p where p."companyId" = ctx.company() and p."clientId" = any(array(
      select c.id from public.client c where c."companyId" = ctx.company() and c."searchText" like pattern limit most)) limit most)) h limit most';
create function search.disbursement(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select h.id from (
    (select id from public.disbursement where "companyId" = ctx.company() and upper(''D-'' || lpad("number"::text, greatest(6, length("number"::text)), ''0'') || '' '' || coalesce("providerReference", '''') || '' '' || coalesce("payTo", '''')) like pattern limit most)
    union
    (select d.id from public.disbursement d where d."companyId" = ctx.company() and d."clientId" = any(array(
      select c.id from public.client c where c."companyId" = ctx.company() and c."searchText" like pattern limit most)) limit most)) h limit most';
do $$
declare target text;
begin
  -- Rights first: after the change of owner only fx_search could take them back.
  foreach target in array array['payment', 'disbursement'] loop
    execute format('revoke all on function search.%I(text, integer) from public', target);
    execute format('grant execute on function search.%I(text, integer) to fx_app', target);
    execute format('alter function search.%I(text, integer) owner to fx_search', target);
  end loop;
end $$;
