import { sql } from '@outpost/platform/db/sql'
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
  const { company } = ctx
  return sql`
    select l."loanId", l."tenantId", n."path", l."officerUserId", l."productName", m.principal, m.gone,
      case when m.gone then 0 else greatest(0, ${day}::date - d.oldest) end as dpd, d.due, m.paid,
      case when m.gone then 0 else greatest(0, d.due - m.paid) end as arrears, greatest(0, m.paid - d.due) as advance, m.disbursed
    from (
      select x."loanId", sum(x."principal") as principal, bool_or(x."kind" = 'writeOff') as gone, min(x."bookedOn") filter (where x."kind" = 'disbursement') as disbursed,
        -coalesce(sum(x."principal" + x."interest" + x."fee" + x."insurance") filter (where x."kind" in ('payment', 'reversal')), 0) as paid
      from loan_transaction x where x."companyId" = ${company.id}::uuid and x."bookedOn" <= ${day}::date group by 1) m
    join (
      select i."loanId", i."companyId", array_agg(i."dueOn" order by i."number") as days, array_agg(i."dueSoFar" order by i."number") as sums
      from (${schedulesAsOf(company.id, day)}) i group by 1, 2) s on s."loanId" = m."loanId"
    cross join lateral (
      select coalesce(max(g.total) filter (where g."dueOn" <= ${day}::date), 0) as due, min(g."dueOn") filter (where g.total > m.paid) as oldest
      from unnest(s.days, s.sums) as g("dueOn", total)) d
    join (${loansPlaced(ctx, day)}) l on l."loanId" = m."loanId"
    join tenant n on n."companyId" = ${company.id}::uuid and n."id" = l."tenantId"`
}

/** Rows of each schedule as it was at the end of a day: one that was replaced later counts as it was before. */
const schedulesAsOf = (companyId: string, day: string): Statement => sql`
  select c."companyId", c."loanId", c."number", c."dueOn", c."dueSoFar" from loan_instalment c where c."companyId" = ${companyId}::uuid
    and not exists (select from loan_instalment_past p where p."companyId" = c."companyId" and p."loanId" = c."loanId" and p."replacedOn" > ${day}::date)
  union all
  select p."companyId", p."loanId", p."number", p."dueOn", p."dueSoFar" from loan_instalment_past p where p."companyId" = ${companyId}::uuid and p."replacedOn" > ${day}::date
    and p."changeId" = (select q."changeId" from loan_instalment_past q where q."companyId" = p."companyId" and q."loanId" = p."loanId" and q."replacedOn" > ${day}::date
      order by q."replacedOn", q."replacedAt" limit 1)`

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
