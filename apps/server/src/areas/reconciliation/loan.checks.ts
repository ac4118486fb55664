import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../kernel/types.ts'

/** Accounts that money comes in to and goes out of. */
const money = ['cash', 'bank', 'provider', 'topUps', 'securitySales']
/** Accounts that go with a loan. */
const ofLoan = ['portfolio', 'interestReceivable', 'feeReceivable', 'insuranceReceivable', 'penaltyReceivable', 'overpayments']

/**
 * What must agree inside the books, as statements whose rows are the differences: each loan with its schedule, the ledger and its transactions; each payment and each
 * payout with the ledger; each entry with itself; branches with the loans they hold. One statement sees one moment, so bookings that run meanwhile make none.
 */
export const bookChecks = (ctx: Ctx): Statement[] => [
  loansOf(ctx),
  transactionsOf(ctx),
  paymentsOf(ctx),
  disbursementsOf(ctx),
  entriesOf(ctx),
  branchesOf(ctx),
  suspenseOf(ctx),
  salesOf(ctx),
  topUpsOf(ctx),
]

/** Sums of the ledger of each loan, by the purpose of the account. */
const ledgerOf = (companyId: string) => sql`
  select l."loanId", ${sumOn('portfolio')} as portfolio, ${sumOn('interestReceivable')} as interest, ${sumOn('feeReceivable')} as fee,
    ${sumOn('insuranceReceivable')} as insurance, ${sumOn('penaltyReceivable')} as penalty, -${sumOn('overpayments')} as overpaid
  from ledger_line l join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId"
  where l."companyId" = ${companyId}::uuid and l."loanId" is not null group by 1`
const sumOn = (purpose: string) => sql`coalesce(sum(l."debit" - l."credit") filter (where a."purpose" = ${purpose}), 0)`

/** After a write-off the schedule is unchanged, and nothing is owed in the ledger. */
const loansOf = ({ company }: Ctx): Statement => sql`
  with led as materialized (${ledgerOf(company.id)}),
  sch as materialized (
    select "loanId", sum("principal") as lent, sum("principal" - "principalPaid") as principal, sum("interest" - "interestPaid") as interest,
      sum("fee" + "insurance" - "feePaid" - "insurancePaid") as fees, sum("penalty" - "penaltyPaid") as penalties,
      sum("principalPaid") as "principalPaid", sum("interestPaid") as "interestPaid", sum("feePaid") as "feePaid", sum("insurancePaid") as "insurancePaid", sum("penaltyPaid") as "penaltyPaid"
    from loan_instalment where "companyId" = ${company.id}::uuid group by 1),
  alc as materialized (
    select "loanId", ${paidFor('principal')} as principal, ${paidFor('interest')} as interest, ${paidFor('fee')} as fee, ${paidFor('insurance')} as insurance, ${paidFor('penalty')} as penalty
    from payment_allocation where "companyId" = ${company.id}::uuid and "supersededAt" is null group by 1)
  select 'loan:' || t."id" || ':' || v.part as key, v.kind, v.what, t."tenantId", t."id" as "loanId", null::uuid as "paymentId", null::uuid as "disbursementId", v.stated, v.booked
  from loan t left join led on led."loanId" = t."id" left join sch on sch."loanId" = t."id" left join alc on alc."loanId" = t."id"
  cross join lateral (values
    ('schedule:lent', 'Schedule', 'Principal lent: loan and schedule', true, t."owedAtPayout", sch.lent),
    ('schedule:principal', 'Schedule', 'Principal owed: loan and schedule', t."writtenOffOn" is null, t."principalOwed", sch.principal),
    ('schedule:interest', 'Schedule', 'Interest owed: loan and schedule', t."writtenOffOn" is null, t."interestOwed", sch.interest),
    ('schedule:fees', 'Schedule', 'Fees and insurance owed: loan and schedule', t."writtenOffOn" is null, t."feesOwed", sch.fees),
    ('schedule:penalties', 'Schedule', 'Penalties owed: loan and schedule', t."writtenOffOn" is null, t."penaltiesOwed", sch.penalties),
    ('paid:principal', 'Schedule', 'Principal paid: payments and schedule', t."writtenOffOn" is null, alc.principal, sch."principalPaid"),
    ('paid:interest', 'Schedule', 'Interest paid: payments and schedule', t."writtenOffOn" is null, alc.interest, sch."interestPaid"),
    ('paid:fee', 'Schedule', 'Fees paid: payments and schedule', t."writtenOffOn" is null, alc.fee, sch."feePaid"),
    ('paid:insurance', 'Schedule', 'Insurance paid: payments and schedule', t."writtenOffOn" is null, alc.insurance, sch."insurancePaid"),
    ('paid:penalty', 'Schedule', 'Penalties paid: payments and schedule', t."writtenOffOn" is null, alc.penalty, sch."penaltyPaid"),
    ('ledger:principal', 'Ledger', 'Principal owed: loan and ledger', true, t."principalOwed", led.portfolio),
    ('ledger:interest', 'Ledger', 'Interest earned and not paid: loan and ledger', true, case when t."writtenOffOn" is null then t."interestAccrued" - coalesce(sch."interestPaid", 0) else 0 end, led.interest),
    ('ledger:fee', 'Ledger', 'Fees earned and not paid: loan and ledger', true, case when t."writtenOffOn" is null then t."feeAccrued" - coalesce(sch."feePaid", 0) else 0 end, led.fee),
    ('ledger:insurance', 'Ledger', 'Insurance due and not paid: loan and ledger', true, case when t."writtenOffOn" is null then t."insuranceAccrued" - coalesce(sch."insurancePaid", 0) else 0 end, led.insurance),
    ('ledger:penalty', 'Ledger', 'Penalties owed: loan and ledger', true, t."penaltiesOwed", led.penalty),
    ('ledger:overpaid', 'Ledger', 'Overpaid: loan and ledger', true, t."overpaid", led.overpaid)
  ) v(part, kind, what, applies, stated, booked)
  where t."companyId" = ${company.id}::uuid and t."deletedAt" is null and t."disbursedOn" is not null and v.applies and coalesce(v.stated, 0) <> coalesce(v.booked, 0)`
/** What a loan owes is booked in the branch where it is; what branches gave each other for it cancels out. */
const branchesOf = ({ company }: Ctx): Statement => sql`
  with led as materialized (
    select l."loanId", l."tenantId", a."purpose", sum(l."debit" - l."credit") as balance
    from ledger_line l join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId" and a."purpose" = any(${[...ofLoan, 'interBranch']}::text[])
    where l."companyId" = ${company.id}::uuid and l."loanId" is not null group by 1, 2, 3)
  select 'loan:' || t."id" || ':branch:' || led."tenantId" || ':' || led."purpose" as key, 'Ledger' as kind, 'Left in a branch where the loan is not: ' || a."name" as what,
    t."tenantId", t."id" as "loanId", null::uuid as "paymentId", null::uuid as "disbursementId", 0::numeric as stated, led.balance as booked
  from led join loan t on t."companyId" = ${company.id}::uuid and t."id" = led."loanId" and t."deletedAt" is null
    join ledger_account a on a."companyId" = t."companyId" and a."purpose" = led."purpose"
  where led."purpose" <> 'interBranch' and led."tenantId" <> t."tenantId" and led.balance <> 0
  union all
  select 'loan:' || t."id" || ':interBranch', 'Ledger', 'Clearing between branches', t."tenantId", t."id", null::uuid, null::uuid, 0::numeric, s.balance
  from (select "loanId", sum(balance) as balance from led where "purpose" = 'interBranch' group by 1 having sum(balance) <> 0) s
    join loan t on t."companyId" = ${company.id}::uuid and t."id" = s."loanId" and t."deletedAt" is null`

/** What a payment has in suspense is in the branch where the payment is; what branches gave each other for it cancels out. */
const suspenseOf = ({ company }: Ctx): Statement => sql`
  with led as materialized (
    select e."paymentId", l."tenantId", a."purpose", sum(l."debit" - l."credit") as balance
    from ledger_account a join ledger_line l on l."companyId" = a."companyId" and l."accountId" = a."id" join ledger_entry e on e."companyId" = l."companyId" and e."id" = l."entryId"
    where a."companyId" = ${company.id}::uuid and a."purpose" in ('suspense', 'interBranch') and e."paymentId" is not null group by 1, 2, 3)
  select 'payment:' || p."id" || ':branch:' || led."tenantId" as key, 'Ledger' as kind, 'In suspense in a branch where the payment is not' as what,
    p."tenantId", p."loanId", p."id" as "paymentId", null::uuid as "disbursementId", 0::numeric as stated, led.balance as booked
  from led join payment p on p."companyId" = ${company.id}::uuid and p."id" = led."paymentId"
  where led."purpose" = 'suspense' and led."tenantId" <> p."tenantId" and led.balance <> 0
  union all
  select 'payment:' || p."id" || ':interBranch', 'Ledger', 'Clearing between branches', p."tenantId", p."loanId", p."id", null::uuid, 0::numeric, s.balance
  from (select "paymentId", sum(balance) as balance from led where "purpose" = 'interBranch' group by 1 having sum(balance) <> 0) s
    join payment p on p."companyId" = ${company.id}::uuid and p."id" = s."paymentId"`

const paidFor = (part: string) => sql`coalesce(sum("amount") filter (where "part" = ${part}), 0)`

const transactionsOf = ({ company }: Ctx): Statement => sql`
  with led as materialized (${ledgerOf(company.id)}),
  trn as materialized (
    select "loanId", sum("principal") as principal, sum("penalty") as penalty, sum("overpaid") as overpaid from loan_transaction where "companyId" = ${company.id}::uuid group by 1)
  select 'loan:' || t."id" || ':' || v.part as key, 'Transactions' as kind, v.what, t."tenantId", t."id" as "loanId", null::uuid as "paymentId", null::uuid as "disbursementId", v.stated, v.booked
  from loan t left join led on led."loanId" = t."id" left join trn on trn."loanId" = t."id"
  cross join lateral (values
    ('transactions:principal', 'Principal: transactions and ledger', trn.principal, led.portfolio),
    ('transactions:penalty', 'Penalties: transactions and ledger', trn.penalty, led.penalty),
    ('transactions:overpaid', 'Overpaid: transactions and ledger', trn.overpaid, led.overpaid)
  ) v(part, what, stated, booked)
  where t."companyId" = ${company.id}::uuid and t."deletedAt" is null and t."disbursedOn" is not null and coalesce(v.stated, 0) <> coalesce(v.booked, 0)`

/** A payment that counts is whole in its allocations and came in to an account of money; one in suspense waits there. */
const paymentsOf = ({ company }: Ctx): Statement => sql`
  with led as materialized (
    select e."paymentId", coalesce(sum(l."debit" - l."credit") filter (where a."purpose" = any(${money}::text[])), 0) as money,
      coalesce(sum(l."credit" - l."debit") filter (where a."purpose" = 'suspense'), 0) as suspense
    from ledger_entry e join ledger_line l on l."companyId" = e."companyId" and l."entryId" = e."id" join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId"
    where e."companyId" = ${company.id}::uuid and e."paymentId" is not null group by 1),
  alc as materialized (
    select "paymentId", sum("amount") as amount from payment_allocation where "companyId" = ${company.id}::uuid and "supersededAt" is null group by 1)
  select 'payment:' || p."id" || ':' || v.part as key, 'Payment' as kind, v.what, p."tenantId", p."loanId", p."id" as "paymentId", null::uuid as "disbursementId", v.stated, v.booked
  from payment p left join led on led."paymentId" = p."id" left join alc on alc."paymentId" = p."id"
  cross join lateral (values
    ('money', 'Money that came in: payment and ledger', case when p."status" = 'Reversed' then 0 else p."amount" end, led.money),
    ('suspense', 'In suspense: payment and ledger', case when p."status" = 'Suspense' then p."amount" else 0 end, led.suspense),
    ('allocated', 'Allocated: payment and its allocations', case when p."status" = 'Posted' then p."amount" else 0 end, alc.amount)
  ) v(part, what, stated, booked)
  where p."companyId" = ${company.id}::uuid and p."deletedAt" is null and coalesce(v.stated, 0) <> coalesce(v.booked, 0)`

const disbursementsOf = ({ company }: Ctx): Statement => sql`
  select 'disbursement:' || d."id" as key, 'Disbursement' as kind, 'Money that went out: disbursement and ledger' as what, d."tenantId", d."loanId", null::uuid as "paymentId", d."id" as "disbursementId",
    case when d."status" = 'Confirmed' then d."amount" else 0 end as stated, coalesce(led.out, 0) as booked
  from disbursement d left join lateral (
    select sum(l."credit" - l."debit") as out from ledger_entry e join ledger_line l on l."companyId" = e."companyId" and l."entryId" = e."id"
      join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId" and a."purpose" in ('cash', 'bank', 'provider')
    where e."companyId" = d."companyId" and e."key" in ('disbursement:' || d."id", 'refund:' || d."id")) led on true
  where d."companyId" = ${company.id}::uuid and d."deletedAt" is null and case when d."status" = 'Confirmed' then d."amount" else 0 end <> coalesce(led.out, 0)`

/** What a sale of a security brought, less its costs, came in; all of it is on the loan. */
const salesOf = ({ company }: Ctx): Statement => sql`
  select 'sale:' || s."id" || ':' || v.part as key, 'Ledger' as kind, v.what || ' S-' || lpad(s."number"::text, 6, '0') as what, s."tenantId", s."loanId", s."paymentId", null::uuid as "disbursementId", v.stated, v.booked
  from security_sale s left join lateral (
    select sum(l."debit" - l."credit") filter (where a."purpose" in ('cash', 'bank', 'provider')) as money, sum(l."debit" - l."credit") filter (where a."purpose" = 'securitySales') as waiting
    from ledger_entry e join ledger_line l on l."companyId" = e."companyId" and l."entryId" = e."id" join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId"
    where e."companyId" = s."companyId" and e."loanId" = s."loanId" and (e."paymentId" = s."paymentId" or e."key" = 'security-sale:' || s."id"
      or e."reversesId" in (select o."id" from ledger_entry o where o."companyId" = s."companyId" and o."key" = 'security-sale:' || s."id"))) led on true
  cross join lateral (values
    ('money', 'Proceeds: sale and ledger', case when s."status" = 'Booked' then s."price" - s."costs" else 0 end, led.money),
    ('waiting', 'Proceeds that are not on the loan: sale', 0, led.waiting)
  ) v(part, what, stated, booked)
  where s."companyId" = ${company.id}::uuid and s."deletedAt" is null and v.stated <> coalesce(v.booked, 0)`

/** What a payout of a top-up kept back is on the loan that it pays off. */
const topUpsOf = ({ company }: Ctx): Statement => sql`
  select 'disbursement:' || d."id" || ':topUp' as key, 'Ledger' as kind, 'Kept of a top-up and not on the loan it pays off' as what, d."tenantId", d."loanId", null::uuid as "paymentId", d."id" as "disbursementId",
    0::numeric as stated, led.balance as booked
  from loan t join disbursement d on d."companyId" = t."companyId" and d."loanId" = t."id" and d."kind" = 'payout' and d."status" = 'Confirmed' and d."deletedAt" is null
    left join lateral (
      select sum(l."debit" - l."credit") as balance from ledger_entry e join ledger_line l on l."companyId" = e."companyId" and l."entryId" = e."id"
        join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId" and a."purpose" = 'topUps'
      where e."companyId" = d."companyId" and (e."key" = 'disbursement:' || d."id" or e."paymentId" in (select p."id" from payment p where p."companyId" = d."companyId" and p."loanId" = t."settlesLoanId"
        and p."provider" = 'topUp' and p."providerReference" = 'D-' || lpad(d."number"::text, greatest(6, length(d."number"::text)), '0')))) led on true
  where t."companyId" = ${company.id}::uuid and t."settlesLoanId" is not null and coalesce(led.balance, 0) <> 0`

/** Postgres refuses an entry that does not balance; here is who would see it if it had not. */
const entriesOf = ({ company }: Ctx): Statement => sql`
  select 'entry:' || e."id" as key, 'Entry' as kind, 'Debit and credit: ' || e."text" as what, e."tenantId", e."loanId", e."paymentId", null::uuid as "disbursementId", s.debit as stated, s.credit as booked
  from (select l."entryId", sum(l."debit") as debit, sum(l."credit") as credit from ledger_line l where l."companyId" = ${company.id}::uuid group by 1 having sum(l."debit") <> sum(l."credit")) s
  join ledger_entry e on e."companyId" = ${company.id}::uuid and e."id" = s."entryId"`
