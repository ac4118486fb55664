import { fail } from '@outpost/contract/errors'
import { isOutside, overallMeaning } from '@outpost/rules/activities/activity-status'
import { metresBetween } from '@outpost/rules/places/distance'
import { isPosition } from '@outpost/rules/validation'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { getRecord, updateRecord, type WireRecord } from '../../../kernel/resource/records.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import { holdsAny } from '../../../kernel/session/permission.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { activity } from '../activity.resource.ts'
import { fixShape, recordFix, fixOf, type Fix } from './activity.fix.ts'
import { statusOfMeaning } from '../activity.rules.ts'
import { partsOf, type Part } from './activity.parts.ts'
import { assignment } from './assignment.resource.ts'
import { follow } from './part.workflow.ts'
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

/**
 * An agent's status at an activity, with where it was done: tracking record, log row and activity in one transaction. A
 * place that the type's circle does not hold is marked with its distance, not refused. A fix that was wanted and is not
 * there leaves an error-log row, and the answer says so in the specification's words.
 */
export const updateAssignmentStatus = (ctx: Ctx, input: z.infer<typeof assignmentStatusInput>): Promise<Answer> =>
  changeAgentStatus(ctx, input)

/** When a change was made, set right, by how much, and the device's time as it sent it. */
interface Done {
  deviceTime?: string | undefined
  clockSkewMs?: number | null
  sentAt?: string | undefined
}

/** The same, of a change that was made at a time of its own. */
export async function changeAgentStatus(ctx: Ctx, input: z.infer<typeof assignmentStatusInput>, done: Done = {}): Promise<Answer> {
  const userId = (input.userId ?? ctx.user.id).toLowerCase()
  if (input.updatingUserId && input.updatingUserId.toLowerCase() !== ctx.user.id)
    fail('FORBIDDEN', { fields: [{ field: 'updatingUserId', message: 'is not the signed-in user' }] })
  if (userId !== ctx.user.id && !holdsAny(ctx, 'SALES/ACTIVITIES/ACTIVITIES/EDIT'))
    fail('FORBIDDEN', { fields: [{ field: 'userId', message: 'is another agent' }] })
  // Where somebody else sits who enters it for the agent says nothing about the visit.
  const fix = userId === ctx.user.id ? fixOf(input, done.sentAt) : undefined
  if (!fix && ctx.tenant.locationRequired && userId === ctx.user.id) {
    fail('INVALID', {
      message: 'Enable location access in-order to update activity status and start or stop your day!',
      fields: [{ field: 'location', message: 'is required' }],
    })
  }
  return withStream(ctx, async (inner) => {
    const record = await setAgentStatus(inner, { ...input, userId, fix, doneAt: done.deviceTime, clockSkewMs: done.clockSkewMs })
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
  doneAt?: string | undefined
  clockSkewMs?: number | null | undefined
}

/** The same without its tracking record, for whoever has one already; must run inside withStream. The activity follows its agents. */
export async function setAgentStatus(
  ctx: Ctx,
  { activityId, userId, statusId, statusText, reason: why, fix, doneAt, clockSkewMs = null }: AgentStatusChange,
): Promise<WireRecord> {
  const record = await getRecord(ctx, activity, activityId)
  const mine =
    (await partsOf(ctx, activityId)).find((part) => part.userId === userId) ?? fail(noActivityAssignment, { details: { code: 101 } })
  const distance = distanceTo(record, fix)
  const isOutOfRange = isOutside(distance, numberOf(record['geofenceRadius']))
  const input = { statusId, statusText, distance, isOutOfRange, clockSkewMs, ...(doneAt ? { statusDateCreated: new Date(doneAt) } : {}) }
  const asked = { reason: why || null }
  await atPlace(ctx, fix, () => updateRecord(ctx, assignment, mine.id, input, { field: 'statusId', asked }))
  const whole = await wholeStatus(ctx, record, { parts: await partsOf(ctx, activityId), statusId })
  return whole === undefined
    ? updateRecord(ctx, activity, activityId, {})
    : updateRecord(ctx, activity, activityId, { statusId: whole }, { field: 'statusId', name: follow, asked })
}

/** The status that the activity takes over from its agents, one of whom has the given one now; undefined when it has one of that meaning already. */
async function wholeStatus(
  ctx: Ctx,
  record: WireRecord,
  { parts, statusId }: { parts: readonly Part[]; statusId: string },
): Promise<string | undefined> {
  const given = parts.find((part) => part.statusId === statusId)?.meaning
  const overall = overallMeaning(parts.map(({ meaning }) => meaning)) ?? given
  if (overall === given) return statusId === record['statusId'] ? undefined : statusId
  return overall === undefined || overall === record['meaning'] ? undefined : (await statusOfMeaning(ctx, overall))?.id
}

/** The log of moves reads from the transaction where a move was made. */
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
