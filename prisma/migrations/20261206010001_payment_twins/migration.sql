-- upper() is not leakproof, so row-level security forbids the index of references: each payment that came in read all payments of the company to find
-- its twin. This function gives ids alone, which the caller's own query checks again.
grant select ("companyId", "id", "provider", "providerReference", "status") on payment to fx_search;
create policy search_wall on payment for select to fx_search using (true);
create function search.payment_twin(given text, reference_list text[]) returns table (id uuid)
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select p.id from public.payment p where p."companyId" = ctx.company() and p."provider" = given and upper(p."providerReference") = any(reference_list)
    and p."providerReference" is not null and p."status" <> ''Reversed''';
-- Rights first: after the change of owner only fx_search could take them back.
revoke all on function search.payment_twin(text, text[]) from public;
grant execute on function search.payment_twin(text, text[]) to fx_app;
alter function search.payment_twin(text, text[]) owner to fx_search;
