import type { Permission } from '../permissions.ts'

/** A call of the geo service: the server hands it on under /geo, the service answers it. */
export interface GeoCallDefinition {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `:name` parts must have the shape that geoShapes names for them, else that of an identifier. */
  path: string
  /** Any of them admits; asked by the server and, from the claims of the token, by the service again. */
  anyOf: readonly [Permission, ...Permission[]]
  /** Names of the query that are known; anything else is refused. */
  query?: readonly string[]
  /** Set in the body whatever the caller sends. */
  fixed?: Readonly<Record<string, string>>
  /** Status of the good answer; default 200. */
  status?: 202
  /** Ours, beside what the specification has. */
  own?: true
  /** Not while impersonating: the answer holds a key. */
  inPerson?: true
  /** Names of the body that nobody may set while impersonating: a key one chose would outlive the half hour. */
  keys?: readonly string[]
  /** The answer carries an ETag, and a caller who has it gets 304. */
  isTagged?: true
  /**
   * A read whose answer may be large: the server streams it through instead of parsing it. Only where the service itself decides what of it the
   * caller sees, and the server adds nothing.
   */
  isLarge?: true
}

/** Who sees where people and vehicles are. */
const see = ['SALES/AGENT/POSITION', 'ADMIN/LOCATIONS'] as const
/** Who sees the trips of a person: one's own in the field, those of colleagues with the history of agents; the same as /api/usertracking. */
const work = ['SALES/AGENTS/MYWORK', 'SALES/AGENTS/HISTORY'] as const
/** Who manages fences, devices, rules and drivers: the specification has no permission of their own for them. */
const read = ['ADMIN/LOCATIONS', 'SALES/AGENT/POSITION'] as const
const add = ['ADMIN/LOCATIONS/CREATE'] as const
const edit = ['ADMIN/LOCATIONS/EDIT'] as const
const drop = ['ADMIN/LOCATIONS/DELETE'] as const
/** A command may stop an engine. */
const command = ['ADMIN/SETTINGS'] as const
/** Feeds let a sender speak for all devices of a company. */
const settings = ['ADMIN/SETTINGS'] as const
/** What holds for the whole company: its administrators and its managing director. */
const govern = ['ADMIN/SETTINGS', 'ADMIN/TENANTS'] as const

const page = ['page', 'size', 'sortField', 'sortOrder', 'search'] as const

/** Every call of the geo-server's API, one line each: both sides are made from this table. */
export const geoCalls = {
  'geofences.list': { method: 'GET', path: '/geofences', anyOf: read, query: [...page, 'deviceId', 'type'], isLarge: true },
  'geofences.create': { method: 'POST', path: '/geofences', anyOf: add },
  'geofences.import': { method: 'POST', path: '/geofences/import', anyOf: add, own: true },
  'geofences.get': { method: 'GET', path: '/geofences/:id', anyOf: read },
  'geofences.update': { method: 'PUT', path: '/geofences/:id', anyOf: edit },
  'geofences.setDevices': { method: 'PUT', path: '/geofences/:id/devices', anyOf: edit, own: true },
  'geofences.remove': { method: 'DELETE', path: '/geofences/:id', anyOf: drop },
  'devices.list': { method: 'GET', path: '/devices', anyOf: read, query: [...page, 'status'], isLarge: true },
  'devices.create': { method: 'POST', path: '/devices', anyOf: add, keys: ['token'] },
  'devices.import': { method: 'POST', path: '/devices/import', anyOf: add, own: true },
  'devices.get': { method: 'GET', path: '/devices/:id', anyOf: read },
  'devices.doctor': { method: 'GET', path: '/devices/:id/doctor', anyOf: read, own: true },
  'devices.update': { method: 'PUT', path: '/devices/:id', anyOf: edit, keys: ['token'] },
  'devices.setAsset': { method: 'PUT', path: '/devices/:id/asset', anyOf: edit, own: true },
  'devices.setOdometer': { method: 'PUT', path: '/devices/:id/odometer', anyOf: edit, own: true },
  'devices.setEngineHours': { method: 'PUT', path: '/devices/:id/engine-hours', anyOf: edit, own: true },
  'devices.remove': { method: 'DELETE', path: '/devices/:id', anyOf: drop },
  'devices.stats': { method: 'GET', path: '/devices/stats', anyOf: read, own: true },
  'devices.hardware': { method: 'GET', path: '/devices/hardware', anyOf: read, query: page, own: true, isLarge: true },
  'positions.page': {
    method: 'GET',
    path: '/positions/page',
    anyOf: see,
    query: ['page', 'size', 'sortOrder', 'search', 'deviceId', 'from', 'to'],
    own: true,
    isLarge: true,
  },
  'devices.unlinked': { method: 'GET', path: '/devices/unlinked', anyOf: read, query: page, own: true, isLarge: true },
  'assets.devices': { method: 'GET', path: '/assets/devices', anyOf: read, query: ['assetIds'], own: true },
  'assets.places': { method: 'GET', path: '/assets/places', anyOf: read, own: true },
  'assets.measured': { method: 'GET', path: '/assets/measured', anyOf: read, query: ['assetIds'], own: true },
  'devices.search': { method: 'GET', path: '/devices/search', anyOf: read, query: page, isLarge: true },
  'devices.sendCommand': { method: 'POST', path: '/devices/sendCommand/:deviceId/:commandType', anyOf: command, status: 202 },
  'positions.list': {
    method: 'GET',
    path: '/positions',
    anyOf: see,
    query: [...page, 'deviceId', 'from', 'to', 'after', 'fields', 'simplify'],
    isLarge: true,
  },
  'positions.changes': { method: 'GET', path: '/positions/changes', anyOf: see, query: ['since', 'box'], own: true, isLarge: true },
  'positions.get': { method: 'GET', path: '/positions/:id', anyOf: see },
  mapzoom: { method: 'GET', path: '/mapzoom/zoom/:zoom/:x/:y', anyOf: see, query: ['forceNoSum'], isTagged: true },
  'permissions.list': { method: 'GET', path: '/permissions', anyOf: read, query: [...page, 'deviceId', 'geofenceId', 'of'], isLarge: true },
  'permissions.create': { method: 'POST', path: '/permissions', anyOf: edit },
  'permissions.remove': { method: 'DELETE', path: '/permissions', anyOf: edit },
  'commands.list': { method: 'GET', path: '/commands', anyOf: read, query: page },
  'commands.sent': {
    method: 'GET',
    path: '/commands/sent',
    anyOf: read,
    query: [...page, 'deviceId', 'state'],
    own: true,
    isLarge: true,
  },
  'commands.create': { method: 'POST', path: '/commands', anyOf: add, fixed: { type: 'command' } },
  'commands.get': { method: 'GET', path: '/commands/:id', anyOf: read },
  'commands.update': { method: 'PUT', path: '/commands/:id', anyOf: edit },
  'commands.remove': { method: 'DELETE', path: '/commands/:id', anyOf: drop },
  'eventIos.list': { method: 'GET', path: '/eventIos', anyOf: read, query: page },
  'eventIos.create': { method: 'POST', path: '/eventIos', anyOf: add, fixed: { type: 'event' } },
  'eventIos.get': { method: 'GET', path: '/eventIos/:id', anyOf: read },
  'eventIos.update': { method: 'PUT', path: '/eventIos/:id', anyOf: edit },
  'eventIos.remove': { method: 'DELETE', path: '/eventIos/:id', anyOf: drop },
  'drivers.list': { method: 'GET', path: '/drivers', anyOf: read, query: page },
  'drivers.create': { method: 'POST', path: '/drivers', anyOf: add },
  'drivers.get': { method: 'GET', path: '/drivers/:id', anyOf: read, own: true },
  'drivers.update': { method: 'PUT', path: '/drivers/:id', anyOf: edit },
  'drivers.remove': { method: 'DELETE', path: '/drivers/:id', anyOf: drop },
  deviceTrips: { method: 'GET', path: '/deviceTrips/trip', anyOf: see, query: ['deviceid', 'fromdate', 'todate', 'zeros'], isLarge: true },
  userTrips: { method: 'GET', path: '/usertraking/trip', anyOf: work, query: ['userId', 'fromdate', 'todate', 'zeros'] },
  'eventActions.list': { method: 'GET', path: '/eventActions', anyOf: read, query: [...page, 'eventIoId'] },
  'eventActions.create': { method: 'POST', path: '/eventActions', anyOf: add, fixed: { type: 'eventAction' } },
  'eventActions.get': { method: 'GET', path: '/eventActions/:id', anyOf: read },
  'eventActions.update': { method: 'PUT', path: '/eventActions/:id', anyOf: edit },
  'eventActions.remove': { method: 'DELETE', path: '/eventActions/:id', anyOf: drop },
  'feeds.list': { method: 'GET', path: '/feeds', anyOf: settings, query: page, own: true },
  'feeds.create': { method: 'POST', path: '/feeds', anyOf: settings, own: true, inPerson: true },
  'feeds.get': { method: 'GET', path: '/feeds/:id', anyOf: settings, own: true },
  'feeds.update': { method: 'PUT', path: '/feeds/:id', anyOf: settings, own: true, inPerson: true },
  'feeds.remove': { method: 'DELETE', path: '/feeds/:id', anyOf: settings, own: true },
  'feeds.import': { method: 'POST', path: '/feeds/:id/import', anyOf: settings, own: true, status: 202 },
  'feeds.progress': { method: 'GET', path: '/feeds/:id/import', anyOf: settings, own: true },
  'companySettings.get': { method: 'GET', path: '/settings', anyOf: govern, own: true },
  'companySettings.update': { method: 'PUT', path: '/settings', anyOf: govern, own: true },
  'events.list': {
    method: 'GET',
    path: '/events',
    anyOf: see,
    query: [...page, 'type', 'severity', 'deviceId', 'geofenceId', 'eventIoId', 'from', 'to', 'acknowledged'],
    own: true,
    isLarge: true,
  },
  'events.changes': { method: 'GET', path: '/events/changes', anyOf: see, query: ['since'], own: true, isLarge: true },
  'events.get': { method: 'GET', path: '/events/:id', anyOf: see, own: true },
  'events.acknowledge': { method: 'POST', path: '/events/:id/acknowledge', anyOf: see, own: true },
  'crashes.review': { method: 'PUT', path: '/crashes/:deviceId/:time', anyOf: edit, own: true },
  'eventIos.preview': { method: 'POST', path: '/eventIos/preview', anyOf: read, own: true },
  geocoding: { method: 'GET', path: '/geocoding/position/:coordinates', anyOf: see },
} as const satisfies Record<string, GeoCallDefinition>
export type GeoCallName = keyof typeof geoCalls

/** Shapes of path parts that are no identifiers of ours. */
export const geoShapes = {
  zoom: /^\d{1,2}$/,
  x: /^-?\d{1,10}$/,
  y: /^-?\d{1,10}$/,
  /** Epoch milliseconds. */
  time: /^\d{12,14}$/,
  commandType: /^([A-Za-z][A-Za-z0-9]{0,40}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
  coordinates: /^-?\d{1,3}(\.\d{1,12})?,-?\d{1,3}(\.\d{1,12})?$/,
} as const satisfies Record<string, RegExp>

/** The newest place of a device as the live map needs it; km/h, metres, degrees. */
export interface LivePosition {
  deviceId: string
  /** Grows with each change, over all devices. */
  seq: number
  status: 'online' | 'offline' | 'unknown'
  /** ISO 8601, UTC. */
  fixTime: string
  latitude: number
  longitude: number
  speed: number | null
  course: number | null
  accuracy: number | null
  isValid: boolean
  /** Null where the device does not say. */
  ignition: boolean | null
  batteryLevel: number | null
  /** Of this position, e.g. powerCut or hardBraking,sos. */
  alarm: string | null
}

/** Who may see where colleagues were. */
export const maySeeColleagues = 'SALES/AGENTS/HISTORY' satisfies Permission

/** Who may follow positions as they come. */
export const mayFollowPositions = see
/** Who may follow events as they come. */
export const mayFollowEvents = see

/** What a service token must say about its bearer: the geo service needs no other of their rights. */
export const geoPermissions: ReadonlySet<string> = new Set<string>(Object.values(geoCalls).flatMap(({ anyOf }) => [...anyOf]))

/** Audience of the tokens that the server shows the geo service. */
export const geoAudience = 'outpost-geo'
