import { z } from 'zod'
import { identifierSchema as id } from '../input.ts'
import { reactionParameters, ruleCondition, ruleHours, ruleSchedule } from './rules.ts'

const [time, bool, whole] = [z.iso.datetime(), z.boolean(), z.int()]
const text = z.string().nullable()
const number = z.number().nullable()
const someone = id.nullable()
const open = z.record(z.string(), z.unknown())
const stored = { id, tenantId: id, version: whole, dateCreated: time, dateModified: time, attributes: open }

const place2d = z.tuple([z.number(), z.number()])
/** GeoJSON, longitude first. */
const area = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('Point'), coordinates: place2d }),
  z.strictObject({ type: z.literal('LineString'), coordinates: z.array(place2d) }),
  z.strictObject({ type: z.literal('Polygon'), coordinates: z.array(z.array(place2d)) }),
])

export const geofence = z.strictObject({
  ...stored,
  name: z.string(),
  type: z.enum(['geofence', 'poi']),
  shape: z.enum(['circle', 'polygon', 'route']),
  description: text,
  area,
  /** Metres. */
  radius: number,
  /** Without its holes. */
  squareMetres: number,
  /** Round a circle, along the edge of an area with its holes, along a corridor. */
  edgeMetres: number,
  colour: text,
  /** Kilometres an hour. */
  speedLimit: number,
  /** Seconds. */
  enterDelay: whole,
  exitDelay: whole,
  calendar: ruleHours.nullable(),
  tags: z.array(z.string()),
  isActive: bool,
  /** How many devices it is for. */
  devices: whole,
})
/** Of the device that the list was asked for. */
export const geofenceOfDevice = geofence.extend({
  state: text.optional(),
  isStale: bool.nullable().optional(),
  stateSince: z.iso.datetime({ offset: true }).nullable().optional(),
})

const place = {
  fixTime: time,
  latitude: number,
  longitude: number,
  altitude: number,
  speed: number,
  course: number,
  accuracy: number,
  isValid: bool,
  attributes: open,
}
export const device = z.strictObject({
  ...stored,
  uniqueId: z.string(),
  name: z.string(),
  type: z.string(),
  make: text,
  model: text,
  phone: text,
  contact: text,
  category: text,
  protocol: text,
  status: z.string(),
  disabled: bool,
  hasToken: bool,
  userId: someone,
  tripRule: text,
  lastUpdate: time.nullable(),
  positionId: text,
  position: z.strictObject(place).nullable(),
})
const command = z.strictObject({
  id,
  type: z.string(),
  state: z.string(),
  parameters: open,
  purpose: text,
  reason: text,
  answer: text,
  attempts: whole,
  createdUserId: someone,
  approvedUserId: someone,
  expiresAt: time.nullable(),
  dateCreated: time,
  sentAt: time.nullable(),
  endedAt: time.nullable(),
})
/** A command among those of all devices. */
export const sentCommand = command.extend({ deviceId: id, device: z.string(), createdBy: text, approvedBy: text })
export const odometer = z.strictObject({ metres: z.number(), source: z.string(), since: time.nullable() })
export const engineHours = z.strictObject({ hours: z.number(), since: time.nullable() })
export const assets = z.array(z.strictObject({ assetId: id, since: time, until: time.nullable() }))
const link = {
  frames: z.number(),
  fixes: z.number(),
  refused: z.number(),
  /** Unreadable frames by reason. */
  bad: open,
  logins: z.number(),
  conflicts: z.number(),
  buffered: z.number(),
  clockSkewMs: number,
  lastFrameAt: time.nullable(),
  lastFixAt: time.nullable(),
}
export const deviceInFull = device.extend({
  commands: z.array(command),
  health: z.strictObject(link).nullable(),
  odometer: odometer.nullable(),
  engineHours: engineHours.nullable(),
  assets,
})
/** A device of the company on no asset, or (without id) an identity that came in over one of its feeds and is not registered. */
export const unlinkedDevice = z.strictObject({
  id: someone,
  uniqueId: z.string(),
  name: z.string(),
  protocol: text,
  model: text,
  status: z.string(),
  lastUpdate: time.nullable(),
  dateCreated: time,
})
/** A device that is on an asset now; `state` is what a map colours by. */
export const assetDevice = z.strictObject({
  assetId: id,
  deviceId: id,
  since: time,
  uniqueId: z.string(),
  name: z.string(),
  type: z.string(),
  make: text,
  model: text,
  protocol: text,
  status: z.string(),
  state: z.enum(['moving', 'towed', 'idling', 'stopped', 'offline', 'unknown', 'disabled']),
  lastUpdate: time.nullable(),
  position: z.strictObject(place).nullable(),
})
const position = z.strictObject({ ...place, id: z.string(), deviceId: id, deviceTime: time.nullable(), serverTime: time })
export const doctor = z.strictObject({
  ...link,
  deviceId: id,
  name: z.string(),
  uniqueId: z.string(),
  protocol: text,
  status: z.string(),
  isDisabled: bool,
  lastRemote: text,
  lastConflictAt: time.nullable(),
  reconnectsPerDay: z.number(),
  lastDay: z.strictObject({
    positions: z.number(),
    validShare: number,
    lateShare: number,
    satellites: number,
    intervalSeconds: number,
    coverage: number,
  }),
  findings: z.array(z.strictObject({ severity: z.string(), code: z.string(), text: z.string(), advice: z.string() })),
  badFrames: z.array(
    z.strictObject({
      id: z.string(),
      protocol: z.string(),
      reason: z.string(),
      detail: text,
      remote: text,
      hex: z.string(),
      dateCreated: time,
    }),
  ),
  positions: z.array(position),
})
/** The newest position of each device has what its device is; a history has the chosen fields. */
export const anyPosition = z.looseObject({
  id: z.string().optional(),
  fixTime: time.optional(),
  latitude: number.optional(),
  longitude: number.optional(),
  speed: number.optional(),
  course: number.optional(),
  isValid: bool.optional(),
  attributes: open.nullable().optional(),
})
export const livePosition = z.strictObject({
  deviceId: id,
  seq: whole,
  status: z.string(),
  fixTime: time,
  latitude: z.number(),
  longitude: z.number(),
  speed: number,
  course: number,
  accuracy: number,
  isValid: bool,
  ignition: bool.nullable(),
  batteryLevel: number,
  alarm: text,
})
export const permission = z.strictObject({
  Id: id,
  deviceId: id,
  geofenceId: id,
  device: z.string(),
  geofence: z.string(),
  dateCreated: time,
})
export const savedCommand = z.strictObject({
  ...stored,
  name: z.string(),
  type: z.literal('command'),
  commandType: z.string(),
  parameters: open,
})
export const eventIo = z.strictObject({
  ...stored,
  name: z.string(),
  type: z.literal('event'),
  eventType: z.string(),
  severity: z.string(),
  conditions: z.array(ruleCondition),
  schedule: ruleSchedule.nullable(),
  calendar: ruleHours.nullable(),
  cooldownSeconds: whole,
  isActive: bool,
  actions: whole,
})
export const driver = z.strictObject({
  ...stored,
  name: z.string(),
  uniqueId: text,
  userId: someone,
  phone: text,
  licence: text,
  licenceExpires: z.iso.date().nullable(),
})
export const eventAction = z.strictObject({
  ...stored,
  name: z.string(),
  type: z.literal('eventAction'),
  actionType: z.string(),
  eventIoId: someone,
  eventIo: text,
  parameters: reactionParameters,
  /** A webhook is signed with a secret, which is never told. */
  hasSecret: bool,
  isActive: bool,
})
const { attributes: _, ...storedFeed } = stored
export const feed = z.strictObject({
  ...storedFeed,
  name: z.string(),
  url: text,
  historyDays: whole,
  isActive: bool,
  state: z.unknown(),
  nextRunAt: time.nullable(),
})
export const progress = z.looseObject({ state: z.string(), kind: z.string(), devices: z.number(), done: z.number(), message: text })
export const settings = z.strictObject({ keepDays: number, keepTripDays: number, tripRule: z.string(), tripSettings: open, version: whole })
/** As followers of events hear of them. */
export const liveEvent = z.strictObject({
  id,
  seq: whole,
  type: z.string(),
  severity: z.string(),
  deviceId: someone,
  device: text,
  geofenceId: someone,
  geofence: text,
  eventIoId: someone,
  eventIo: text,
  alarm: text,
  eventTime: time,
  latitude: number,
  longitude: number,
  speed: number,
  isLate: bool,
  isSuperseded: bool,
  acknowledgedBy: someone,
  acknowledgedAt: time.nullable(),
})
export const event = liveEvent.extend({ serverTime: time, acknowledgedByName: text, note: text, attributes: open })
export const eventInFull = event.extend({ reactions: z.array(z.looseObject({ type: z.string(), state: z.string() })) })
