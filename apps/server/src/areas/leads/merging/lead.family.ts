import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../../kernel/types.ts'

/**
 * Ids of a lead and of those that were merged into it, as a subquery. What must never change (status log, consents,
 * assessments) stays filed under the lead it was made for and is read through this.
 */
export const familyOf = (ctx: Ctx, id: string): Statement => sql`(
  with recursive family(id) as (
    select ${id}::uuid
    union select m."loserId" from lead_merge m join family f on f.id = m."winnerId" where m."companyId" = ${ctx.company.id} and m."undoneAt" is null)
  select id from family)`
