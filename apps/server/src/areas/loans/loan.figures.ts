import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../kernel/types.ts'
import { loansPlaced } from './loan.places.ts'
import { bookedSums, firstAbove, joinPast, balancesOn } from './snapshots/balances.ts'

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
    from (${bookedUntil(ctx, day)}) m ${joinPast(ctx, sql`${day}::date`)}
    cross join lateral (
      select coalesce(max(g."dueSoFar") filter (where g."dueOn" <= ${day}::date), 0) as due, min(g."dueOn") filter (where g."dueSoFar" > m.paid) as oldest
      from (${scheduleThen(ctx)}) g) d
    join (${loansPlaced(ctx, day)}) l on l."loanId" = m."loanId"
    join tenant n on n."companyId" = ${ctx.company.id}::uuid and n."id" = l."tenantId"`
}

/**
 * Of loansAsOf only the loans that owe principal, on two days: rows of now (true on the later one), "loanId", principal, dpd, gone, "tenantId", "officerUserId", "productName".
 * Each day begins at the last snapshot before it; `ctes` come before the statement that reads `rows`.
 */
export function loansOwing(ctx: Ctx, { asOf, before }: { asOf: string; before: string }): { ctes: Statement; rows: Statement } {
  const [now, then] = [balancesOn(ctx, { day: asOf, name: 'now' }), balancesOn(ctx, { day: before, name: 'then' })]
  return {
    ctes: sql`
    placed_loan as materialized (select l."companyId", l."id", l."tenantId", l."officerUserId", l."productName", l."deletedAt" from loan l where l."companyId" = ${ctx.company.id}::uuid and l."deletedAt" is null),
    ${now.ctes}, ${then.ctes}`,
    rows: sql`
    select true as now, n.* from (${owingOn(ctx, asOf, now.rows)}) n
    union all
    select false, b.* from (${owingOn(ctx, before, then.rows)}) b`,
  }
}

const owingOn = (ctx: Ctx, day: string, balances: Statement): Statement => sql`
  select m."loanId", l."tenantId", l."officerUserId", l."productName", m.principal, m.gone,
    case when m.gone then 0 else greatest(0, ${day}::date - case when m."isKnown" then m."oldestOn" else (select u."dueOn" from (${firstAbove(ctx, sql`m.paid`)}) u) end) end as dpd
  from (${balances}) m ${joinPast(ctx, sql`${day}::date`)}
  join (${loansPlaced(ctx, day, sql`placed_loan`)}) l on l."loanId" = m."loanId"
  where m.principal > 0`

/** What was booked of each loan until the end of a day. */
const bookedUntil = ({ company }: Ctx, day: string): Statement => sql`
  select x."loanId", ${bookedSums}, min(x."bookedOn") filter (where x."kind" = 'disbursement') as disbursed
  from loan_transaction x where x."companyId" = ${company.id}::uuid and x."bookedOn" <= ${day}::date group by 1`

/** Rows of the schedule of a loan m as it was then. */
export const scheduleThen = ({ company }: Ctx): Statement => sql`
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
 * what is below it, so that a parent is the sum of its children and what it has itself. `also` adds officers or products that hold no loan (`union select …`).
 */
export function groupsOf({ company, scope }: Ctx, by: Grouping, also: Statement = sql``): { groups: Statement; holds: Statement } {
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
      from (select ${own} as key from loan l where l."companyId" = ${company.id}::uuid and l."deletedAt" is null and l."disbursedOn" is not null ${former} ${also}) k`,
    holds: by === 'officer' ? sql`coalesce(f."officerUserId"::text, '') = g.key` : sql`coalesce(f."productName", '') = g.key`,
  }
}
