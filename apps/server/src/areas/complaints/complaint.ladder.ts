import { sql } from '@outpost/platform/db/sql'
import { escalations, type Rung } from '@outpost/rules/complaints/complaint-clocks'
import { notify } from '../../kernel/realtime/notify.ts'
import type { Ctx } from '../../kernel/types.ts'
import { complaintNews } from './complaint.news.ts'

/** Roles on each rung: the team leader, the branch, and who answers for the company. */
const rolesOf: Readonly<Record<Rung, readonly string[]>> = {
  leader: ['leader'],
  branch: ['branch', 'regional', 'zonal'],
  company: ['md', 'company-admin', 'admin'],
}
const ladder: readonly Rung[] = escalations.map(({ rung }) => rung)

export interface Escalated {
  id: string
  tenantId: string
  accusedUserId: string | null
  ownerUserId: string | null
}

/** The people on a rung of the ladder, or on the next rung that has somebody; never the person whom the complaint is about. */
async function peopleOn(ctx: Ctx, { tenantId, accusedUserId }: Escalated, rung: Rung): Promise<string[]> {
  for (const step of ladder.slice(ladder.indexOf(rung))) {
    const found = await ctx.sql.query<{ id: string }>(sql`
      select distinct u."id" from app_user u
        join user_tenant m on m."companyId" = u."companyId" and m."userId" = u."id"
        join tenant t on t."companyId" = m."companyId" and t."id" = ${tenantId}::uuid and m."tenantId" = any(t."path")
        join user_role ur on ur."companyId" = u."companyId" and ur."userId" = u."id"
        join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId" and r."systemRole" = any(${rolesOf[step]}::text[])
      where u."companyId" = ${ctx.company.id}::uuid and u."status" = 1 and u."deletedAt" is null and not u."isProgram"
        and u."id" is distinct from ${accusedUserId}::uuid order by u."id" limit 50`)
    if (found.length > 0) return found.map(({ id }) => id)
  }
  return []
}

/** Tells a rung of the ladder, and who handles the complaint, how far a clock has run. */
export async function notifyRung(ctx: Ctx, complaint: Escalated, { rung, message }: { rung: Rung; message: string }): Promise<void> {
  const people = [...(await peopleOn(ctx, complaint, rung)), ...(complaint.ownerUserId ? [complaint.ownerUserId] : [])]
  for (const userId of new Set(people)) await notifyPerson(ctx, complaint, { userId, message })
}

/** One person of the company, unless it is whom the complaint is about. */
export async function notifyPerson(
  ctx: Ctx,
  { id, accusedUserId }: Escalated,
  { userId, message }: { userId: string; message: string },
): Promise<void> {
  if (userId === accusedUserId) return
  await notify(ctx, { userId, itemType: 'Message', kind: complaintNews, itemId: id, message, link: `/complaint/view?id=${id}` })
}
