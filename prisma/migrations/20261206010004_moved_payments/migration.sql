-- A payment that waited in one branch and was given to a loan of another leaves entries in both. Whoever reaches the payment where it is now sees them and takes
-- them back there, as with the past entries of a loan.
grant select ("companyId", "id", "paymentId", "kind") on ledger_entry to fx_search;
create policy search_wall on ledger_entry for select to fx_search using (true);
grant select ("tenantId") on payment to fx_search;

grant create on schema ctx to fx_search;
create function ctx.moved_payments() returns uuid[] language sql stable security definer set search_path = '' as $$
  select array(select distinct e."paymentId" from public.ledger_entry e
    join public.payment p on p."companyId" = e."companyId" and p."id" = e."paymentId" and p."tenantId" = any(ctx.scope_list())
    where e."companyId" = ctx.company() and e."kind" = 'transfer' and e."paymentId" is not null) $$;
create function ctx.moved_entries() returns uuid[] language sql stable security definer set search_path = '' as $$
  select array(select e."id" from public.ledger_entry e where e."companyId" = ctx.company() and e."paymentId" = any(ctx.moved_payments())) $$;
revoke all on function ctx.moved_payments(), ctx.moved_entries() from public;
grant execute on function ctx.moved_payments(), ctx.moved_entries() to fx_app, fx_report, fx_search;
alter function ctx.moved_payments() owner to fx_search;
alter function ctx.moved_entries() owner to fx_search;
revoke create on schema ctx from fx_search;

do $$
declare of_loan text := '(select ctx.has_whole_company()) or "tenantId" = any((select ctx.scope_list())::uuid[]) or "loanId" in (
  select rt."objectId" from public.record_transfer rt join public.loan l on l."companyId" = rt."companyId" and l."id" = rt."objectId" where rt."objectType" = ''loan'')';
  entries text := of_loan || ' or "paymentId" = any((select ctx.moved_payments())::uuid[])';
  lines text := of_loan || ' or "entryId" = any((select ctx.moved_entries())::uuid[])';
begin
  execute format('alter policy scope_wall on ledger_entry using (%s) with check (%s)', entries, entries);
  execute format('alter policy scope_wall on ledger_line using (%s) with check (%s)', lines, lines);
end $$;
