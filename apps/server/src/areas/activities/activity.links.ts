import { fail } from '@outpost/contract/errors'
import { identifier, sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { resourceNamed } from '../../kernel/resource/define.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { getRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { workNews } from '../agents/index.ts'
import { activity } from './activity.resource.ts'
import { homeOf, touch } from './activity.touch.ts'

const oneOrRecord = z.union([idSchema, z.object({ Id: idSchema })])
/** Others, by id or as records that carry one. */
export const idsOrRecords = z.array(oneOrRecord).max(200).optional()
export const idsOf = (given: z.infer<typeof idsOrRecords>) =>
  given && [...new Set(given.map((one) => (typeof one === 'string' ? one : one.Id).toLowerCase()))]

/** Exactly the ones an activity is to have; undefined leaves them as they are. */
export interface Links {
  users?: string[] | undefined
  leads?: string[] | undefined
  clients?: string[] | undefined
}

/**
 * Sets agents, leads and clients of an activity to exactly the given ones; nobody as agent means whoever made it. All
 * must be of the company and in reach; new agents are notified, unless it happens quietly. An activity that its agents could
 * not see is filed where they can.
 */
export async function setLinks(
  ctx: Ctx,
  activityId: string,
  { users: given, leads, clients }: Links,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): Promise<void> {
  const before = await linksOf(ctx, activityId)
  const users = given?.length === 0 ? await makerOf(ctx, activityId) : given
  if (users) {
    await moveHome(ctx, activityId, users)
    await setAgents(ctx, activityId, users)
    if (!isQuiet)
      await tellAgents(
        ctx,
        activityId,
        users.filter((id) => !before.users.includes(id)),
      )
  }
  if (leads) await setPairs(ctx, activityId, { table: 'activity_lead', column: 'leadId', others: 'lead', field: 'leads', after: leads })
  if (clients)
    await setPairs(ctx, activityId, { table: 'activity_client', column: 'clientId', others: 'client', field: 'clients', after: clients })
  const changed = Object.entries({ users, leads, clients }).filter(
    ([key, after]) => after && !isSame(after, before[key as keyof Links] ?? []),
  )
  if (changed.length === 0) return
  const words: Record<string, string> = { users: 'assignedUsers', leads: 'leads', clients: 'clients' }
  audit(ctx, {
    action: 'activity.link',
    objectType: 'activity',
    objectId: activityId,
    before: Object.fromEntries(changed.map(([key]) => [words[key], before[key as keyof Links]])),
    after: Object.fromEntries(changed.map(([key, after]) => [words[key], after])),
  })
}

const isSame = (one: readonly string[], other: readonly string[]) => one.length === other.length && one.every((id) => other.includes(id))

/** Whoever made the activity and still works in the company; a global administrator plans for others and is nobody here. */
async function makerOf(ctx: Ctx, activityId: string): Promise<string[]> {
  const makers = await ctx.sql.query<{ id: string }>(sql`
    select u."id" from activity v join app_user u on u."companyId" = v."companyId" and u."id" = v."createdUserId" and u."deletedAt" is null and u."status" = 1
    where v."companyId" = ${ctx.company.id} and v."id" = ${activityId}`)
  return makers.map(({ id }) => id)
}

/** Ids that an activity is linked with. */
export function linksOf(ctx: Ctx, activityId: string): Promise<Required<{ [Key in keyof Links]: string[] }>> {
  const of = (table: string, column: string) =>
    sql`array(select ${identifier(column)} from ${identifier(table)} where "companyId" = ${ctx.company.id} and "activityId" = ${activityId})`
  return ctx.sql.one(
    sql`select ${of('activity_assignment', 'userId')} as users, ${of('activity_lead', 'leadId')} as leads, ${of('activity_client', 'clientId')} as clients`,
  )
}

/** Files the activity under a tenant that all its agents see, when its own is not one. */
async function moveHome(ctx: Ctx, activityId: string, users: readonly string[]): Promise<void> {
  const { tenantId } = await ctx.sql.one<{ tenantId: string }>(
    sql`select "tenantId" from activity where "companyId" = ${ctx.company.id} and "id" = ${activityId}`,
  )
  const home = await homeOf(ctx, tenantId, users)
  if (home !== tenantId) await touch(ctx, activityId, { tenantId: home })
}

/** Whoever joins work in progress has it still to begin. */
async function setAgents(ctx: Ctx, activityId: string, after: readonly string[]): Promise<void> {
  const company = ctx.company.id
  await ctx.sql.exec(
    sql`delete from activity_assignment where "companyId" = ${company} and "activityId" = ${activityId} and not ("userId" = any(${after}::uuid[]))`,
  )
  const known = await ctx.sql.exec(sql`
    insert into activity_assignment ("companyId", "id", "tenantId", "activityId", "userId", "statusId", "statusText")
    select v."companyId", gen_random_uuid(), v."tenantId", v."id", u."id", coalesce(o."id", v."statusId"), coalesce(o."name", v."status") from app_user u
    join activity v on v."companyId" = u."companyId" and v."id" = ${activityId}
    left join activity_status s on s."companyId" = v."companyId" and s."id" = v."statusId"
    left join lateral (select n."id", n."name" from activity_status n where s."meaning" = 'started' and n."companyId" = v."companyId" and n."meaning" = 'open' and n."status" = 1
      order by n."default" desc, n."position", n."id" limit 1) o on true
    where u."companyId" = ${company} and u."id" = any(${after}::uuid[]) and u."deletedAt" is null and u."status" = 1
    on conflict ("companyId", "activityId", "userId") do update set "tenantId" = excluded."tenantId"`)
  if (known < after.length) fail('INVALID', { fields: [{ field: 'assignedUsers', message: 'names a user that does not exist' }] })
}

async function tellAgents(ctx: Ctx, activityId: string, agents: readonly string[]): Promise<void> {
  const others = agents.filter((id) => id !== ctx.user.id)
  if (others.length === 0) return
  const { name } = await ctx.sql.one<{ name: string }>(
    sql`select "name" from activity where "companyId" = ${ctx.company.id} and "id" = ${activityId}`,
  )
  for (const userId of others)
    await notify(ctx, {
      userId,
      itemType: 'Activity',
      kind: workNews,
      itemId: activityId,
      message: `You were given “${name}”`,
      link: `/sales/activities/${activityId}/view`,
    })
}

interface Pairs {
  table: string
  column: string
  others: string
  field: string
  after: readonly string[]
}

async function setPairs(ctx: Ctx, activityId: string, { table, column, others, field, after }: Pairs): Promise<void> {
  const [company, pairs, key] = [ctx.company.id, identifier(table), identifier(column)]
  await ctx.sql.exec(
    sql`delete from ${pairs} where "companyId" = ${company} and "activityId" = ${activityId} and not (${key} = any(${after}::uuid[]))`,
  )
  await ctx.sql.exec(sql`
    insert into ${pairs} ("companyId", "activityId", ${key}, "tenantId")
    select v."companyId", v."id", o."id", v."tenantId" from ${identifier(others)} o join activity v on v."companyId" = o."companyId" and v."id" = ${activityId}
    where o."companyId" = ${company} and o."id" = any(${after}::uuid[]) and o."deletedAt" is null on conflict do nothing`)
  const { held } = await ctx.sql.one<{ held: number }>(
    sql`select count(*)::int as held from ${pairs} where "companyId" = ${company} and "activityId" = ${activityId}`,
  )
  if (held < after.length) fail('INVALID', { fields: [{ field, message: `names a ${others} that does not exist` }] })
}

/* ---------- the calls that add links ---------- */

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
function named(field: string, one: string | undefined, ...many: z.infer<typeof idsOrRecords>[]): string[] {
  const ids = [...new Set([...(one ? [one.toLowerCase()] : []), ...many.flatMap((given) => idsOf(given) ?? [])])]
  return ids.length > 0 ? ids : fail('INVALID', { fields: [{ field, message: 'is required' }] })
}

/** Adds agents to an activity. */
export function addAgents(ctx: Ctx, { activityId, userId, userIds, assignedUsers }: z.infer<typeof assignmentInput>): Promise<Answer> {
  const users = named('userId', userId, userIds, assignedUsers)
  return changeLinks(ctx, activityId, (before) => ({ users: [...new Set([...before.users, ...users])] }))
}

/** Gives an activity to exactly these agents. */
export function replaceAgents(ctx: Ctx, { activityId, userId, userIds, assignedUsers }: z.infer<typeof assignmentInput>): Promise<Answer> {
  const users = named('userId', userId, userIds, assignedUsers)
  return changeLinks(ctx, activityId, () => ({ users }))
}

/** Links clients with an activity, beside those it has. */
export function addClients(ctx: Ctx, { activityId, clientId, clientIds, clients: records }: z.infer<typeof clientInput>): Promise<Answer> {
  const clients = named('clientId', clientId, clientIds, records)
  return changeLinks(ctx, activityId, (before) => ({ clients: [...new Set([...before.clients, ...clients])] }))
}

/** Links leads with an activity, beside those it has. */
export function addLeads(ctx: Ctx, { activityId, leadId, leadIds, leads: records }: z.infer<typeof leadInput>): Promise<Answer> {
  const leads = named('leadId', leadId, leadIds, records)
  return changeLinks(ctx, activityId, (before) => ({ leads: [...new Set([...before.leads, ...leads])] }))
}

async function changeLinks(ctx: Ctx, activityId: string, next: (before: Awaited<ReturnType<typeof linksOf>>) => Links): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    await getRecord(inner, activity, activityId)
    await setLinks(inner, activityId, next(await linksOf(inner, activityId)))
    return linked(await touch(inner, activityId))
  })
}

/** Links records of any kind: users, leads and clients by their own tables, others by kind and id. They must be there and in reach. */
export async function addEntities(ctx: Ctx, { activityId, entities }: z.infer<typeof entitiesInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    await getRecord(inner, activity, activityId)
    const before = await linksOf(inner, activityId)
    const of = (type: string) => entities.filter(({ entityType }) => entityType === type).map(({ entityId }) => entityId.toLowerCase())
    const grown = (old: readonly string[], type: string) => (of(type).length > 0 ? [...new Set([...old, ...of(type)])] : undefined)
    await setLinks(inner, activityId, {
      users: grown(before.users, 'user'),
      leads: grown(before.leads, 'lead'),
      clients: grown(before.clients, 'client'),
    })
    for (const { entityType, entityId } of entities.filter((one) => !['user', 'lead', 'client'].includes(one.entityType)))
      await addEntity(inner, { activityId, entityType, entityId })
    return linked(await touch(inner, activityId))
  })
}

async function addEntity(
  ctx: Ctx,
  { activityId, entityType, entityId }: { activityId: string; entityType: string; entityId: string },
): Promise<void> {
  const resource = resourceNamed(entityType)
  if (!resource) return fail('INVALID', { fields: [{ field: 'entityType', message: `${entityType} is no kind of record` }] })
  const found = await ctx.sql.maybe(
    sql`select 1 as one from ${identifier(resource.table)} t where ${visibleRows(ctx, resource)} and t."id" = ${entityId}`,
  )
  if (!found) fail('INVALID', { fields: [{ field: 'entityId', message: 'does not exist' }] })
  await ctx.sql.exec(sql`
    insert into activity_entity ("companyId", "activityId", "entityType", "entityId", "tenantId")
    select v."companyId", v."id", ${entityType}, ${entityId}, v."tenantId" from activity v where v."companyId" = ${ctx.company.id} and v."id" = ${activityId} on conflict do nothing`)
  audit(ctx, { action: 'activity.link', objectType: 'activity', objectId: activityId, after: { [entityType]: entityId } })
}

const linked = (record: WireRecord): Answer => ({ data: { activity: record }, message: 'Activity Updated Successfully.' })
