import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../kernel/types.ts'

/** Joins the first transfer of a loan after a day, as `moved`. */
const joinMoved = ({ companyId, loanId, day }: Record<'companyId' | 'loanId' | 'day', Statement>): Statement => sql`
  left join lateral (select rt."id", rt."fromTenantId", rt."fromUserId", rt."label" from record_transfer rt
    where rt."companyId" = ${companyId} and rt."objectType" = 'loan' and rt."objectId" = ${loanId} and rt."transferredOn" > ${day} order by rt."dateCreated", rt."id" limit 1) moved on true`

/** Joins to a loan (alias l) where it was on a day, by the first transfer after it; read with `placeColumns`. */
export const joinPlace = (day: Statement): Statement => joinMoved({ companyId: sql`l."companyId"`, loanId: sql`l."id"`, day })

/** Branch and officer of the day that `joinPlace` was given. */
export const placeColumns = {
  tenantId: sql`coalesce(moved."fromTenantId", l."tenantId")`,
  officerUserId: sql`case when moved."id" is null then l."officerUserId" else moved."fromUserId" end`,
}

/**
 * The loans that were in the caller's reach at the end of a day, with branch and officer of that day: rows of "loanId", "tenantId",
 * "officerUserId", "productName". One that has left the reach since counts where it was, and one that came since does not.
 */
export function loansPlaced({ company, scope }: Pick<Ctx, 'company' | 'scope'>, day: string, from: Statement = sql`loan`): Statement {
  // All transfers since then are read once: there are few beside the loans.
  const moved = sql`
    select distinct on (x."objectId") x.* from record_transfer x
    where x."companyId" = ${company.id}::uuid and x."objectType" = 'loan' and x."transferredOn" > ${day}::date order by x."objectId", x."dateCreated", x."id"`
  return sql`
    select p.* from (
      select l."id" as "loanId", ${placeColumns.tenantId} as "tenantId", ${placeColumns.officerUserId} as "officerUserId", l."productName"
      from ${from} l left join (${moved}) moved on moved."objectId" = l."id" where l."companyId" = ${company.id}::uuid and l."deletedAt" is null
      union all
      select t."objectId", t."fromTenantId", t."fromUserId", t."label" from (${moved}) t
      where not exists (select from loan l where l."companyId" = t."companyId" and l."id" = t."objectId")) p
    where ${scope === '*'} or p."tenantId" = any(${scope === '*' ? [] : [...scope]}::uuid[])`
}

/**
 * Write-offs that were booked after a day and until another one, each in the branch and for the officer of the day it was booked: rows of
 * principal, amount (all that the books lost), "tenantId", "officerUserId", "productName". Reach is that of the day, as loansPlaced has it.
 */
export function writtenOffBetween({ company, scope }: Pick<Ctx, 'company' | 'scope'>, after: string, until: string): Statement {
  // The entry stays where it was booked: whoever reached the loan then reads it there, though the loan has left since.
  const lost = sql`
    (select sum(b."debit" - b."credit") from ledger_line b join ledger_account k on k."companyId" = b."companyId" and k."id" = b."accountId" and k."purpose" = 'writeOffs'
      where b."companyId" = x."companyId" and b."entryId" = x."entryId")`
  return sql`
    select * from (
      select -x."principal" as principal, coalesce(${lost}, 0) as amount, ${placeColumns.tenantId} as "tenantId", ${placeColumns.officerUserId} as "officerUserId",
        coalesce(l."productName", moved."label") as "productName"
      from loan_transaction x left join loan l on l."companyId" = x."companyId" and l."id" = x."loanId"
      ${joinMoved({ companyId: sql`x."companyId"`, loanId: sql`x."loanId"`, day: sql`x."bookedOn"` })}
      where x."companyId" = ${company.id}::uuid and x."kind" = 'writeOff' and x."bookedOn" > ${after}::date and x."bookedOn" <= ${until}::date and l."deletedAt" is null) w
    where ${scope === '*'} or w."tenantId" = any(${scope === '*' ? [] : [...scope]}::uuid[])`
}
