import { identifierSchema } from '@outpost/contract/input'
import { conflictKinds } from '@outpost/rules/routes/route-conflicts'
import { z } from 'zod'
import { recordSchema } from '../../kernel/resource/answers.ts'
import { activity } from '../activities/index.ts'

const [time, day, count] = [z.iso.datetime(), z.iso.date(), z.int()]
const text = z.string().nullable()
const coordinate = z.number().nullable()

/** A stop of a route with what a route shows of its activity, whose Id it bears. */
const stop = {
  Id: identifierSchema,
  stopId: identifierSchema,
  planId: identifierSchema,
  userId: identifierSchema,
  agentName: z.string(),
  day,
  position: count,
  lock: text,
  keepsTime: z.boolean(),
  plannedArrival: time.nullable(),
  plannedDeparture: time.nullable(),
  metres: z.number().nullable(),
  name: z.string(),
  location: text,
  lat: coordinate,
  lng: coordinate,
  startDate: time,
  endDate: time,
  tenantId: identifierSchema,
  status: text,
  meaning: z.string(),
  statusDateCreated: time.nullable(),
  activityAssignmentId: identifierSchema.nullable(),
}
/** With detailsLevel FULL each stop has the fields of its activity too. */
export const stopsAnswer = z.strictObject({ activities: z.array(z.looseObject(stop)) })
export const unplannedAnswer = () => z.strictObject({ activities: z.array(recordSchema(activity, 'list')) })
export const dayRoutesAnswer = z.strictObject({ date: day, stops: z.array(z.strictObject({ ...stop, planName: z.string() })) })

const stored = z.iso.datetime({ offset: true })
const visit = z.strictObject({
  Id: identifierSchema,
  name: z.string(),
  startDate: stored,
  endDate: stored,
  meaning: z.string(),
  changedAt: stored.nullable(),
  status: text,
  lat: coordinate,
  lng: coordinate,
})
/** `visits` comes with detailsLevel FULL. */
export const dayOverviewAnswer = z.strictObject({
  date: day,
  agents: z.array(
    z.strictObject({
      userId: identifierSchema,
      agent: z.string(),
      tenantId: identifierSchema.nullable(),
      branch: text,
      planned: count,
      open: count,
      started: count,
      done: count,
      late: count,
      missed: count,
      cancelled: count,
      km: z.number(),
      plannedKm: z.number(),
      firstStart: stored.nullable(),
      lastEnd: stored.nullable(),
      dayStart: stored.nullable(),
      dayStop: stored.nullable(),
      isOnDuty: z.boolean(),
      current: z.strictObject({ Id: identifierSchema, name: z.string(), since: stored.nullable() }).nullable(),
      plans: z.array(identifierSchema),
      visits: z.array(visit).optional(),
    }),
  ),
})
/** `actual`: when and where the agent was there, with how far that is from the plan. `passedBy`: nearest metres of the way. */
export const trackAnswer = z.strictObject({
  userId: identifierSchema,
  day,
  stops: z.array(
    z.strictObject({
      ...stop,
      actual: z
        .looseObject({ at: time, endedAt: time.nullable(), latitude: coordinate, longitude: coordinate, isOwnPlace: z.boolean() })
        .nullable(),
      passedBy: z.number().nullable(),
      isMissed: z.boolean(),
    }),
  ),
  track: z.array(z.tuple([z.number(), z.number(), time])),
  metres: z.number(),
  fixes: count,
})

const totals = z.strictObject({ metres: z.number(), travelMinutes: z.number() })
const routes = z.array(
  z.strictObject({
    userId: identifierSchema,
    day,
    metres: z.number(),
    travelMinutes: z.number(),
    endsAt: time,
    stops: z.array(
      z.strictObject({
        activityId: identifierSchema,
        name: z.string(),
        plannedArrival: time,
        plannedDeparture: time,
        metres: z.number(),
        /** Minutes. */
        late: z.number(),
      }),
    ),
  }),
)
export const orderAnswer = z.strictObject({ routes, before: totals, after: totals })
/** `conflicts` as rules/routes finds them; `busy`: when the agents are taken by something else. */
export const conflictsAnswer = z.strictObject({
  routes,
  conflicts: z.array(
    z.strictObject({
      kind: z.enum(conflictKinds),
      userId: identifierSchema,
      day,
      stopId: z.string().optional(),
      /** Minutes by which it fails. */
      minutes: z.number().optional(),
      with: z.strictObject({ activityId: identifierSchema, name: z.string().optional(), planName: text.optional() }).optional(),
    }),
  ),
  busy: z.array(
    z.strictObject({
      userId: identifierSchema,
      from: time,
      to: time,
      name: z.string(),
      activityId: identifierSchema,
      planName: text,
    }),
  ),
  totals,
})
export const nearbyAnswer = z.strictObject({
  nearby: z.array(
    z.strictObject({
      Id: identifierSchema,
      kind: z.enum(['lead', 'client']),
      name: z.string(),
      phonenumber: text,
      status: text,
      location: text,
      latitude: z.number(),
      longitude: z.number(),
      since: time.nullable(),
      metres: z.number(),
    }),
  ),
})
/** What was removed: the plans, and with them these activities. */
export const removedPlansAnswer = z.strictObject({ activityPlans: z.array(identifierSchema), activities: z.array(identifierSchema) })
