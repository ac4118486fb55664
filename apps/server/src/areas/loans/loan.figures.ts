import { identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../kernel/types.ts'
import { loansPlaced } from './loan.places.ts'

/**
 * Every loan in reach as of the end of a day, from what was booked until then: rows of "loanId", principal (owed), dpd (days past due), due and paid (without
 * penalties, since the payout), arrears (due and not paid), advance (paid and not due yet), gone (written off by then), "tenantId", "path", "officerUserId",
 * "productName". A day that is over gives the same rows whenever it is asked for: entries are booked on the day they are made (domain 4.8),
 * and branch and officer are those of that day.
 */
export function loansAsOf(ctx: Ctx, day: string): Statement {
  return sql`
    select m."loanId", l."tenantId", n."path", l."officerUserId", l."productName", m.principal, m.gone,
      case when m.gone then 0 else greatest(0, ${day}::date - d.oldest) end as dpd, d.due, m.paid,
      case when m.gone then 0 else greatest(0, d.due - m.paid) end as arrears, greatest(0, m.paid - d.due) as advance, m.disbursed
    from (${bookedUntil(ctx, day)}) m ${joinPast(ctx, day)}
    cross join lateral (
      select coalesce(max(g."dueSoFar") filter (where g."dueOn" <= ${day}::date), 0) as due, min(g."dueOn") filter (where g."dueSoFar" > m.paid) as oldest
      from (${scheduleThen(ctx)}) g) d
    join (${loansPlaced(ctx, day)}) l on l."loanId" = m."loanId"
    join tenant n on n."companyId" = ${ctx.company.id}::uuid and n."id" = l."tenantId"`
}

/**
 * Of loansAsOf only the loans that owe principal, on two days: rows of now (true on the later one), principal, dpd, gone, "tenantId", "officerUserId", "productName".
 * The later day is the earlier one and what was booked between them, so the ledger is summed once; `ctes` come before the statement that reads `rows`.
 */
export function loansOwing(ctx: Ctx, { asOf, before }: { asOf: string; before: string }): { ctes: Statement; rows: Statement } {
  const company = sql`${ctx.company.id}::uuid`
  return {
    ctes: sql`
    placed_loan as materialized (select l."companyId", l."id", l."tenantId", l."officerUserId", l."productName", l."deletedAt" from loan l where l."companyId" = ${company} and l."deletedAt" is null),
    booked_before as materialized (${bookedUntil(ctx, before)}),
    booked_since as materialized (${bookedWithin(ctx, sql`x."bookedOn" > ${before}::date and x."bookedOn" <= ${asOf}::date`)}),
    booked_now as materialized (
      select coalesce(b."loanId", s."loanId") as "loanId", coalesce(b.principal, 0) + coalesce(s.principal, 0) as principal, coalesce(b.gone, false) or coalesce(s.gone, false) as gone,
        coalesce(b.paid, 0) + coalesce(s.paid, 0) as paid
      from booked_before b full join booked_since s on s."loanId" = b."loanId")`,
    rows: sql`
    select true as now, n.* from (${owingOn(ctx, asOf, sql`booked_now`)}) n
    union all
    select false, b.* from (${owingOn(ctx, before, sql`booked_before`)}) b`,
  }
}

function owingOn(ctx: Ctx, day: string, booked: Statement): Statement {
  // The first row that what was paid does not reach, by the index of the sums: one look a loan, in the schedule that the day had.
  const oldest = (table: 'loan_instalment' | 'loan_instalment_past', which: Statement) => sql`
    (select i."dueOn" from ${identifier(table)} i where i."companyId" = ${ctx.company.id}::uuid and i."loanId" = m."loanId" and i."dueSoFar" > m.paid and ${which}
      order by i."dueSoFar", i."dueOn" limit 1)`
  return sql`
    select l."tenantId", l."officerUserId", l."productName", m.principal, m.gone,
      case when m.gone then 0 else greatest(0, ${day}::date -
        case when past."changeId" is null then ${oldest('loan_instalment', sql`true`)} else ${oldest('loan_instalment_past', sql`i."changeId" = past."changeId"`)} end) end as dpd
    from ${booked} m ${joinPast(ctx, day)}
    join (${loansPlaced(ctx, day, sql`placed_loan`)}) l on l."loanId" = m."loanId"
    where m.principal > 0`
}

const bookedUntil = (ctx: Ctx, day: string): Statement => bookedWithin(ctx, sql`x."bookedOn" <= ${day}::date`)
const bookedWithin = ({ company }: Ctx, when: Statement): Statement => sql`
  select x."loanId", sum(x."principal") as principal, bool_or(x."kind" = 'writeOff') as gone, min(x."bookedOn") filter (where x."kind" = 'disbursement') as disbursed,
    -coalesce(sum(x."principal" + x."interest" + x."fee" + x."insurance") filter (where x."kind" in ('payment', 'reversal')), 0) as paid
  from loan_transaction x where x."companyId" = ${company.id}::uuid and ${when} group by 1`

/** A schedule that was replaced after the day counts as it was before: the first change since then kept it. */
const joinPast = ({ company }: Ctx, day: string): Statement => sql`
  left join (
    select distinct on (q."loanId") q."loanId", q."changeId" from loan_instalment_past q
    where q."companyId" = ${company.id}::uuid and q."replacedOn" > ${day}::date order by q."loanId", q."replacedOn", q."replacedAt") past on past."loanId" = m."loanId"`

/** Rows of the schedule of a loan m as it was then. */
const scheduleThen = ({ company }: Ctx): Statement => sql`
  select i."dueOn", i."dueSoFar" from loan_instalment i where i."companyId" = ${company.id}::uuid and i."loanId" = m."loanId" and past."changeId" is null
  union all
  select p."dueOn", p."dueSoFar" from loan_instalment_past p where p."companyId" = ${company.id}::uuid and p."loanId" = m."loanId" and p."changeId" = past."changeId"`

export const groupings = [
  { value: 'tenant', label: 'Branch' },
  { value: 'officer', label: 'Officer' },
  { value: 'product', label: 'Product' },
] as const
export type Grouping = (typeof groupings)[number]['value']

/**
 * The groups that a report has rows for, and which loans f each holds: rows of key, name, place and "terms" (what a list of its loans is filtered by). A tenant holds
 * what is below it, so that a parent is the sum of its children and what it has itself.
 */
export function groupsOf({ company, scope }: Ctx, by: Grouping): { groups: Statement; holds: Statement } {
  if (by === 'tenant')
    return {
      groups: sql`
        select t."id"::text as key, repeat('    ', greatest(0, cardinality(t."path") - 1)) || t."name" as name, array_to_string(array(select p."name" from unnest(t."path") with ordinality u(id, i)
          join tenant p on p."companyId" = t."companyId" and p."id" = u.id order by u.i), ' / ') as place,
          jsonb_build_array(jsonb_build_object('field', 'tenantId', 'op', 'in', 'value', (select jsonb_agg(b."id") from tenant b where b."companyId" = t."companyId" and b."path" @> array[t."id"]))) as terms
        from tenant t where t."companyId" = ${company.id}::uuid and t."deletedAt" is null and (${scope === '*'} or t."id" = any(${scope === '*' ? [] : [...scope]}::uuid[]))`,
      holds: sql`f."path" @> array[g.key::uuid]`,
    }
  const own = by === 'officer' ? sql`l."officerUserId"::text` : sql`l."productName"`
  // Whoever looked after loans before has rows of a past day.
  const former = sql`union select ${by === 'officer' ? sql`x."fromUserId"::text` : sql`x."label"`} from record_transfer x where x."companyId" = ${company.id}::uuid and x."objectType" = 'loan'`
  const name =
    by === 'officer'
      ? sql`(select concat_ws(' ', u."firstName", nullif(u."lastName", '')) from app_user u where u."companyId" = ${company.id}::uuid and u."id"::text = k.key)`
      : sql`k.key`
  const field = by === 'officer' ? 'officerUserId' : 'productName'
  return {
    groups: sql`
      select coalesce(k.key, '') as key, coalesce(${name}, '–') as name, coalesce(${name}, '–') as place,
        jsonb_build_array(case when k.key is null then jsonb_build_object('field', ${field}::text, 'op', 'empty') else jsonb_build_object('field', ${field}::text, 'op', 'eq', 'value', k.key) end) as terms
      from (select ${own} as key from loan l where l."companyId" = ${company.id}::uuid and l."deletedAt" is null and l."disbursedOn" is not null ${former}) k`,
    holds: by === 'officer' ? sql`coalesce(f."officerUserId"::text, '') = g.key` : sql`coalesce(f."productName", '') = g.key`,
  }
}
