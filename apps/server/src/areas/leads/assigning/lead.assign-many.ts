import { sql } from '@outpost/platform/db/sql'
import { openLeadStatuses } from '@outpost/rules/leads/lead-stage'
import { assigningOf, undoMinutes, type Agent } from '../../../kernel/assigning.ts'
import { notify } from '../../../kernel/realtime/notify.ts'
import { visibleRows } from '../../../kernel/resource/read/query.ts'
import { getRecord, updateRecord } from '../../../kernel/resource/records.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { giveLead, notifyAgent } from '../lead.handlers.ts'
import { leadNews } from '../lead.news.ts'
import { lead } from '../lead.resource.ts'
import { lastMove, returnStatus } from '../lead.return.ts'

/** Leads given away in bulk: to whom, with what verdicts, and taken back. */
export const {
  assignees: leadAssignees,
  assignMany,
  undoAssignments,
} = assigningOf({
  words: { one: 'lead', many: 'leads' },
  records: (ctx, ids) => sql`
    select t."id" as "Id", array_remove(array[t."assignedUserId"], null) as "holderIds", t."status" = any(${openLeadStatuses}::text[]) as "isOpen"
    from lead t where ${visibleRows(ctx, lead)} and t."id" = any(${ids}::uuid[])`,
  loads: (ctx) => sql`
    select t."assignedUserId" as id, count(*)::int as open from lead t
    where ${visibleRows(ctx, lead)} and t."assignedUserId" is not null and t."status" = any(${openLeadStatuses}::text[]) group by 1`,
  give,
  tell: notifyAgent,
  takeBack,
  tellLost: async (ctx, userId, message) =>
    void (await notify(ctx, { userId, itemType: 'Message', kind: leadNews, message, link: '/sales/leads' })),
})

async function give(ctx: Ctx, id: string, agent: Agent): Promise<string | undefined> {
  const before = await getRecord(ctx, lead, id)
  if (before['assignedUserId'] === agent.id) return `${agent.name} has this lead already.`
  const place = await placeFor(ctx, { leadId: id, userId: agent.id })
  if (!place) return `${agent.name} works elsewhere and could not open this lead.`
  await giveLead(ctx, id, { userId: agent.id, tenantId: place.isBelow ? place.id : undefined })
  return undefined
}

/** Where the agent can see the lead: at or above the lead's own tenant, else below it, to where the lead moves down. As the assignment rules have it. */
function placeFor(
  ctx: Ctx,
  { leadId, userId }: { leadId: string; userId: string },
): Promise<{ id: string; isBelow: boolean } | null | undefined> {
  return ctx.sql.maybe<{ id: string; isBelow: boolean }>(sql`
    select n."id", not n."id" = any(own."path") as "isBelow"
    from lead l join tenant own on own."companyId" = l."companyId" and own."id" = l."tenantId"
      join user_tenant m on m."companyId" = l."companyId" and m."userId" = ${userId}
      join tenant n on n."companyId" = m."companyId" and n."id" = m."tenantId"
    where l."companyId" = ${ctx.company.id} and l."id" = ${leadId} and (n."id" = any(own."path") or own."id" = any(n."path"))
    order by "isBelow", m."position" limit 1`)
}

interface Given {
  id: string
  userId: string
  formerUserId: string | null
  formerTenantId: string
  formerStatus: string
}

/** Holder and status as before, where nothing has happened with the lead since. */
async function takeBack(ctx: Ctx, leadId: string): Promise<string | { lost: string }> {
  const now = await getRecord(ctx, lead, leadId)
  const given = await ctx.sql.maybe<Given>(sql`
    select "id", "userId", "formerUserId", "formerTenantId", "formerStatus" from lead_assignment
    where "companyId" = ${ctx.company.id} and "leadId" = ${leadId} and "endedAt" is null and "assignedByUserId" = ${ctx.user.id} and "ruleId" is null
      and "formerStatus" is not null and "dateCreated" > now() - make_interval(mins => ${undoMinutes})`)
  if (!given || now['assignedUserId'] !== given.userId) return 'Somebody else has decided on it since, or it was given away too long ago.'
  const values = { assignedUserId: given.formerUserId, tenantId: given.formerTenantId }
  const refusal = await returnAs(ctx, leadId, { now: String(now['status']), former: given.formerStatus, values })
  if (refusal) return refusal
  await reopenFormer(ctx, leadId, given)
  return { lost: given.userId }
}

/** Where giving it away moved the lead, it goes back; where others have moved it since, it stays. */
async function returnAs(
  ctx: Ctx,
  leadId: string,
  { now, former, values }: { now: string; former: string; values: { assignedUserId: string | null; tenantId: string } },
): Promise<string | undefined> {
  if (now === former) {
    await updateRecord(ctx, lead, leadId, values)
    return undefined
  }
  const move = await lastMove(ctx, leadId)
  if (now !== 'Assigned' || move?.to !== 'Assigned' || move.former.status !== former || !move.isOwn)
    return `It is ${now} by now: somebody works with it already.`
  await returnStatus(ctx, leadId, move.former, values)
  return undefined
}

/** The history says that it was given and taken back at once, and that the former holder has had it all along. */
async function reopenFormer(ctx: Ctx, leadId: string, { id, formerUserId }: Given): Promise<void> {
  const own = sql`"companyId" = ${ctx.company.id} and "leadId" = ${leadId}`
  // One at most: times are of milliseconds, and some may have ended in the same one.
  await ctx.sql.exec(sql`
    update lead_assignment set "endedAt" = null where ${own} and "id" = (
      select "id" from lead_assignment where ${own} and "userId" = ${formerUserId} and "id" <> ${id} and "explanation" is distinct from 'Taken back'
        and "endedAt" = (select "dateCreated" from lead_assignment where ${own} and "id" = ${id})
      order by "dateCreated" desc, "id" desc limit 1)`)
  await ctx.sql.exec(sql`update lead_assignment set "endedAt" = "dateCreated", "explanation" = 'Taken back' where ${own} and "id" = ${id}`)
}
