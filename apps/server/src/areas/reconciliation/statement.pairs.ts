import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../kernel/types.ts'
import { isBankPayment, leavingDays, settlingDays, sourceOfChannel, sourceOfPayment, sourceOfStatement } from './money-source.ts'

/** What a provider says of a reference that was captured by hand with another amount (areas/loans/payments/provider-payment.ts). */
const asSaid = ' \\(as .{1,40} says\\)$'

/** The number of the loan that a line (`x`) names, in SQL: details that are nothing else, or that hold it as L-000012. */
export const loanNamed: Statement = sql`
  coalesce((regexp_match(upper(x."details"), '^ *(?:L-?)?0*([0-9]{1,9}) *$'))[1], (regexp_match(upper(x."details"), '(?:^|[^A-Z0-9])L-0*([0-9]{1,9})(?:[^A-Z0-9]|$)'))[1])`

/**
 * Lines of the statements that were not discarded. One that is in several counts once, as the newest says; with `only`, as that statement says, and the others
 * are those about its days. Of money that left several lines may have one reference (a payout and its charge): they are counted.
 */
const statedOf = ({ company }: Ctx, only: string | null): Statement => sql`
  select distinct on (y."source", y."direction", y.reference, y.nth) y.* from (
    select x."id", x."statementId", x."tenantId", ${sourceOfStatement(sql`s`)} as "source", x."direction", x."bookedOn", x."amount", upper(x."reference") as reference, concat_ws(' ', x."payer", x."details") as said,
      ${loanNamed} as "loanNumber", s."status" = 'Draft' as "isDraft", s."dateCreated", x."position",
      row_number() over (partition by x."statementId", x."direction", upper(x."reference") order by x."bookedOn", x."amount" desc, x."position") as nth
    from money_statement_line x join money_statement s on s."companyId" = x."companyId" and s."id" = x."statementId" and s."status" <> 'Discarded' and s."deletedAt" is null
    where x."companyId" = ${company.id}::uuid and x."verdict" <> 'Ignored' and (${only}::uuid is null or exists (
      select from money_statement o where o."companyId" = s."companyId" and o."id" = ${only}::uuid and ${sourceOfStatement(sql`o`)} = ${sourceOfStatement(sql`s`)} and s."firstOn" <= o."lastOn" + 7 and s."lastOn" >= o."firstOn" - 7))) y
  order by y."source", y."direction", y.reference, y.nth, coalesce(y."statementId" = ${only}::uuid, false) desc, y."isDraft", y."dateCreated" desc, y."position"`

/** Money as the books have it: payments, payouts and refunds, those that left twice and came back, and sales of securities, which need not be on a statement. From `earliest` to `latest` it may be there. */
const moneyOf = ({ company }: Ctx): Statement => sql`
  select * from (
    select 'in' as direction, p."id", p."id" as payment, null::uuid as disbursement, p."loanId", p."tenantId", p."amount", p."paidOn" as day, p."paidOn" as earliest, p."paidOn" + ${settlingDays} as latest,
      upper(regexp_replace(p."providerReference", ${asSaid}, '')) as reference, ${sourceOfPayment} as source, ${isBankPayment} as "isBank", true as expected
    from payment p where p."companyId" = ${company.id}::uuid and p."status" <> 'Reversed' and p."deletedAt" is null
    union all
    select 'out', d."id", null, d."id", d."loanId", d."tenantId", d."amount", d."paidOn", d."paidOn" - case when d."provider" is null then 0 else 1 end, d."paidOn" + ${leavingDays},
      upper(d."providerReference"), coalesce(d."provider", ${sourceOfChannel(sql`d."channel"`, sql`d."network"`)}), d."channel" = 'bank', true
    from disbursement d where d."companyId" = ${company.id}::uuid and d."status" = 'Confirmed' and d."deletedAt" is null and d."paidOn" is not null and d."amount" > 0
    union all
    select 'in', s."id", s."paymentId", null, s."loanId", s."tenantId", s."price", s."soldOn", s."soldOn", s."soldOn" + 7, upper(s."reference"), ${sourceOfChannel(sql`s."channel"`, sql`s."network"`)}, s."channel" = 'bank', false
    from security_sale s where s."companyId" = ${company.id}::uuid and s."status" = 'Booked' and s."deletedAt" is null and s."reference" is not null
    union all
    select 'out', y."id", null, y."disbursementId", y."loanId", y."tenantId", y."amount", y."leftOn", y."leftOn" - 1, y."leftOn" + 3, upper(y."reference"), coalesce(y."provider", ${sourceOfChannel(sql`y."channel"`)}), y."channel" = 'bank', true
    from stray_payout y where y."companyId" = ${company.id}::uuid and y."deletedAt" is null
    union all
    select 'in', e."id", null, y."disbursementId", y."loanId", y."tenantId", y."amount", y."returnedOn", y."returnedOn", y."returnedOn" + 3, upper(y."returnReference"), coalesce(y."provider", ${sourceOfChannel(sql`y."channel"`)}), y."channel" = 'bank', true
    from stray_payout y join ledger_entry e on e."companyId" = y."companyId" and e."key" = 'stray-returned:' || y."id"
    where y."companyId" = ${company.id}::uuid and y."status" = 'Returned' and y."deletedAt" is null) m
  where m.source is not null`

/** A line is of the loan that it names, and of any where it names none; money in suspense is of any. */
const sameLoan = sql`(x."loanNumber" is null or m."loanNumber" is null or x."loanNumber" = m."loanNumber")`
/** Money of a bank is kept as the bank's, by hand or from its statement, or under the name of a bank that signs: a statement of either shows it. */
const isShown = sql`(m.source = x."source" or m."isBank" and x."source" <> 'mpesa' and 'bank' in (m.source, x."source"))`
const isLike = sql`m.direction = x."direction" and m."amount" = x."amount"`
const freeOf = (line: Statement, money: Statement, ...taken: Statement[]): Statement =>
  taken.reduce(
    (all, table) =>
      sql`${all} and not exists (select from ${table} t where t.line = ${line}) and not exists (select from ${table} t where t.money = ${money})`,
    sql`true`,
  )

/**
 * CTEs that say which line is which money: `stated`, `money` and `pairs` (line, money, isSilent). First by reference; then what was captured without one, by amount
 * and day, each line for one: those for one loan first, then lines that name none, then what takes days to settle.
 */
export const pairs = (ctx: Ctx, only: string | null = null): Statement => sql`
  stated as materialized (${statedOf(ctx, only)}),
  money as materialized (${moneyOf(ctx)}),
  named as materialized (
    select distinct on (c.money, c."source") c.line, c.money from (
      select distinct on (x."id") x."id" as line, x."source", x.nth, m."id" as money, m."amount" = x."amount" as same
      from stated x join money m on m.reference = x.reference and m.direction = x."direction" and ${isShown} order by x."id", same desc, m.source = x."source" desc, m.day, m."id") c
    order by c.money, c."source", c.same desc, c.nth),
  loose as materialized (select x.*, row_number() over (partition by x."source", x."direction", x."amount", x."bookedOn", x."loanNumber" order by x.reference, x.nth) as n
    from stated x where not exists (select from named t where t.line = x."id")),
  silent as materialized (select m.*, l."number"::text as "loanNumber", row_number() over (partition by m.source, m.direction, m."amount", m.day, l."number" order by m."id") as n
    from money m left join loan l on l."companyId" = ${ctx.company.id}::uuid and l."id" = m."loanId" where m.reference is null and m.expected),
  ofloan as materialized (select x."id" as line, m."id" as money from loose x join silent m on m.source = x."source" and ${isLike} and m.day = x."bookedOn" and m."loanNumber" = x."loanNumber" and m.n = x.n),
  ofany as materialized (select x."id" as line, m."id" as money
    from (select x.*, row_number() over (partition by x."source", x."direction", x."amount", x."bookedOn" order by x.reference, x.nth) as k from loose x where x."loanNumber" is null) x
    join (select m.*, row_number() over (partition by m.source, m.direction, m."amount", m.day order by m."id") as k from silent m where not exists (select from ofloan t where t.money = m."id")) m
      on m.source = x."source" and ${isLike} and m.day = x."bookedOn" and m.k = x.k),
  later as materialized (
    select distinct on (c.money) c.line, c.money from (
      select distinct on (x."id") x."id" as line, x."bookedOn", m."id" as money from loose x join silent m on ${isShown} and ${isLike} and x."bookedOn" between m.earliest and m.latest and ${sameLoan}
      where ${freeOf(sql`x."id"`, sql`m."id"`, sql`ofloan`, sql`ofany`)} order by x."id", m.day, m."id") c
    order by c.money, c."bookedOn", c.line),
  pairs as materialized (
    select line, money, false as "isSilent" from named union all select line, money, true from ofloan union all select line, money, true from ofany union all select line, money, true from later)`
