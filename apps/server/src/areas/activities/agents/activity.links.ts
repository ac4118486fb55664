import { failField } from '@outpost/contract/errors'
import { identifier, sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../../kernel/audit.ts'
import { resourceNamed } from '../../../kernel/resource/define.ts'
import { visibleRows } from '../../../kernel/resource/read/query.ts'
import { getRecord, updateRecord, type WireRecord } from '../../../kernel/resource/records.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { activity } from '../activity.resource.ts'
import { agentIds, idsIn, notifyNewAgents } from './activity.agents.ts'

/** Others, by id or as records that carry one. */
export const idsOrRecords = z
  .array(z.union([idSchema, z.object({ Id: idSchema })]))
  .max(200)
  .transform((given) => [...new Set(given.map((one) => (typeof one === 'string' ? one : one.Id).toLowerCase()))])
  .optional()

const agents = { userId: idSchema.optional(), userIds: idsOrRecords, assignedUsers: idsOrRecords }
const entity = z.strictObject({ entityType: z.string().trim().min(1).max(60), entityId: idSchema })
export const assignmentInput = z.strictObject({ activityId: idSchema, ...agents })
export const clientInput = z.strictObject({
  activityId: idSchema,
  clientId: idSchema.optional(),
  clientIds: idsOrRecords,
  clients: idsOrRecords,
})
export const leadInput = z.strictObject({ activityId: idSchema, leadId: idSchema.optional(), leadIds: idsOrRecords, leads: idsOrRecords })
export const entitiesInput = z.strictObject({ activityId: idSchema, entities: z.array(entity).min(1).max(200) })

/** All ids that a body names, in whichever of its properties; INVALID when there is none. */
function named(field: string, one: string | undefined, ...many: (string[] | undefined)[]): string[] {
  const ids = [...new Set([...(one ? [one.toLowerCase()] : []), ...many.flatMap((given) => given ?? [])])]
  return ids.length > 0 ? ids : failField(field, 'is required')
}

/** Adds agents to an activity. */
export function addAgents(ctx: Ctx, { activityId, userId, userIds, assignedUsers }: z.infer<typeof assignmentInput>): Promise<Answer> {
  const users = named('userId', userId, userIds, assignedUsers)
  return changeLinks(ctx, activityId, (record) => ({ assignedUsers: grown(agentIds(record), users) }))
}

/** Gives an activity to exactly these agents. */
export function replaceAgents(ctx: Ctx, { activityId, userId, userIds, assignedUsers }: z.infer<typeof assignmentInput>): Promise<Answer> {
  const users = named('userId', userId, userIds, assignedUsers)
  return changeLinks(ctx, activityId, () => ({ assignedUsers: users }))
}

/** Links clients with an activity, beside those it has. */
export function addClients(ctx: Ctx, { activityId, clientId, clientIds, clients: records }: z.infer<typeof clientInput>): Promise<Answer> {
  const clients = named('clientId', clientId, clientIds, records)
  return changeLinks(ctx, activityId, (record) => ({ clients: grown(idsIn(record, 'clients'), clients) }))
}

/** Links leads with an activity, beside those it has. */
export function addLeads(ctx: Ctx, { activityId, leadId, leadIds, leads: records }: z.infer<typeof leadInput>): Promise<Answer> {
  const leads = named('leadId', leadId, leadIds, records)
  return changeLinks(ctx, activityId, (record) => ({ leads: grown(idsIn(record, 'leads'), leads) }))
}

const relations = { user: 'assignedUsers', lead: 'leads', client: 'clients' } as const

/** Links records of any kind: users, leads and clients by their own tables, others by kind and id. They must be there and in reach. */
export function addEntities(ctx: Ctx, { activityId, entities }: z.infer<typeof entitiesInput>): Promise<Answer> {
  const idsOf = (type: string) => entities.filter(({ entityType }) => entityType === type).map(({ entityId }) => entityId.toLowerCase())
  return changeLinks(ctx, activityId, async (record, inner) => {
    for (const one of entities.filter(({ entityType }) => !Object.hasOwn(relations, entityType)))
      await addEntity(inner, { activityId, ...one })
    return Object.fromEntries(
      Object.entries(relations).flatMap(([type, key]) => {
        const ids = idsOf(type)
        return ids.length > 0 ? [[key, grown(idsIn(record, key), ids)]] : []
      }),
    )
  })
}

const grown = (present: readonly string[], more: readonly string[]) => [...new Set([...present, ...more])]

type NextLinks = (record: WireRecord, ctx: Ctx) => Record<string, unknown> | Promise<Record<string, unknown>>

/** Changes what an activity is linked with, and notifies its new agents. */
function changeLinks(ctx: Ctx, activityId: string, next: NextLinks): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const before = await getRecord(inner, activity, activityId)
    const after = await updateRecord(inner, activity, activityId, await next(before, inner))
    await notifyNewAgents(inner, { before, after })
    return { data: { activity: after }, message: 'Activity Updated Successfully.' }
  })
}

interface Entity {
  activityId: string
  entityType: string
  entityId: string
}

async function addEntity(ctx: Ctx, { activityId, entityType, entityId }: Entity): Promise<void> {
  const resource = resourceNamed(entityType)
  if (!resource) return failField('entityType', `${entityType} is no kind of record`)
  const found = await ctx.sql.maybe(
    sql`select 1 as one from ${identifier(resource.table)} t where ${visibleRows(ctx, resource)} and t."id" = ${entityId}`,
  )
  if (!found) failField('entityId', 'does not exist')
  await ctx.sql.exec(sql`
    insert into activity_entity ("companyId", "activityId", "entityType", "entityId", "tenantId")
    select v."companyId", v."id", ${entityType}, ${entityId}, v."tenantId" from activity v where v."companyId" = ${ctx.company.id} and v."id" = ${activityId} on conflict do nothing`)
  audit(ctx, { action: 'activity.link', objectType: 'activity', objectId: activityId, after: { [entityType]: entityId } })
}
