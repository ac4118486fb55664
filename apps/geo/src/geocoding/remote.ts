import { setTimeout as sleep } from 'node:timers/promises'
import { openOutgoing } from '@outpost/platform/outgoing'
import type { Point } from '@outpost/rules/places/distance'
import type { CachedAddress } from './geocode.ts'

export interface RemoteGeocoder {
  /**
   * Address of a Nominatim, Photon or Pelias server, with {lat} and {lon}:
   * https://nominatim.example/reverse?format=jsonv2&lat={lat}&lon={lon}
   */
  url: string
  /** Calls a second; public servers allow one. */
  perSecond: number
}

const maxWait = 2_000
const pauseAfterFailure = 30_000

/**
 * Asks a geocoder within its rate limit. Returns nothing (so that the bundled places answer) when the queue is longer than two seconds
 * or a call failed within half a minute: nobody waits for a geocoder that is down.
 */
export function remoteGeocoder(
  { url, perSecond }: RemoteGeocoder,
  clock: () => number = Date.now,
): (point: Point) => Promise<CachedAddress | undefined> {
  const outgoing = openOutgoing({ reach: 'operator', limitMs: 3_000, maxResponseSize: 200_000 })
  let nextFree = 0
  let pausedUntil = 0
  return async ({ latitude, longitude }) => {
    const now = clock()
    const wait = Math.max(0, nextFree - now)
    if (now < pausedUntil || wait > maxWait) return undefined
    nextFree = now + wait + 1000 / perSecond
    await sleep(wait)
    try {
      const { statusCode, body } = await outgoing.request(
        url.replaceAll('{lat}', String(latitude)).replaceAll('{lon}', String(longitude)),
        { headers: { accept: 'application/json', 'user-agent': 'Outpost' } },
      )
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`The geocoder answered ${statusCode}`)
      return readAnswer(JSON.parse(text))
    } catch (error) {
      pausedUntil = clock() + pauseAfterFailure
      throw error
    }
  }
}

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

/** The name in an answer of Nominatim (display_name), Pelias (label) or Photon (its parts); undefined when it has none. */
export function readAnswer(answer: unknown): CachedAddress | undefined {
  if (!isObject(answer)) return undefined
  const displayName = textOf(answer.display_name)
  if (displayName) return { address: displayName, placeId: idOf(answer.osm_type, answer.osm_id) }
  const first: unknown = Array.isArray(answer.features) ? answer.features[0] : undefined
  const found = isObject(first) && isObject(first.properties) ? first.properties : undefined
  if (!found) return undefined
  const street = [textOf(found.street), textOf(found.housenumber)].filter(Boolean).join(' ')
  const parts = [textOf(found.name), street, textOf(found.district), textOf(found.city), textOf(found.country)].filter(
    (part, at, all) => part && all.indexOf(part) === at,
  )
  const address = textOf(found.label) ?? (parts.length > 0 ? parts.join(', ') : undefined)
  return address === undefined ? undefined : { address, placeId: textOf(found.gid) ?? idOf(found.osm_type, found.osm_id) }
}

const idOf = (type: unknown, id: unknown) => (typeof id === 'number' || typeof id === 'string' ? `osm:${textOf(type) ?? ''}${id}` : null)
