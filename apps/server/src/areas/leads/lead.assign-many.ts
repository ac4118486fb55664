import { Failure } from '@outpost/contract/errors'
import type { Assignees, Verdict } from '@outpost/contract/assigning'
import { sql } from '@outpost/platform/db/sql'
import { openLeadStatuses } from '@outpost/rules/lead-stage'
import { z } from 'zod'
import { visibleRows } from '../../kernel/resource/query.ts'
import { getRecord, updateRecord } from '../../kernel/resource/records.ts'
import { userInReach } from '../../kernel/session/reach.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { giveLead, tellAgent } from './lead.handlers.ts'
import { lead } from './lead.resource.ts'
import { lastMove, returnStatus, undoMinutes } from './lead.return.ts'

export const idsInput = z.strictObject({ ids: z.array(idSchema).min(1).max(500) })
export const manyInput = z.strictObject({
  assignments: z.array(z.strictObject({ id: idSchema, userId: idSchema })).min(1).max(500)
    .refine((given) => new Set(given.map(({ id }) => id.toLowerCase())).size === given.length, 'names a lead twice'),
})

/** Who may be given leads and how many open ones each has, as far as the caller sees; and where the chosen leads stand. */
export async function leadAssignees(ctx: Ctx, { ids }: z.infer<typeof idsInput>): Promise<Answer> {
  const records = await ctx.sql.query(sql`
    select t."id" as "Id", t."assignedUserId" as "holderId", t."status" = any(${openLeadStatuses}::text[]) as "isOpen"
    from lead t where ${visibleRows(ctx, lead)} and t."id" = any(${ids}::uuid[])`) as unknown as Assignees['records']
  const agents = await ctx.sql.query(sql`
    with load as (
      select t."assignedUserId" as id, count(*)::int as open from lead t
      where ${visibleRows(ctx, lead)} and t."assignedUserId" is not null and t."status" = any(${openLeadStatuses}::text[]) group by 1)
    select u."id" as "Id", concat_ws(' ', u."firstName", u."lastName") as name, coalesce(load.open, 0) as open,
      (select n."name" from user_tenant m join tenant n on n."companyId" = m."companyId" and n."id" = m."tenantId"
        where m."companyId" = u."companyId" and m."userId" = u."id" order by m."position" limit 1) as place
    from app_user u left join load on load.id = u."id"
    where u."companyId" = ${ctx.company.id}::uuid and u."deletedAt" is null and u."status" = 1 and ${userInReach(ctx, 'u') ?? sql`true`}
    order by name, u."id" limit 1000`) as unknown as Assignees['agents']
  return { data: { records, agents } satisfies Assignees }
}

/** Gives each lead to its agent; what cannot be done is said lead by lead, and the others are done all the same. */
export async function assignMany(ctx: Ctx, { assignments }: z.infer<typeof manyInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const agents = await agentsOf(inner, assignments.map(({ userId }) => userId))
    const results: Verdict[] = []
    for (const { id, userId } of assignments) results.push(await verdictOn(inner, id, (own) => assignOne(own, id, agents.get(userId.toLowerCase()))))
    const done = new Set(results.filter(({ isDone }) => isDone).map(({ Id }) => Id))
    const given = Map.groupBy(assignments.filter(({ id }) => done.has(id)), ({ userId }) => userId)
    for (const [userId, leads] of given) await tellAgent(inner, userId, leads.map(({ id }) => id))
    return { data: { results }, message: `${counted(done.size)} assigned` }
  })
}

interface Agent { id: string, name: string }

/** Active users in the caller's reach, by id. */
async function agentsOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Agent>> {
  const rows = await ctx.sql.query<Agent>(sql`
    select u."id", concat_ws(' ', u."firstName", u."lastName") as name from app_user u
    where u."companyId" = ${ctx.company.id}::uuid and u."id" = any(${[...new Set(ids)]}::uuid[]) and u."status" = 1 and u."deletedAt" is null and ${userInReach(ctx, 'u') ?? sql`true`}`)
  return new Map(rows.map((agent) => [agent.id, agent]))
}

/** Nothing of a lead that was refused stays. */
async function verdictOn(ctx: Ctx, id: string, run: (ctx: Ctx) => Promise<string | undefined>): Promise<Verdict> {
  try {
    const refusal = await ctx.transaction(run)
    return refusal === undefined ? { Id: id, isDone: true } : { Id: id, isDone: false, message: refusal }
  } catch (error) {
    if (error instanceof Failure) return { Id: id, isDone: false, message: error.message }
    throw error
  }
}

async function assignOne(ctx: Ctx, id: string, agent: Agent | undefined): Promise<string | undefined> {
  if (!agent) return 'The chosen person is not an active user in your reach.'
  const before = await getRecord(ctx, lead, id)
  if (before['assignedUserId'] === agent.id) return `${agent.name} has this lead already.`
  const place = await placeFor(ctx, { leadId: id, userId: agent.id })
  if (!place) return `${agent.name} works elsewhere and could not open this lead.`
  await giveLead(ctx, id, { userId: agent.id, tenantId: place.isBelow ? place.id : undefined })
  return undefined
}

/** Where the agent can see the lead: at or above the lead's own tenant, else below it, to where the lead moves down. As the assignment rules have it. */
function placeFor(ctx: Ctx, { leadId, userId }: { leadId: string, userId: string }): Promise<{ id: string, isBelow: boolean } | null | undefined> {
  return ctx.sql.maybe<{ id: string, isBelow: boolean }>(sql`
    select n."id", not n."id" = any(own."path") as "isBelow"
    from lead l join tenant own on own."companyId" = l."companyId" and own."id" = l."tenantId"
      join user_tenant m on m."companyId" = l."companyId" and m."userId" = ${userId}
      join tenant n on n."companyId" = m."companyId" and n."id" = m."tenantId"
    where l."companyId" = ${ctx.company.id} and l."id" = ${leadId} and (n."id" = any(own."path") or own."id" = any(n."path"))
    order by "isBelow", m."position" limit 1`)
}

/** Takes back what the caller has just given away: holder and status as before, where nothing has happened with the lead since. */
export async function undoAssignments(ctx: Ctx, { ids }: z.infer<typeof idsInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const lost: string[] = []
    const results: Verdict[] = []
    for (const id of new Set(ids)) results.push(await verdictOn(inner, id, (own) => takeBack(own, id, lost)))
    for (const [userId, gone] of Map.groupBy(lost, (holder) => holder)) {
      if (userId !== inner.user.id) await notify(inner, { userId, itemType: 'Message', kind: 'leads', message: `${counted(gone.length)} given to you by mistake ${gone.length === 1 ? 'was' : 'were'} taken back`, link: '/sales/leads' })
    }
    return { data: { results }, message: `${counted(results.filter(({ isDone }) => isDone).length)} taken back` }
  })
}

interface Given { id: string, userId: string, formerUserId: string | null, formerTenantId: string, formerStatus: string }

async function takeBack(ctx: Ctx, leadId: string, lost: string[]): Promise<string | undefined> {
  const now = await getRecord(ctx, lead, leadId)
  const given = await ctx.sql.maybe<Given>(sql`
    select "id", "userId", "formerUserId", "formerTenantId", "formerStatus" from lead_assignment
    where "companyId" = ${ctx.company.id} and "leadId" = ${leadId} and "endedAt" is null and "assignedByUserId" = ${ctx.user.id} and "ruleId" is null
      and "formerStatus" is not null and "dateCreated" > now() - make_interval(mins => ${undoMinutes})`)
  if (!given || now['assignedUserId'] !== given.userId) return 'Somebody else has decided on it since, or it was given away too long ago.'
  const refusal = await returnStanding(ctx, leadId, { now: String(now['status']), former: given.formerStatus })
  if (refusal) return refusal
  await updateRecord(ctx, lead, leadId, { assignedUserId: given.formerUserId, tenantId: given.formerTenantId })
  await reopenFormer(ctx, leadId, given)
  lost.push(given.userId)
  return undefined
}

/** Where giving it away moved the lead, it goes back; where others have moved it since, it stays. */
async function returnStanding(ctx: Ctx, leadId: string, { now, former }: { now: string, former: string }): Promise<string | undefined> {
  if (now === former) return undefined
  const move = await lastMove(ctx, leadId)
  if (now !== 'Assigned' || move?.to !== 'Assigned' || move.former.status !== former || !move.isOwn) return `It is ${now} by now: somebody works with it already.`
  await returnStatus(ctx, leadId, move.former)
  return undefined
}

/** The history says that it was given and taken back at once, and that the former holder has had it all along. */
async function reopenFormer(ctx: Ctx, leadId: string, { id, formerUserId }: Given): Promise<void> {
  const own = sql`"companyId" = ${ctx.company.id} and "leadId" = ${leadId}`
  await ctx.sql.exec(sql`
    update lead_assignment set "endedAt" = null where ${own} and "userId" = ${formerUserId}
      and "endedAt" = (select "dateCreated" from lead_assignment where ${own} and "id" = ${id})`)
  await ctx.sql.exec(sql`update lead_assignment set "endedAt" = "dateCreated", "explanation" = 'Taken back' where ${own} and "id" = ${id}`)
}

const counted = (count: number) => count === 1 ? '1 lead' : `${count} leads`
