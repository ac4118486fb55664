-- Promises, quotes, restructures and sales of securities are found by their number, and by their loan as loans are: its number, its client, its product.
grant select ("companyId", "id", "loanId", "number") on payment_promise, settlement_quote, loan_change to fx_search;
grant select ("companyId", "id", "loanId", "number", "description", "buyer", "reference") on security_sale to fx_search;
create policy search_wall on payment_promise for select to fx_search using (true);
create policy search_wall on settlement_quote for select to fx_search using (true);
create policy search_wall on loan_change for select to fx_search using (true);
create policy search_wall on security_sale for select to fx_search using (true);

create function search.payment_promise(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select h.id from (
    (select id from public.payment_promise where "companyId" = ctx.company() and ''P-'' || lpad("number"::text, greatest(6, length("number"::text)), ''0'') like pattern limit most)
    union
    (select t.id from public.payment_promise t where t."companyId" = ctx.company() and t."loanId" = any(array(select search.loan(pattern, most))) limit most)) h limit most';
create function search.settlement_quote(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select h.id from (
    (select id from public.settlement_quote where "companyId" = ctx.company() and ''Q-'' || lpad("number"::text, greatest(6, length("number"::text)), ''0'') like pattern limit most)
    union
    (select t.id from public.settlement_quote t where t."companyId" = ctx.company() and t."loanId" = any(array(select search.loan(pattern, most))) limit most)) h limit most';
create function search.loan_change(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select h.id from (
    (select id from public.loan_change where "companyId" = ctx.company() and ''RS-'' || lpad("number"::text, greatest(6, length("number"::text)), ''0'') like pattern limit most)
    union
    (select t.id from public.loan_change t where t."companyId" = ctx.company() and t."loanId" = any(array(select search.loan(pattern, most))) limit most)) h limit most';
create function search.security_sale(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select h.id from (
    (select id from public.security_sale where "companyId" = ctx.company() and upper(''S-'' || lpad("number"::text, greatest(6, length("number"::text)), ''0'') || '' '' || coalesce("description", '''') || '' '' || coalesce("buyer", '''') || '' '' || coalesce("reference", '''')) like pattern limit most)
    union
    (select t.id from public.security_sale t where t."companyId" = ctx.company() and t."loanId" = any(array(select search.loan(pattern, most))) limit most)) h limit most';
do $$
declare target text;
begin
  -- Rights first: after the change of owner only fx_search could take them back.
  foreach target in array array['payment_promise', 'settlement_quote', 'loan_change', 'security_sale'] loop
    execute format('revoke all on function search.%I(text, integer) from public', target);
    execute format('grant execute on function search.%I(text, integer) to fx_app', target);
    execute format('alter function search.%I(text, integer) owner to fx_search', target);
  end loop;
end $$;
