import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../kernel/types.ts'
import { sourceOfStatement } from './money-source.ts'
import { pairs } from './statement.pairs.ts'

/**
 * Each line of statements against the money of the books, and the money of their days against the lines: what only one of the two knows, other amounts, other
 * days, what left twice. A file that shows only what came in misses no payout. What takes days to come is named once a statement reaches its last one. Reversed payments count as not booked. With `only`: of one statement.
 */
export const statementCheck = (ctx: Ctx, only: string | null = null): Statement => sql`
  with ${pairs(ctx, only)}, ${likely(ctx)},
  both_sides as (
    select x."id" as line, x."statementId", x."tenantId" as "lineTenant", x."source", x."direction", x.reference, x.nth, x."bookedOn", x."amount" as stated, t.money, null::uuid as covers
    from stated x left join pairs t on t.line = x."id"
    union all
    select null, null, null, m.source, m.direction, m.reference, 1, null, null, m."id", s."id" from money m join lateral (
      select s."id" from money_statement s where s."companyId" = ${ctx.company.id}::uuid and s."status" <> 'Discarded' and s."deletedAt" is null and ${sourceOfStatement(sql`s`)} = m.source
        and (${only}::uuid is null or s."id" = ${only}::uuid) and m.day between s."firstOn" and s."lastOn" and (m.direction = 'in' or s."showsOut")
        and exists (select from money_statement n where n."companyId" = s."companyId" and n."status" <> 'Discarded' and n."deletedAt" is null and ${sourceOfStatement(sql`n`)} = m.source and n."lastOn" >= m.latest and (m.direction = 'in' or n."showsOut"))
      order by s."dateCreated" desc limit 1) s on true
    where m.expected and not exists (select from pairs t where t.money = m."id"))
  select 'statement:' || c."source" || ':' || case c."direction" when 'out' then 'out:' else '' end || coalesce(c.reference, '') || case when c.nth > 1 then ':' || c.nth else '' end || ':' || v.kind || coalesce(':' || c.money, '') as key,
    v.kind, case c."direction" when 'in' then v.what else v."whatLeft" end as what, coalesce(m."tenantId", k."tenantId", c."lineTenant") as "tenantId", coalesce(m."loanId", k."loanId") as "loanId",
    m.payment as "paymentId", coalesce(m.disbursement, k.disbursement) as "disbursementId", coalesce(c."statementId", c.covers) as "statementId", c.line as "lineId", c.reference,
    to_char(c."bookedOn", 'YYYY-MM-DD') as day, to_char(m.day, 'YYYY-MM-DD') as "dayBooked", c.stated, m."amount" as booked
  from both_sides c left join money m on m."id" = c.money left join likely k on k.line = c.line
  cross join lateral (values
    ('Missing here', 'On the statement, not booked', coalesce(k.what, 'Left by the statement, not booked'), c.money is null),
    ('Missing there', 'Booked, not on the statement of its day', 'Paid out, not on the statement of its days', c.line is null),
    ('Other amount', 'Other amount on the statement', 'Other amount left by the statement', c.stated <> m."amount"),
    ('Other day', 'Other day on the statement', 'Left on another day by the statement', c."bookedOn" not between m.earliest and m.latest)) v(kind, what, "whatLeft", applies)
  where v.applies`

const numberOf = sql`'D-' || lpad(d."number"::text, greatest(6, length(d."number"::text)), '0')`
const digitsOf = (text: Statement) => sql`regexp_replace(${text}, '[^0-9]', '', 'g')`

/** What a line that left and nobody booked is likely about: a payout of its amount whose reference or number it names, else whose receiver; once more, or not confirmed here. */
const likely = ({ company }: Ctx): Statement => sql`
  likely as materialized (
    select distinct on (x."id") x."id" as line, d."id" as disbursement, d."loanId", d."tenantId",
      case when d."status" <> 'Confirmed' then 'Left by the statement; its payout is not confirmed' when t.money is null then 'Left by the statement under another reference than its payout' else 'Left twice by the statement' end as what
    from stated x join disbursement d on d."companyId" = ${company.id}::uuid and d."amount" = x."amount" and d."deletedAt" is null and d."channel" <> 'cash'
      and (d."status" in ('Sent', 'Confirmed', 'Failed') or d."status" = 'Rejected' and d."attempts" > 0)
      and x."bookedOn" between least(d."paidOn", d."sentAt"::date) - 1 and greatest(d."paidOn", d."sentAt"::date) + 31
      cross join lateral (select upper(d."providerReference") = x.reference or strpos(upper(x.said), ${numberOf}) > 0 as "isNamed",
        length(${digitsOf(sql`d."payTo"`)}) >= 7 and strpos(${digitsOf(sql`x.said`)}, right(${digitsOf(sql`d."payTo"`)}, 9)) > 0 as "isTo") f
      left join pairs t on t.money = d."id"
    where x."direction" = 'out' and (f."isNamed" or f."isTo") and not exists (select from pairs p where p.line = x."id")
    order by x."id", coalesce(f."isNamed", false) desc, d."status" = 'Confirmed', t.money is null desc, d."sentAt" desc)`
