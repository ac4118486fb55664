import type { GeoEvent } from './event.ts'

export type Connection = 'online' | 'unknown' | 'offline'

const quietAfter = 600_000

export interface Presence {
  connection: Connection
  /** Server time of the last message, epoch ms. */
  lastSeen: number
  now: number
  /** Silence (ms) after which the owner calls the device offline; hours for devices that sleep. */
  offlineAfter: number
}

/**
 * The state a device is in now, and the event if that is news. Quiet after ten minutes, offline only after the owner's
 * own time, so that a device that breaks off and comes back raises nothing; online is news after offline alone.
 */
export function connectionOf({ connection, lastSeen, now, offlineAfter }: Presence): { connection: Connection, event: GeoEvent | null } {
  const silence = now - lastSeen
  const next: Connection = silence >= offlineAfter ? 'offline' : silence >= quietAfter ? 'unknown' : 'online'
  if (next === connection) return { connection, event: null }
  const event = (type: GeoEvent['type'], time: number): GeoEvent => ({ type, time, key: '', latitude: null, longitude: null, speed: null, geofenceId: null, attributes: {} })
  if (next === 'offline') return { connection: next, event: event('deviceOffline', lastSeen + offlineAfter) }
  if (next === 'unknown') return { connection: next, event: connection === 'online' ? event('deviceUnknown', lastSeen + quietAfter) : null }
  return { connection: next, event: connection === 'offline' ? event('deviceOnline', lastSeen) : null }
}
