import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'

const [time, day, count] = [z.iso.datetime(), z.iso.date(), z.int()]
const text = z.string().nullable()
const coordinate = z.number().nullable()

export const latestActionAnswer = z.strictObject({
  agentAction: z.array(
    z.strictObject({
      Id: identifierSchema,
      action: count,
      performedByUserId: identifierSchema,
      source: z.string(),
      isAutomatic: z.boolean(),
      at: time,
      dateCreated: time,
    }),
  ),
})
/** Latitude and longitude are 999 where the place is not known. */
export const actionLocationAnswer = z.strictObject({
  location: z.strictObject({
    Id: identifierSchema,
    performedByUserId: identifierSchema,
    agentName: text,
    action: count,
    latitude: z.number(),
    longitude: z.number(),
    accuracy: z.number().nullable(),
    source: z.string(),
    at: time,
  }),
})
export const summaryAnswer = z.strictObject({
  summaryReport: z.array(
    z.strictObject({
      Id: identifierSchema,
      region_name: z.string(),
      agents: count,
      agents_online: count,
      days_started: count,
      days_open: count,
      hours: z.number(),
      activities: count,
      done: count,
      missed: count,
      leads: count,
      files: count,
    }),
  ),
  period: z.strictObject({ from: time, until: time }),
})
const source = z.string()
export const timelineAnswer = z.strictObject({
  agent: z.strictObject({ Id: identifierSchema, name: z.string() }),
  date: day,
  events: z.array(
    z.strictObject({
      at: time,
      kind: z.enum(['start', 'stop', 'file', 'file-removed', 'activity', 'lead']),
      what: z.string(),
      recordId: identifierSchema.nullable(),
      latitude: coordinate,
      longitude: coordinate,
      source: source.nullable(),
      /** Where the device's clock was off: by how much `at` was set right (ms); less than 0 when it was ahead. */
      clockSkewMs: z.number().nullable(),
    }),
  ),
  visits: z.array(
    z.strictObject({
      Id: identifierSchema,
      name: z.string(),
      startDate: time,
      endDate: time,
      latitude: coordinate,
      longitude: coordinate,
      location: text,
      status: text,
      meaning: z.string(),
      changedAt: time.nullable(),
    }),
  ),
  track: z.array(
    z.strictObject({
      at: time,
      latitude: z.number(),
      longitude: z.number(),
      accuracy: z.number().nullable(),
      source,
      flags: z.array(z.string()),
    }),
  ),
  totals: z.strictObject({ km: z.number(), hours: z.number() }),
})

const activities = { assignedActivities: count, unassignedActivities: count }
const agents = { assignedAgents: count, unassignedAgents: count }
export const agentStatsAnswer = z.strictObject({ stats: z.strictObject(activities) })
export const teamStatsAnswer = z.strictObject({ stats: z.strictObject(agents) })
export const allStatsAnswer = z.strictObject({ stats: z.strictObject({ ...activities, ...agents }) })

const place = z.strictObject({
  name: z.string(),
  country: z.string(),
  countryCode: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  population: z.number(),
})
/** `distance` in metres from the place's centre. */
export const addressAnswer = z.strictObject({ address: text, place: place.nullable(), distance: z.number().nullable() })
export const lookupAnswer = z.strictObject({ places: z.array(place), latitude: coordinate, longitude: coordinate })

const stored = z.iso.datetime({ offset: true })
export const trackAnswer = z.strictObject({
  userTracking: z.array(
    z.strictObject({
      Id: identifierSchema,
      userId: identifierSchema,
      deviceTime: stored,
      serverTime: stored,
      latitude: z.number(),
      longitude: z.number(),
      accuracy: z.number().nullable(),
      speed: z.number().nullable(),
      battery: z.number().nullable(),
      source,
      entityType: text,
      entityId: identifierSchema.nullable(),
      flags: z.array(z.string()),
    }),
  ),
})
export const loggedActionAnswer = z.strictObject({
  agentAction: z.array(z.strictObject({ Id: identifierSchema, action: count, source: z.string(), dateCreated: time })),
})
const position = z.strictObject({
  id: identifierSchema,
  deviceTime: time,
  latitude: z.number(),
  longitude: z.number(),
  accuracy: z.number().nullable(),
  speed: z.number().nullable(),
  battery: z.number().nullable(),
  source: z.string(),
  entityType: text,
  entityId: text,
  /** What is doubtful about it. */
  flags: z.array(z.string()).nullable(),
  /** By how much its time was set right (ms), where the device's clock was off. */
  clockSkewMs: z.number().nullable(),
  index: count,
})
/** The position, or all of `positions`, as they are kept. */
export const trackedAnswer = z.strictObject({
  userTracking: z.union([position, z.array(position)]).nullable(),
  stored: count,
  notKept: count,
})
