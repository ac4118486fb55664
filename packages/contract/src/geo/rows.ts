import { z } from 'zod'
import { identifierSchema as id } from '../input.ts'

const [time, whole] = [z.iso.datetime(), z.int()]
const text = z.string().nullable()
const number = z.number().nullable()

/** Sums of trips: metres, seconds, kilometres an hour. */
export const totals = z.strictObject({
  trips: whole,
  stops: whole,
  metres: z.number(),
  gapMetres: z.number(),
  movingSeconds: z.number(),
  idleSeconds: z.number(),
  maxSpeed: number,
})
const span = { id: z.string(), deviceId: id, startTime: time, endTime: time.nullable() }
/** Why, in sentences for people. */
const explain = z.looseObject({ words: z.array(z.string()).optional() })
/** Metres, seconds, kilometres an hour; `path` is an encoded polyline with five digits. */
const trip = z.looseObject({
  ...span,
  startLatitude: z.number(),
  startLongitude: z.number(),
  metres: z.number(),
  movingSeconds: z.number(),
  maxSpeed: number,
  driver: text,
  endReason: text,
  explain,
  path: z.string(),
})
const stop = z.looseObject({ ...span, kind: z.string(), latitude: z.number(), longitude: z.number(), explain })
export const trips = z.array(trip)
export const stops = z.array(stop)
/** Of a person: what the phone drove has no driver and no explanation. */
export const personTrips = z.array(trip.partial({ driver: true, explain: true }))
export const personStops = z.array(stop.partial({ explain: true }))

/** A row of the reports of alarms and events; kilometres an hour. */
export const eventRow = z.looseObject({
  eventId: id,
  deviceId: id,
  device: z.string(),
  eventTime: time,
  type: z.string(),
  words: z.string(),
  severity: z.string(),
  place: text,
  latitude: number,
  longitude: number,
  geofence: text,
  rule: text,
  note: text,
  acknowledgedByName: text,
})
export const crashStatuses = ['NEW', 'REJECTED', 'APPROVED'] as const
/** A row of the report of crashes: what the tracker told or its speed suggested; kilometres an hour, g. */
export const crashRow = z.looseObject({
  deviceId: id,
  device: z.string(),
  time,
  confidence: z.string(),
  status: z.enum(crashStatuses),
  place: text,
  speedBefore: number,
  speedDrop: number,
  g: number,
  note: text,
  reviewedByName: text,
})
