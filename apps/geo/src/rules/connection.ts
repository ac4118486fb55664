import type { GeoEvent } from './event.ts'

export type Connection = 'online' | 'unknown' | 'offline'

const quietAfter = 600_000

export interface Presence {
  connection: Connection
  /** Server time of the last message, epoch ms. */
  lastSeen: number
  now: number
  /** Silence (ms) after which the owner considers the device offline; hours for devices that sleep. */
  offlineAfter: number
}

/** Silence after which a device counts as inactive, and again after each period (0: once), ms: Traccar's deviceInactivityStart and -Period. */
export interface Inactivity {
  lastSeen: number
  now: number
  start: number
  period: number
  toldAt: number | null
}

/** The latest due inactivity that was not reported. */
export function inactivityOf({ lastSeen, now, start, period, toldAt }: Inactivity): GeoEvent | null {
  const first = lastSeen + start
  if (now < first) return null
  const time = period > 0 ? first + Math.floor((now - first) / period) * period : first
  return toldAt !== null && toldAt >= time ? null : eventOf('deviceInactive', time, { lastUpdate: lastSeen })
}

const eventOf = (type: GeoEvent['type'], time: number, attributes: GeoEvent['attributes'] = {}): GeoEvent => ({
  type,
  time,
  key: '',
  latitude: null,
  longitude: null,
  speed: null,
  geofenceId: null,
  attributes,
})

/**
 * The current state of a device, and an event if it is new. Quiet after ten minutes, offline only after the owner's own limit, so that a
 * device that reconnects raises nothing; online is an event only after offline.
 */
export function connectionOf({ connection, lastSeen, now, offlineAfter }: Presence): { connection: Connection; event: GeoEvent | null } {
  const silence = now - lastSeen
  const next: Connection = silence >= offlineAfter ? 'offline' : silence >= quietAfter ? 'unknown' : 'online'
  if (next === connection) return { connection, event: null }
  if (next === 'offline') return { connection: next, event: eventOf('deviceOffline', lastSeen + offlineAfter) }
  if (next === 'unknown')
    return { connection: next, event: connection === 'online' ? eventOf('deviceUnknown', lastSeen + quietAfter) : null }
  return { connection: next, event: connection === 'offline' ? eventOf('deviceOnline', lastSeen) : null }
}
