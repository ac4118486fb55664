import { earliestTime } from '../validate-fix.ts'
import { badUniqueId, malformed, readUniqueId, type Malformed, type Reading } from '../report.ts'
import type { DeviceLabels, ForwardedEvent } from '../store.ts'
import { isObject, readNumber, readTime } from '../values.ts'
import { readTraccarPosition, traccarAttributes } from './position.ts'

/** Maximum messages of one request; Traccar itself sends one. */
const maxMessages = 1_000
/** An event of a later year is invalid. */
const latestTime = Date.UTC(2100, 0, 1)

/** Traccar's `forward.type=json`: `{position, device}`, or a list of them. Returns one reading each, in order. */
export function readTraccarPositions(body: unknown): { readings: Reading[] } | { malformed: Malformed } {
  return readEach(body, (item) => {
    const device = readDevice(item)
    if ('malformed' in device) return device
    const position = readTraccarPosition(item.position)
    return 'malformed' in position ? position : { report: { ...device, fixes: [position.fix] } }
  })
}

/** Traccar's `event.forward.type=json`: `{event, position?, device, geofence?, maintenance?}`, or a list of them. */
export function readTraccarEvents(body: unknown): { readings: Reading[] } | { malformed: Malformed } {
  return readEach(body, (item) => {
    const device = readDevice(item)
    if ('malformed' in device) return device
    const event = readEvent(item)
    if ('malformed' in event) return event
    const position = isObject(item.position) ? readTraccarPosition(item.position) : null
    if (position && 'malformed' in position) return position
    return { report: { ...device, fixes: position ? [position.fix] : [], events: [event.event] } }
  })
}

/**
 * Traccar's `forward.type=url`: a query whose names are those of its placeholders (`uniqueId`, `fixTime`, `latitude` ...
 * and `attributes` as JSON); times in epoch milliseconds, speed in knots.
 */
export function readTraccarUrl(params: URLSearchParams): Reading {
  const uniqueId = readUniqueId(params.get('uniqueId') ?? params.get('id'))
  if (uniqueId === null) return badUniqueId('uniqueId', params.get('uniqueId'))
  const attributes = readJson(params.get('attributes'))
  if (attributes === undefined) return malformed('attributes', 'attributes must be JSON')
  const plain = Object.fromEntries([...params].filter(([, value]) => value !== ''))
  const position = readTraccarPosition({
    ...plain,
    attributes: { ...alarmOf(params.get('statusCode')), ...(isObject(attributes) ? attributes : {}) },
  })
  if ('malformed' in position)
    return malformed(position.malformed.field.replace('position.', ''), position.malformed.message.replace('position.', ''))
  return {
    report: {
      uniqueId,
      fixes: [position.fix],
      device: { ...(plain.name ? { name: plain.name } : {}), ...(plain.protocol ? { protocol: plain.protocol } : {}) },
    },
  }
}

function readEach(body: unknown, read: (item: Record<string, unknown>) => Reading): { readings: Reading[] } | { malformed: Malformed } {
  const list = Array.isArray(body) ? body : [body]
  if (list.length === 0) return malformed('body', 'the list is empty')
  if (list.length > maxMessages) return malformed('body', `at most ${maxMessages.toLocaleString('en')} messages at once`)
  return { readings: list.map((item) => (isObject(item) ? read(item) : malformed('body', 'a message must be an object'))) }
}

function readDevice(item: Record<string, unknown>): { uniqueId: string; device: DeviceLabels } | { malformed: Malformed } {
  const device = isObject(item.device) ? item.device : {}
  const uniqueId = readUniqueId(device.uniqueId)
  if (uniqueId === null) return badUniqueId('device.uniqueId', device.uniqueId)
  const words = {
    name: device.name,
    model: device.model,
    phone: device.phone,
    category: device.category,
    protocol: isObject(item.position) ? item.position.protocol : undefined,
  }
  return { uniqueId, device: Object.fromEntries(Object.entries(words).filter(([, value]) => typeof value === 'string' && value !== '')) }
}

function readEvent(item: Record<string, unknown>): { event: ForwardedEvent } | { malformed: Malformed } {
  const { event, geofence } = item
  if (!isObject(event)) return malformed('event', 'event is missing')
  if (typeof event.type !== 'string' || event.type === '') return malformed('event.type', 'event.type is missing')
  // Before version 4.11 the time of an event was called serverTime.
  const at = readTime(event.eventTime ?? event.serverTime)
  if (at === null || at < earliestTime || at > latestTime)
    return malformed('event.eventTime', 'event.eventTime must be yyyy-MM-ddTHH:mm:ss.SSSZ')
  const id = readNumber(event.id)
  return {
    event: {
      type: event.type,
      at,
      attributes: {
        ...traccarAttributes(event.attributes, ['speed', 'speedLimit']),
        ...(id !== null && id > 0 ? { traccarEventId: id } : {}),
        ...(isObject(geofence) && typeof geofence.name === 'string' ? { geofence: geofence.name } : {}),
      },
    },
  }
}

/** Undefined when it is not JSON. */
function readJson(text: string | null): unknown {
  if (text === null || text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** OpenGTS codes of the placeholder statusCode; only the alarm adds something to the position. */
const alarmOf = (code: string | null) => (code !== null && Number(code) === 0xf841 ? { alarm: 'general' } : {})
