import type { RelayTopics } from '@outpost/platform/relay'
import { isInBox } from '@outpost/rules/places/box'
import type { Point } from '@outpost/rules/places/distance'
import type { Connection } from './connection.ts'

type Position = RelayTopics['geo.positions']['positions'][number]
type Known = Point & { seq: number }

/**
 * Who has just moved the map asks for what is there; until that answer is certainly made, all that moves is sent, so
 * that a device which passes through between the two is no ghost.
 */
const settleMs = 5_000

/** Which positions a socket that watches a part of the map is sent: those in it, and those that leave it. */
export interface Viewports {
  filterFor(connection: Pick<Connection, 'view'>): ((position: Position) => boolean) | undefined
  /** These have been sent; the next question compares with them. */
  remember(positions: readonly Position[], isAnybodyWatching: boolean): void
}

/** Of one company. A device whose last place is unknown may have left: it is sent. */
export function createViewports(now: () => number = Date.now): Viewports {
  const places = new Map<string, Known>()
  return {
    filterFor({ view }) {
      if (!view) return undefined
      const { box, since } = view
      if (now() - since < settleMs) return () => true
      return (position) => {
        const before = places.get(position.deviceId)
        return isInBox(box, position) || !before || isInBox(box, before)
      }
    },
    remember(positions, isAnybodyWatching) {
      // What is not kept up to date must not be compared with.
      if (!isAnybodyWatching) return places.clear()
      for (const { deviceId, seq, latitude, longitude } of positions) {
        if (seq >= (places.get(deviceId)?.seq ?? 0)) places.set(deviceId, { seq, latitude, longitude })
      }
    },
  }
}
