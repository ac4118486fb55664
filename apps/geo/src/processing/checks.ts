import { scheduledTypes } from '@outpost/contract/geo/rule-words'
import type { RuleCondition, RuleSchedule } from '@outpost/contract/geo/rules'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { Visit } from '../fences/visits.ts'
import { failedChecks, type ScheduleCheck } from '../rules/schedule.ts'
import { changedEvents, type EventChanges, type MadeEvent } from './changes.ts'
import type { LinkedFence, ProcessedFences } from './fences.ts'
import { moment } from './points.ts'
import type { DeviceRef, Subject } from './subject.ts'

/** A device's messages have arrived this long (ms) after they were sent; then its state at a fence is trusted. */
export const settleMs = 120_000

/** A rule with a time of day, and the time (epoch ms) from which it applies. */
export interface ScheduledRule {
  id: string
  type: (typeof scheduledTypes)[number]
  conditions: RuleCondition[]
  schedule: RuleSchedule
  since: number
}

/** A company's scheduled rules in the given tenants. */
export function scheduledRules(db: Sql, companyId: string, tenants: readonly string[] | null): Promise<ScheduledRule[]> {
  return db.query<ScheduledRule>(sql`
    select "id", "type", "conditions", "schedule", (extract(epoch from "dateCreated") * 1000)::float8 as "since" from geo.event_io
    where "companyId" = ${companyId} and (${tenants}::uuid[] is null or "tenantId" = any(${tenants}::uuid[])) and "isActive" and "deletedAt" is null and "schedule" is not null and "type" = any(${scheduledTypes}) order by "id"`)
}

/** Fences that a rule names. */
export const fencesOf = ({ conditions }: ScheduledRule): string[] => [
  ...new Set(conditions.flatMap((condition) => (condition.kind === 'fence' && condition.where === 'of' ? condition.ids : []))),
]

export const appliesTo = ({ conditions }: ScheduledRule, deviceId: string): boolean =>
  conditions.every((condition) => condition.kind !== 'device' || condition.ids.includes(deviceId))

type CheckInput = Pick<ProcessedFences, 'after' | 'knownFrom' | 'stored'> & { fences: readonly LinkedFence[] }

/** "Not arrived by 08:00": events for the times of day at which a device was not where a rule requires it, from the stored visits. */
export async function processChecks(
  db: Sql,
  subject: Subject,
  {
    fences,
    after,
    knownFrom,
    stored: {
      now: { last },
    },
  }: CheckInput,
): Promise<EventChanges> {
  const rules =
    !last || fences.length === 0
      ? []
      : (await scheduledRules(db, subject.companyId, subject.tenants)).filter((rule) => appliesTo(rule, subject.deviceId))
  if (!last || rules.length === 0) return { insert: [], correct: [], retract: [] }
  // Without messages a device stays where it was: its last state holds for the times since.
  const upTo = Math.max(last.time, Date.now() - settleMs)
  const checks = rules.flatMap((rule) =>
    fences
      .filter(({ id }) => fencesOf(rule).includes(id))
      .map((fence) => ({ rule, fence, after: Math.max(after, rule.since, fence.since, (knownFrom.get(fence.id) ?? -Infinity) - 1) })),
  )
  const visits = await visitsIn(db, subject, { after, upTo })
  const fresh = checks
    .flatMap(({ rule, fence, after: begin }) =>
      failedChecks([checkOf(rule, fence.id)], visits, { after: begin, upTo, timeZone: subject.timeZone }),
    )
    .map((event): MadeEvent => ({ ...event, originTime: event.time }))
  return changedEvents(db, subject, { types: scheduledTypes, from: after + 1, to: upTo + 1 }, fresh)
}

const checkOf = ({ id, type, schedule }: ScheduledRule, fenceId: string): ScheduleCheck => ({
  id,
  fenceId,
  expects: type === 'geofenceNotInside' ? 'inside' : 'outside',
  ...schedule,
})

async function visitsIn(db: Sql, { companyId, deviceId }: DeviceRef, { after, upTo }: { after: number; upTo: number }): Promise<Visit[]> {
  const rows = await db.query<Pick<Visit, 'fenceId' | 'enteredAt' | 'leftAt'>>(sql`
    select "geofenceId" as "fenceId", (extract(epoch from "enterTime") * 1000)::float8 as "enteredAt", (extract(epoch from "exitTime") * 1000)::float8 as "leftAt" from geo.visit
    where "companyId" = ${companyId} and "deviceId" = ${deviceId} and "enterTime" <= ${moment(upTo)}::timestamptz and ("exitTime" is null or "exitTime" > ${moment(after)}::timestamptz)`)
  return rows.map((row) => ({ ...row, isOpenStart: false, isPassing: false, enteredWindow: null, leftWindow: null }))
}
