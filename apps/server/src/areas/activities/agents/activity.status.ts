import { fail } from '@outpost/contract/errors'
import { isOutside, overallMeaning, type ActivityMeaning } from '@outpost/rules/activities/activity-status'
import { metresBetween } from '@outpost/rules/places/distance'
import { isPosition } from '@outpost/rules/validation'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { getRecord, updateRecord, type WireRecord } from '../../../kernel/resource/records.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import { holdsAny } from '../../../kernel/session/permission.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { nameOf } from '../../../kernel/names.ts'
import { activity } from '../activity.resource.ts'
import { fixShape, recordFix, fixOf, type Fix } from './activity.fix.ts'
import { activeStatus, assertTransition, refuseSecondVisit, statusOfMeaning, type StatusFacts } from '../activity.rules.ts'
import { noActivityAssignment } from '../../agents/index.ts'

const reason = z.string().trim().max(300).nullish()
export const assignmentStatusInput = z.strictObject({
  activityId: idSchema,
  userId: idSchema.optional(),
  updatingUserId: idSchema.optional(),
  statusId: idSchema,
  statusText: z.string().trim().max(120).nullish(),
  reason,
  ...fixShape,
})
export const statusInput = z.strictObject({ id: idSchema, statusId: idSchema, reason })

interface AgentState {
  id: string
  userId: string
  name: string
  statusName: string
  meaning: ActivityMeaning
}

/**
 * An agent's status at an activity, with where it was done: tracking record, log row and activity in one transaction. A
 * place that the type's circle does not hold is marked with its distance, not refused. A fix that was wanted and is not
 * there leaves an error-log row, and the answer says so in the specification's words.
 */
export async function updateAssignmentStatus(ctx: Ctx, input: z.infer<typeof assignmentStatusInput>): Promise<Answer> {
  const userId = (input.userId ?? ctx.user.id).toLowerCase()
  if (input.updatingUserId && input.updatingUserId.toLowerCase() !== ctx.user.id)
    fail('FORBIDDEN', { fields: [{ field: 'updatingUserId', message: 'is not the signed-in user' }] })
  if (userId !== ctx.user.id && !holdsAny(ctx, 'SALES/ACTIVITIES/ACTIVITIES/EDIT'))
    fail('FORBIDDEN', { fields: [{ field: 'userId', message: 'is another agent' }] })
  // Where somebody else sits who enters it for the agent says nothing about the visit.
  const fix = userId === ctx.user.id ? fixOf(input) : undefined
  if (!fix && ctx.tenant.locationRequired && userId === ctx.user.id) {
    fail('INVALID', {
      message: 'Enable location access in-order to update activity status and start or stop your day!',
      fields: [{ field: 'location', message: 'is required' }],
    })
  }
  return withStream(ctx, async (inner) => {
    const record = await setAgentStatus(inner, { ...input, userId, fix })
    const gps = await recordFix(inner, { activityId: input.activityId, fix, isWanted: input.gps === true })
    return { data: { activity: record, ...gps.data }, message: gps.message ?? 'Activity Updated Successfully.' }
  })
}

export interface AgentStatusChange {
  activityId: string
  userId: string
  statusId: string
  statusText?: string | null | undefined
  reason?: string | null | undefined
  fix?: Fix | undefined
}

/** The same without its tracking record, for whoever has one already; must run inside withStream. The activity follows its agents. */
export async function setAgentStatus(
  ctx: Ctx,
  { activityId, userId, statusId, statusText, reason: why, fix }: AgentStatusChange,
): Promise<WireRecord> {
  const record = await getRecord(ctx, activity, activityId)
  const to = await activeStatus(ctx, statusId)
  const agents = await agentsOf(ctx, activityId)
  const mine = agents.find((agent) => agent.userId === userId) ?? fail(noActivityAssignment, { details: { code: 101 } })
  await assertTransition(ctx, {
    from: { name: mine.statusName, meaning: mine.meaning },
    to,
    what: agents.length > 1 ? `The activity of ${mine.name}` : 'The activity',
  })
  if (to.meaning === 'started') await refuseSecondVisit(ctx, { userId, activityId })
  const distance = distanceTo(record, fix)
  const isOutOfRange = isOutside(distance, numberOf(record['geofenceRadius']))
  await atPlace(ctx, fix, () =>
    ctx.sql.exec(sql`
    update activity_assignment set "statusId" = ${to.id}, "statusText" = ${statusText || to.name}, "statusReason" = ${why || null}, "statusDateCreated" = now(),
      "distance" = ${distance}, "isOutOfRange" = ${isOutOfRange}
    where "companyId" = ${ctx.company.id} and "id" = ${mine.id}`),
  )
  const overall = overallMeaning(agents.map((agent) => (agent === mine ? to.meaning : agent.meaning))) ?? to.meaning
  const whole = await wholeStatus(ctx, {
    overall,
    to,
    present: { id: String(record['statusId']), meaning: record['meaning'] as ActivityMeaning },
  })
  return updateRecord(ctx, activity, activityId, whole ? { statusId: whole.id, statusReason: why || null } : {})
}

/** The status that the activity takes over; undefined when it has one of that meaning already. */
async function wholeStatus(
  ctx: Ctx,
  { overall, to, present }: { overall: ActivityMeaning; to: StatusFacts; present: { id: string; meaning: ActivityMeaning } },
): Promise<StatusFacts | undefined> {
  if (overall === to.meaning) return to.id === present.id ? undefined : to
  return overall === present.meaning ? undefined : statusOfMeaning(ctx, overall)
}

/** Agents of an activity and the status of each; one without a status of their own has the activity's. */
function agentsOf(ctx: Ctx, activityId: string): Promise<AgentState[]> {
  return ctx.sql.query<AgentState>(sql`
    select a."id", a."userId", ${nameOf('u')} as name, coalesce(s."name", v."status") as "statusName", coalesce(s."meaning", 'open') as meaning
    from activity_assignment a
      join activity v on v."companyId" = a."companyId" and v."id" = a."activityId"
      join app_user u on u."companyId" = a."companyId" and u."id" = a."userId"
      left join activity_status s on s."companyId" = a."companyId" and s."id" = coalesce(a."statusId", v."statusId")
    where a."companyId" = ${ctx.company.id} and a."activityId" = ${activityId} order by a."dateCreated", a."id"`)
}

/** The log's trigger reads where a change was made from the transaction. */
async function atPlace(ctx: Ctx, fix: Fix | undefined, write: () => Promise<unknown>): Promise<void> {
  const place = (text: string) => ctx.sql.exec(sql`select set_config('app.position', ${text}, true)`)
  if (fix) await place(`${fix.latitude},${fix.longitude}`)
  await write()
  if (fix) await place('')
}

const numberOf = (value: unknown) => (value === null || value === undefined ? null : Number(value))

/** Whole metres from the fix to the activity's place; null when one of them is not known. */
function distanceTo(record: WireRecord, fix: Fix | undefined): number | null {
  const [latitude, longitude] = [numberOf(record['lat']), numberOf(record['lng'])]
  if (!fix || latitude === null || longitude === null || !isPosition(latitude, longitude)) return null
  return Math.round(metresBetween(fix, { latitude, longitude }))
}

/** The status of an activity as a whole, for those who plan: all its agents who may take it over do. */
export async function setStatus(ctx: Ctx, { id, statusId, reason: why }: z.infer<typeof statusInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => ({
    data: { activity: await setWholeStatus(inner, { id, statusId, reason: why }) },
    message: 'Activity Updated Successfully.',
  }))
}

/** The same for one activity among several; must run inside withStream. */
export async function setWholeStatus(ctx: Ctx, { id, statusId, reason: why }: z.infer<typeof statusInput>): Promise<WireRecord> {
  const record = await getRecord(ctx, activity, id)
  const to = await activeStatus(ctx, statusId)
  await assertTransition(ctx, {
    from: { name: String(record['status']), meaning: (record['meaning'] as ActivityMeaning | null) ?? 'open' },
    to,
  })
  await takeOver(ctx, id, { to, reason: why })
  return updateRecord(ctx, activity, id, { statusId: to.id, statusReason: why || null })
}

/** Checks that a status may follow the present one, and gives it to the agents; the activity itself is written by the caller. */
export async function passStatus(ctx: Ctx, before: WireRecord, statusId: unknown): Promise<void> {
  if (typeof statusId !== 'string' || statusId === before['statusId']) return
  const to = await activeStatus(ctx, statusId)
  await assertTransition(ctx, {
    from: { name: String(before['status']), meaning: (before['meaning'] as ActivityMeaning | null) ?? 'open' },
    to,
  })
  await takeOver(ctx, before.Id, { to })
}

/** Gives a status to all agents of an activity; one who is done stays so. */
async function takeOver(
  ctx: Ctx,
  activityId: string,
  { to, reason: why }: { to: StatusFacts; reason?: string | null | undefined },
): Promise<void> {
  const takers = (await agentsOf(ctx, activityId)).filter(({ meaning }) => meaning !== 'done' || to.meaning === 'done')
  if (to.meaning === 'started') for (const { userId } of takers) await refuseSecondVisit(ctx, { userId, activityId })
  await ctx.sql.exec(sql`
    update activity_assignment set "statusId" = ${to.id}, "statusText" = ${to.name}, "statusReason" = ${why || null}, "statusDateCreated" = now(), "distance" = null, "isOutOfRange" = false
    where "companyId" = ${ctx.company.id} and "id" = any(${takers.map((agent) => agent.id)}::uuid[]) and "statusId" is distinct from ${to.id}`)
}

export const assignmentOfInput = z.strictObject({ entityId: idSchema, x: z.string().max(60) })

/** An activity's assignment to an agent: data.activityAssignment. `x` is the agent; anything but an id means the caller. */
export async function getAssignment(ctx: Ctx, { entityId, x }: z.infer<typeof assignmentOfInput>): Promise<Answer> {
  await getRecord(ctx, activity, entityId)
  const userId = idSchema.safeParse(x).success ? x : ctx.user.id
  const row = await ctx.sql.maybe(sql`
    select "id" as "Id", "activityId", "userId", "statusId", "statusText", "statusReason", "statusDateCreated", "distance", "isOutOfRange", "dateCreated" from activity_assignment
    where "companyId" = ${ctx.company.id} and "activityId" = ${entityId} and "userId" = ${userId}`)
  return { data: { activityAssignment: row ?? fail(noActivityAssignment, { details: { code: 101 } }) } }
}
