-- Payments and payouts are found by number, reference, payer and client, as loans are.
alter table payment add column "searchText" text not null default '';
create function ctx.payment_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', 'R-' || lpad(new."number"::text, greatest(6, length(new."number"::text)), '0'), new."providerReference", new."billReference", new."payerName", new."payerPhone")); return new; end $$;
create trigger search_text before insert or update on payment for each row execute function ctx.payment_search_text();
update payment set "searchText" = '';

alter table disbursement add column "searchText" text not null default '';
create function ctx.disbursement_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', 'D-' || lpad(new."number"::text, greatest(6, length(new."number"::text)), '0'), new."providerReference", new."payTo")); return new; end $$;
create trigger search_text before insert or update on disbursement for each row execute function ctx.disbursement_search_text();
update disbursement set "searchText" = '';

create index "payment_search" on payment using gin ("searchText" gin_trgm_ops, "companyId" uuid_ops);
create index "disbursement_search" on disbursement using gin ("searchText" gin_trgm_ops, "companyId" uuid_ops);

grant select ("companyId", "id", "searchText", "clientId") on payment to fx_search;
grant select ("companyId", "id", "searchText", "clientId") on disbursement to fx_search;

create function search.payment(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select h.id from (
    (select id from public.payment where "companyId" = ctx.company() and "searchText" like pattern limit most)
    union
    (select p.id from public.payment p where p."companyId" = ctx.company() and p."clientId" = any(array(
      select c.id from public.client c where c."companyId" = ctx.company() and c."searchText" like pattern limit most)) limit most)) h limit most';
create function search.disbursement(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select h.id from (
    (select id from public.disbursement where "companyId" = ctx.company() and "searchText" like pattern limit most)
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
