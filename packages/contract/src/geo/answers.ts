import { z } from 'zod'
import type { GeoCallName } from './calls.ts'
import {
  geofence,
  geofenceOfDevice,
  device,
  odometer,
  engineHours,
  assets,
  deviceInFull,
  assetDevice,
  unlinkedDevice,
  doctor,
  anyPosition,
  livePosition,
  permission,
  savedCommand,
  sentCommand,
  eventIo,
  driver,
  eventAction,
  feed,
  progress,
  settings,
  liveEvent,
  event,
  eventInFull,
} from './records.ts'
import { personStops, personTrips, stops, totals, trips } from './rows.ts'
import { identifierSchema as id } from '../input.ts'

const [time, bool, whole] = [z.iso.datetime(), z.boolean(), z.int()]
const text = z.string().nullable()
const number = z.number().nullable()
const open = z.record(z.string(), z.unknown())

const one = <Name extends string>(name: Name, shape: z.ZodType) => z.strictObject({ [name]: shape })
const many = <Name extends string>(name: Name, shape: z.ZodType) => z.strictObject({ [name]: z.array(shape) })
const gone = z.strictObject({ id })

/** What became of the rows of a file, or would; one refused row takes all back. */
const imported = z.strictObject({
  dryRun: z.boolean(),
  made: z.int(),
  refused: z.int(),
  rows: z.array(
    z.strictObject({ row: z.int(), name: z.string(), problems: z.array(z.strictObject({ field: z.string(), message: z.string() })) }),
  ),
})

/** What data of a good answer of each call of the geo service holds; checked by its tests, in the API document and the typed client. */
export const geoAnswers = {
  'geofences.list': many('geofences', geofenceOfDevice),
  'geofences.create': one('geofence', geofence),
  'geofences.import': imported,
  'geofences.get': one('geofence', geofence),
  'geofences.update': one('geofence', geofence),
  'geofences.remove': gone,
  'devices.list': many('geoDevices', device),
  'devices.create': one('geoDevice', device),
  'devices.import': imported,
  'devices.get': one('geoDevice', deviceInFull),
  'devices.doctor': one('deviceDoctor', doctor),
  'devices.update': one('geoDevice', device),
  'devices.setAsset': z.strictObject({ deviceId: id, assets }),
  'devices.setOdometer': z.strictObject({ deviceId: id, odometer }),
  'devices.setEngineHours': z.strictObject({ deviceId: id, engineHours }),
  'devices.remove': gone,
  'devices.stats': z.strictObject({
    total: whole,
    linked: whole,
    /** moving, towed, idling, stopped, offline, unknown, disabled */
    byState: z.record(z.string(), whole),
    byTenant: z.array(z.strictObject({ tenantId: id, tenant: z.string(), total: whole, online: whole })),
    /** Messages of rules that went to a mail-to-SMS gateway. */
    sms: z.strictObject({ today: whole, month: whole, failed: whole }),
  }),
  'devices.hardware': many('hardware', z.strictObject({ make: text, model: text, protocol: text, devices: whole, online: whole })),
  'positions.page': many('position', anyPosition),
  'devices.unlinked': many('unlinkedDevices', unlinkedDevice),
  'assets.devices': many('assetDevices', assetDevice),
  /** Where the devices on assets are, short: what a map of thousands needs. */
  'assets.places': many(
    'assetPlaces',
    z.strictObject({
      assetId: id,
      deviceId: id,
      uniqueId: z.string(),
      name: z.string(),
      type: z.string(),
      state: z.string(),
      lastUpdate: time.nullable(),
      fixTime: time.nullable(),
      latitude: number,
      longitude: number,
      speed: number,
      course: number,
      alarm: text,
    }),
  ),
  /** What trackers measured since the dashboard of an asset was read. */
  'assets.measured': z.strictObject({ measured: z.array(z.strictObject({ assetId: id, metres: z.number(), engineSeconds: z.number() })) }),
  'devices.search': many('geoDevices', device),
  'devices.sendCommand': z.strictObject({ commandId: id, state: z.string() }),
  'positions.list': many('position', anyPosition),
  'positions.changes': z.strictObject({ positions: z.array(livePosition), removed: z.array(id), seq: whole }),
  'positions.get': one('position', anyPosition),
  mapzoom: z.strictObject({
    clusters: z.array(z.strictObject({ lat: z.number(), lng: z.number(), count: whole, byStatus: open, expandAt: whole })),
    devices: z.array(
      z.strictObject({
        deviceId: id,
        name: z.string(),
        category: text,
        status: z.string(),
        latitude: z.number(),
        longitude: z.number(),
        speed: number,
        course: number,
        fixTime: time,
      }),
    ),
  }),
  'geofences.setDevices': z.strictObject({ devices: z.int(), added: z.int(), removed: z.int() }),
  'permissions.list': many('permissions', permission),
  'permissions.create': one('permission', permission),
  'permissions.remove': z.strictObject({ removed: bool }),
  'commands.list': many('commands', savedCommand),
  'commands.sent': many('sentCommands', sentCommand),
  'commands.create': one('command', savedCommand),
  'commands.get': one('command', savedCommand),
  'commands.update': one('command', savedCommand),
  'commands.remove': gone,
  'eventIos.list': many('eventIos', eventIo),
  'eventIos.create': one('eventIo', eventIo),
  'eventIos.get': one('eventIo', eventIo),
  'eventIos.update': one('eventIo', eventIo),
  'eventIos.remove': gone,
  'drivers.list': many('drivers', driver),
  'drivers.create': one('driver', driver),
  'drivers.get': one('driver', driver),
  'drivers.update': one('driver', driver),
  'drivers.remove': gone,
  deviceTrips: z.strictObject({ device: z.strictObject({ id, name: z.string(), uniqueId: z.string() }), trips, stops, totals }),
  userTrips: z.strictObject({
    user: z.strictObject({ id, deviceIds: z.array(id) }),
    trips: personTrips,
    stops: personStops,
    totals,
  }),
  'eventActions.list': many('eventActions', eventAction),
  'eventActions.create': one('eventAction', eventAction),
  'eventActions.get': one('eventAction', eventAction),
  'eventActions.update': one('eventAction', eventAction),
  'eventActions.remove': gone,
  'feeds.list': many('feeds', feed),
  /** `token`: shown this once. */
  'feeds.create': one('feed', feed.extend({ token: z.string().optional() })),
  'feeds.get': one('feed', feed),
  'feeds.update': one('feed', feed.extend({ token: z.string().optional() })),
  'feeds.remove': gone,
  'feeds.import': one('import', progress),
  'feeds.progress': one('import', progress),
  'companySettings.get': one('settings', settings),
  'companySettings.update': one('settings', settings),
  'events.list': many('events', event),
  'events.changes': z.strictObject({ events: z.array(liveEvent), seq: whole, hasMore: bool }),
  'events.get': one('event', eventInFull),
  'events.acknowledge': one('event', eventInFull),
  'crashes.review': one('crash', z.strictObject({ deviceId: id, time, status: z.string(), note: text, reviewedBy: id, reviewedAt: time })),
  /** `rings`: how often the rule would have matched; the newest of them in full. */
  'eventIos.preview': z.strictObject({ days: whole, events: whole, rings: whole, devices: whole, isCut: bool, examples: z.array(event) }),
  geocoding: z.strictObject({
    address: text,
    source: text,
    distanceM: number,
    placeId: text,
    latitude: z.number(),
    longitude: z.number(),
  }),
} as const satisfies Record<GeoCallName, z.ZodType>
