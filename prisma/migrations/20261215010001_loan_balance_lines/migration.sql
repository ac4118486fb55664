-- The lines that make the balances of a loan, as many and as much: what its transactions changed, and the interest, fees and insurance of its schedule,
-- which are owed from the payout on and booked as they are earned. A write-off takes what is left of the schedule, which its own transaction does not say.
create view "loan_balance_line" with (security_invoker = true) as
  select x."companyId", md5(x."id"::text || v.part)::uuid as "id", l."tenantId", x."loanId", v.balance as "balance", v.part as "part", x."kind", null::integer as "number",
    x."bookedOn", x."valueOn", v.amount as "amount", x."entryId", x."paymentId", x."dateCreated"
  from public.loan_transaction x join public.loan l on l."companyId" = x."companyId" and l."id" = x."loanId" and l."deletedAt" is null
    cross join lateral (values ('principal', 'principal', x."principal"), ('interest', 'interest', x."interest"), ('fees', 'fee', x."fee"), ('fees', 'insurance', x."insurance"),
      ('penalties', 'penalty', x."penalty"), ('overpaid', 'overpaid', x."overpaid")) v(balance, part, amount)
  where v.amount <> 0
  union all
  select i."companyId", md5(i."loanId"::text || i."number" || v.part)::uuid, l."tenantId", i."loanId", v.balance, v.part, 'schedule', i."number",
    null, i."dueOn", v.amount, null, null, null
  from public.loan_instalment i join public.loan l on l."companyId" = i."companyId" and l."id" = i."loanId" and l."deletedAt" is null
    cross join lateral (values ('interest', 'interest', i."interest"), ('fees', 'fee', i."fee"), ('fees', 'insurance', i."insurance")) v(balance, part, amount)
  where v.amount <> 0
  union all
  select x."companyId", md5(x."id"::text || v.part || 'left')::uuid, l."tenantId", x."loanId", v.balance, v.part, x."kind", null,
    x."bookedOn", x."valueOn", -v.amount, x."entryId", null, x."dateCreated"
  from public.loan_transaction x join public.loan l on l."companyId" = x."companyId" and l."id" = x."loanId" and l."deletedAt" is null
    cross join lateral (select coalesce(sum(i."interest"), 0) as interest, coalesce(sum(i."fee"), 0) as fee, coalesce(sum(i."insurance"), 0) as insurance
      from public.loan_instalment i where i."companyId" = x."companyId" and i."loanId" = x."loanId") s
    cross join lateral (select sum(p."interest") as interest, sum(p."fee") as fee, sum(p."insurance") as insurance
      from public.loan_transaction p where p."companyId" = x."companyId" and p."loanId" = x."loanId") d
    cross join lateral (values ('interest', 'interest', s.interest + d.interest), ('fees', 'fee', s.fee + d.fee), ('fees', 'insurance', s.insurance + d.insurance)) v(balance, part, amount)
  where x."kind" = 'writeOff' and v.amount <> 0;
grant select on "loan_balance_line" to fx_app;
