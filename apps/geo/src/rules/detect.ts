import type { Fix } from '../positions/fix.ts'
import type { EventType } from './catalogue.ts'
import type { GeoEvent } from './event.ts'

/** What is remembered of a device's last message; null is unknown, which is not "off". */
export interface Memory {
  ignition: boolean | null
  alarms: readonly string[]
  driver: string | null
}

export const emptyMemory: Memory = { ignition: null, alarms: [], driver: null }

/**
 * Detects events in messages of ONE device in order of deviceTime (IO changes follow it, not the fix): ignition changes, alarms that
 * begin (a list separated by commas holds several; a lasting one is reported once), a different driver's key, the answer to a command.
 * For late messages, detect again from the memory before them; the keys make that harmless.
 */
export function detectEvents(memory: Memory, messages: readonly Fix[]): { events: GeoEvent[]; memory: Memory } {
  const events: GeoEvent[] = []
  let now = memory
  for (const message of messages) {
    const next = remembered(now, message)
    events.push(...eventsBetween(now, next, message))
    now = next
  }
  return { events, memory: now }
}

function remembered(before: Memory, { attributes }: Fix): Memory {
  return {
    ignition: typeof attributes.ignition === 'boolean' ? attributes.ignition : before.ignition,
    alarms: alarmsOf(attributes.alarm),
    driver: attributes.driverUniqueId === undefined || attributes.driverUniqueId === '' ? before.driver : String(attributes.driverUniqueId),
  }
}

/** Names of an alarm attribute, each once. */
function alarmsOf(alarm: string | number | boolean | undefined): string[] {
  return alarm === undefined
    ? []
    : [
        ...new Set(
          String(alarm)
            .split(',')
            .map((name) => name.trim())
            .filter(Boolean),
        ),
      ]
}

function eventsBetween(before: Memory, after: Memory, message: Fix): GeoEvent[] {
  const { attributes } = message
  const make = (type: EventType, key: string, more: GeoEvent['attributes']): GeoEvent => ({
    type,
    key,
    time: message.deviceTime,
    latitude: message.latitude,
    longitude: message.longitude,
    speed: message.speed,
    geofenceId: null,
    attributes: more,
  })
  const events: GeoEvent[] = []
  if (after.ignition !== null && before.ignition !== null && after.ignition !== before.ignition)
    events.push(make(after.ignition ? 'ignitionOn' : 'ignitionOff', '', { ...attributes }))
  for (const alarm of after.alarms) if (!before.alarms.includes(alarm)) events.push(make('alarm', alarm, { ...attributes, alarm }))
  if (before.driver !== null && after.driver !== before.driver)
    events.push(make('driverChanged', after.driver!, { ...attributes, previousDriverUniqueId: before.driver }))
  if (typeof attributes.result === 'string')
    events.push(make('commandResult', attributes.result.slice(0, 100), { result: attributes.result }))
  return events
}
