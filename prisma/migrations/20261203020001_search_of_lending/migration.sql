-- The palette finds loans, applications and products: loans and applications by the person they are for, too, whose words may change later.
alter table loan add column "searchText" text not null default '';
create function ctx.loan_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', 'L-' || lpad(new."number"::text, greatest(6, length(new."number"::text)), '0'), new."productName")); return new; end $$;
create trigger search_text before insert or update on loan for each row execute function ctx.loan_search_text();
update loan set "searchText" = '';

alter table product add column "searchText" text not null default '';
create function ctx.product_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', new."name", new."code", new."description")); return new; end $$;
create trigger search_text before insert or update on product for each row execute function ctx.product_search_text();
update product set "searchText" = '';

create index "loan_search" on loan using gin ("searchText" gin_trgm_ops, "companyId" uuid_ops);
create index "loan_application_search" on loan_application using gin ("searchText" gin_trgm_ops, "companyId" uuid_ops);

grant select ("companyId", "id", "searchText", "clientId") on loan to fx_search;
grant select ("companyId", "id", "searchText", "clientId", "leadId") on loan_application to fx_search;
grant select ("companyId", "id", "searchText") on product to fx_search;
create policy search_wall on loan for select to fx_search using (true);
create policy search_wall on loan_application for select to fx_search using (true);
create policy search_wall on product for select to fx_search using (true);

create function search.loan(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select h.id from (
    (select id from public.loan where "companyId" = ctx.company() and "searchText" like pattern limit most)
    union
    (select l.id from public.loan l where l."companyId" = ctx.company() and l."clientId" = any(array(
      select c.id from public.client c where c."companyId" = ctx.company() and c."searchText" like pattern limit most)) limit most)) h limit most';
create function search.loan_application(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select h.id from (
    (select id from public.loan_application where "companyId" = ctx.company() and "searchText" like pattern limit most)
    union
    (select a.id from public.loan_application a where a."companyId" = ctx.company() and a."clientId" = any(array(
      select c.id from public.client c where c."companyId" = ctx.company() and c."searchText" like pattern limit most)) limit most)
    union
    (select a.id from public.loan_application a where a."companyId" = ctx.company() and a."leadId" = any(array(
      select l.id from public.lead l where l."companyId" = ctx.company() and l."searchText" like pattern limit most)) limit most)) h limit most';
create function search.product(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select id from public.product where "companyId" = ctx.company() and "searchText" like pattern limit most';
do $$
declare target text;
begin
  -- Rights first: after the change of owner only fx_search could take them back.
  foreach target in array array['loan', 'loan_application', 'product'] loop
    execute format('revoke all on function search.%I(text, integer) from public', target);
    execute format('grant execute on function search.%I(text, integer) to fx_app', target);
    execute format('alter function search.%I(text, integer) owner to fx_search', target);
  end loop;
end $$;
