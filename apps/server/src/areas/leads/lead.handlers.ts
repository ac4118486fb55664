import { pick } from 'es-toolkit/object/pick'
import { fail } from '@outpost/contract/errors'
import { optionalNumber, identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { nextLeadStatuses } from '@outpost/rules/leads/lead-status'
import { recordSchema } from '../../kernel/resource/answers.ts'
import { listRecords } from '../../kernel/resource/read/list.ts'
import { getRecord, updateRecord } from '../../kernel/resource/records.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { refuseUsersBeyondReach } from '../../kernel/session/reach.ts'
import { nameOf } from '../../kernel/names.ts'
import { convertLead } from './lead.convert.ts'
import { leadNews } from './lead.news.ts'
import { lead } from './lead.resource.ts'

export const statusInput = z.strictObject({
  id: idSchema,
  status: z.string().trim().min(1).max(60),
  reason: z.string().trim().max(300).nullish(),
  latitude: optionalNumber(z.number().min(-90).max(90)),
  longitude: optionalNumber(z.number().min(-180).max(180)),
})

/** A lead that was converted comes with its client. */
export const statusAnswer = () =>
  z.strictObject({ lead: recordSchema(lead, 'detail'), client: z.looseObject({ Id: identifierSchema }).optional() })

/** Moves a lead along its lifecycle; where that was is kept with the move. */
export async function setLeadStatus(ctx: Ctx, { id, status, reason, latitude, longitude }: z.infer<typeof statusInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    if (latitude !== undefined && longitude !== undefined) {
      await inner.sql.exec(sql`select set_config('app.position', ${`${latitude},${longitude}`}, true)`)
    }
    const before = await getRecord(inner, lead, id)
    if (status === before['status'])
      fail('ILLEGAL_TRANSITION', { message: `The lead is ${status} already.`, details: { allowed: nextLeadStatuses(status) } })
    if (status === 'Converted') return convertByStatus(inner, id)
    const saved = await updateRecord(inner, lead, id, { status, statusReason: reason ?? null })
    return { data: { lead: saved }, message: 'Lead status updated successfully' }
  })
}

/** Converted means a client: the same call as "Make a client", under its own permission. */
async function convertByStatus(ctx: Ctx, id: string): Promise<Answer> {
  if (!holdsAny(ctx, 'CLIENTS/CREATE')) fail('FORBIDDEN')
  return { data: { ...(await convertLead(ctx, id)) }, message: 'Lead status updated successfully' }
}

const ids = z.array(idSchema).min(1).max(500)
export const assignInput = z
  .strictObject({
    leadId: idSchema.optional(),
    ids: ids.optional(),
    userId: idSchema.optional(),
    agentId: idSchema.optional(),
  })
  .refine((input) => input.leadId ?? input.ids, { path: ['leadId'], error: 'say which lead, or ids of several' })
  .refine((input) => input.userId ?? input.agentId, { path: ['userId'], error: 'say which agent' })

/** Gives one or many leads to an agent of the caller's reach, all or none; keeps the history and notifies the agent. */
export async function assignLeads(ctx: Ctx, input: z.infer<typeof assignInput>): Promise<Answer> {
  const agentId = (input.userId ?? input.agentId) as string
  const leadIds = [...new Set([...(input.ids ?? []), ...(input.leadId ? [input.leadId] : [])])]
  return withStream(ctx, async (inner) => {
    const agent = await findAgent(inner, agentId)
    const saved: Record<string, unknown>[] = []
    for (const id of leadIds) saved.push(await giveLead(inner, id, { userId: agentId }))
    const message = leadIds.length === 1 ? `${agent.name} has a new lead` : `${agent.name} has ${leadIds.length} new leads`
    await notifyAgent(inner, agentId, leadIds)
    return { data: { leads: saved, lead: saved[0] }, message }
  })
}

/** Tells an agent once about the leads that somebody else has just given them. */
export async function notifyAgent(ctx: Ctx, userId: string, leadIds: readonly string[]): Promise<void> {
  if (userId === ctx.user.id || leadIds.length === 0) return
  const [message, link] =
    leadIds.length === 1
      ? ['A lead was assigned to you', `/sales/leads/${leadIds[0]}/view`]
      : [`${leadIds.length} leads were assigned to you`, '/sales/leads']
  await notify(ctx, { userId, itemType: 'Message', kind: leadNews, message, link })
}

async function findAgent(ctx: Ctx, id: string): Promise<{ name: string }> {
  await refuseUsersBeyondReach(ctx, [id], 'userId')
  return ctx.sql.one<{ name: string }>(sql`
    select ${nameOf('u')} as name from app_user u where u."companyId" = ${ctx.company.id} and u."id" = ${id}`)
}

interface Gift {
  userId: string
  /** The rule that decided, and why in words. */
  rule?: { id: string; why: string }
  /** The team the lead moves down to, so that its agent can see it. */
  tenantId?: string | undefined
}

/** Gives a lead to an agent, who must be checked before, and keeps the history. */
export async function giveLead(ctx: Ctx, leadId: string, { userId, rule, tenantId }: Gift): Promise<Record<string, unknown>> {
  const before = await getRecord(ctx, lead, leadId)
  const saved = await updateRecord(ctx, lead, leadId, {
    assignedUserId: userId,
    ...(tenantId ? { tenantId } : {}),
    ...(before['status'] === 'New' || before['status'] === 'Recycled' ? { status: 'Assigned' } : {}),
  })
  await ctx.sql.exec(
    sql`update lead_assignment set "endedAt" = now() where "companyId" = ${ctx.company.id} and "leadId" = ${leadId} and "endedAt" is null`,
  )
  await ctx.sql.exec(sql`
    insert into lead_assignment ("companyId", "id", "tenantId", "leadId", "userId", "assignedByUserId", "ruleId", "explanation", "formerUserId", "formerTenantId", "formerStatus")
    values (${ctx.company.id}, gen_random_uuid(), ${tenantId ?? String(before['tenantId'])}, ${leadId}, ${userId}, ${ctx.user.id}, ${rule?.id ?? null}, ${rule?.why ?? null},
      ${before['assignedUserId'] as string | null}, ${String(before['tenantId'])}, ${String(before['status'])})`)
  return saved
}

export const searchInput = z.strictObject({ name: z.string().trim().min(1).max(100) })
/** Leads whose name, number or address holds the text; at most 50, newest first. */
export function searchLeads(ctx: Ctx, { name }: z.infer<typeof searchInput>): Promise<Answer> {
  return listRecords(ctx, lead, { search: name, page: 1, size: 50 })
}

/** Where a lead can be found: its own address and those captured at onboarding. */
export async function leadAddresses(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const found = await getRecord(ctx, lead, id)
  const rows = await ctx.sql.query(sql`
    select "id" as "Id", "leadId", "kind", "lineone", "linetwo", "city", "postcode", "state", "country",
      "latitude"::float8 as latitude, "longitude"::float8 as longitude, "dateCreated"
    from lead_address where "companyId" = ${ctx.company.id} and "leadId" = ${id} order by "dateCreated"`)
  const own = pick(found, ['lineone', 'city', 'postcode', 'state', 'country', 'latitude', 'longitude'])
  const hasOwn = Object.values(own).some((value) => value !== null && value !== undefined)
  return { data: { addresses: hasOwn ? [{ Id: found['addressId'] ?? id, leadId: id, kind: 'LEAD', ...own }, ...rows] : rows } }
}
