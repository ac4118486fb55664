-- What keeps a client with the company, in branches beyond the caller's reach too: counts only. A loan that was written off is owed still.
grant select ("status") on loan to fx_search;
grant select ("status") on loan_application to fx_search;
grant select ("leadId") on client to fx_search;
grant select ("companyId", "id", "clientId", "status", "deletedAt") on disbursement to fx_search;
grant select ("deletedAt") on loan to fx_search;
grant select ("deletedAt") on loan_application to fx_search;
create policy search_wall on disbursement for select to fx_search using (true);
create function search.client_running(ids uuid[]) returns table (id uuid, groups integer, loans integer, applications integer, payouts integer)
language sql stable security definer set search_path = '' as $$
  select c.id,
    (select count(*)::int from public.client_group_member m join public.client_group g on g."companyId" = m."companyId" and g.id = m."groupId"
      where m."companyId" = c."companyId" and m."clientId" = c.id and g."deletedAt" is null and g."status" <> 'Closed'),
    (select count(*)::int from public.loan l where l."companyId" = c."companyId" and l."clientId" = c.id and l."deletedAt" is null
      and l."status" in ('Approved', 'Active', 'Overpaid', 'Written off')),
    (select count(*)::int from public.loan_application a where a."companyId" = c."companyId" and (a."clientId" = c.id or a."clientId" is null and a."leadId" = c."leadId")
      and a."deletedAt" is null and a."status" in ('Draft', 'Submitted', 'In review', 'Approved')),
    (select count(*)::int from public.disbursement d where d."companyId" = c."companyId" and d."clientId" = c.id and d."deletedAt" is null
      and d."status" not in ('Confirmed', 'Rejected'))
  from public.client c where c."companyId" = ctx.company() and c.id = any(ids)
$$;
revoke all on function search.client_running(uuid[]) from public;
grant execute on function search.client_running(uuid[]) to fx_app;
alter function search.client_running(uuid[]) owner to fx_search;

-- The same of a lead: the client who came of it, and what it applied for.
create function search.lead_running(ids uuid[]) returns table (id uuid, clients integer, applications integer)
language sql stable security definer set search_path = '' as $$
  select l.id,
    (select count(*)::int from public.client c where c."companyId" = l."companyId" and c."leadId" = l.id and c."deletedAt" is null),
    (select count(*)::int from public.loan_application a where a."companyId" = l."companyId" and a."leadId" = l.id
      and a."deletedAt" is null and a."status" in ('Draft', 'Submitted', 'In review', 'Approved'))
  from public.lead l where l."companyId" = ctx.company() and l.id = any(ids)
$$;
revoke all on function search.lead_running(uuid[]) from public;
grant execute on function search.lead_running(uuid[]) to fx_app;
alter function search.lead_running(uuid[]) owner to fx_search;
