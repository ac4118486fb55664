import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../kernel/types.ts'
import { settlingDays, sourceOfPayment } from './money-source.ts'

/** What M-Pesa says of a reference that was captured by hand with another amount (areas/loans/payments/mpesa.ts). */
const asSaid = ' \\(as M-Pesa says\\)$'

/**
 * Each line of statements that were not discarded against the payments of its source, and the payments of their days against the lines: money that only one of the
 * two knows, other amounts, other days. A cheque or card payment may come some days later. A line that is in several statements counts once; reversed payments count as not booked.
 */
export const statementCheck = ({ company }: Ctx): Statement => sql`
  with stated as materialized (
    select distinct on (s."source", upper(x."reference")) x."id", x."statementId", s."source", x."tenantId", x."bookedOn", x."amount", upper(x."reference") as reference
    from money_statement_line x join money_statement s on s."companyId" = x."companyId" and s."id" = x."statementId" and s."status" <> 'Discarded' and s."deletedAt" is null
    where x."companyId" = ${company.id}::uuid and x."verdict" <> 'Ignored' order by s."source", upper(x."reference"), s."status" = 'Draft', s."dateCreated" desc, x."position"),
  booked as materialized (
    select p."id", p."loanId", p."tenantId", p."amount", p."paidOn", p."paidOn" + ${settlingDays} as latest, upper(regexp_replace(p."providerReference", ${asSaid}, '')) as reference, f.source
    from payment p cross join lateral (select ${sourceOfPayment} as source) f
    where p."companyId" = ${company.id}::uuid and p."status" <> 'Reversed' and p."deletedAt" is null and p."providerReference" is not null and f.source is not null),
  pairs as (
    select x."id" as line, x."statementId", x."tenantId" as "lineTenant", x."bookedOn", x."amount" as stated, p."id" as payment, p."tenantId" as "paymentTenant", p."loanId", p."amount" as booked, p."paidOn", p.latest,
      coalesce(x.reference, p.reference) as reference, coalesce(x."source", p.source) as source
    from stated x full join booked p on p.source = x."source" and p.reference = x.reference),
  covered as (
    select pairs.*, (select s."id" from money_statement s where s."companyId" = ${company.id}::uuid and s."status" <> 'Discarded' and s."deletedAt" is null and s."source" = pairs.source
      and pairs."paidOn" between s."firstOn" and s."lastOn" and exists (select from money_statement n where n."companyId" = s."companyId" and n."status" <> 'Discarded' and n."deletedAt" is null
        and n."source" = s."source" and n."lastOn" >= pairs.latest) order by s."dateCreated" desc limit 1) as "covers" from pairs)
  select 'statement:' || c.source || ':' || c.reference || ':' || v.kind || coalesce(':' || c.payment, '') as key, v.kind, v.what, coalesce(c."paymentTenant", c."lineTenant") as "tenantId", c."loanId",
    c.payment as "paymentId", coalesce(c."statementId", c."covers") as "statementId", c.line as "lineId", c.reference, to_char(c."bookedOn", 'YYYY-MM-DD') as day, to_char(c."paidOn", 'YYYY-MM-DD') as "dayBooked",
    c.stated, c.booked
  from covered c cross join lateral (values
    ('Missing here', 'On the statement, not booked', c.payment is null),
    ('Missing there', 'Booked, not on the statement of its day', c.line is null and c."covers" is not null),
    ('Other amount', 'Other amount on the statement', c.stated <> c.booked),
    ('Other day', 'Other day on the statement', c."bookedOn" not between c."paidOn" and c.latest)) v(kind, what, applies)
  where v.applies`
