import { sortBy } from 'es-toolkit/array/sortBy'
import type { LivePosition } from '@outpost/contract/geo/calls'
import { mainDevice } from '@outpost/rules/fleet/main-device'
import { assetState, movingKmh, vehicleStates, type VehicleState } from '@outpost/rules/fleet/states'
import type { CallData } from '../../data/calls.ts'

/** What a marker and the list are coloured by. */
export type State = VehicleState
export const stateLooks = vehicleStates
export const states = Object.keys(vehicleStates) as readonly State[]

/** A device on an asset, short: where it is and what it does. */
export type MapDevice = CallData<'geo.assets.places'>['assetPlaces'][number]
/** An asset of the map with its devices, short: there are thousands of them. */
export interface MapAsset {
  Id: string
  name: string
  registrationNumber: string
  make: string | null
  model: string | null
  /** Left out by the rows that an older program kept on the device. */
  mapIcon?: string
  groupIds: { Id: string; label: string }[]
  devices: MapDevice[]
  /** All that a search looks at, in capitals. */
  words: string
}

/** An asset in full, with its devices. */
export type FleetAsset = CallData<'assets.one'>['asset']
export type FleetDevice = FleetAsset['asset_devices'][number]

interface ShortAsset {
  Id: string
  registrationNumber: string
  make: string | null
  model: string | null
  mapIcon?: string
  groupIds: readonly string[]
}

/** What the server knows of the assets and the geo service of their devices, put together. */
export function assetsOf(
  assets: readonly ShortAsset[],
  { groups, places }: { groups: readonly { Id: string; label: string }[]; places: readonly MapDevice[] },
): MapAsset[] {
  const labels = new Map(groups.map(({ Id, label }) => [Id, label]))
  const byAsset = Map.groupBy(places, ({ assetId }) => assetId)
  return assets.map(({ groupIds, ...asset }) => {
    const devices = byAsset.get(asset.Id) ?? []
    return {
      ...asset,
      name: [asset.registrationNumber, asset.make].filter(Boolean).join(' '),
      groupIds: groupIds.map((Id) => ({ Id, label: labels.get(Id) ?? '' })),
      devices,
      words:
        `${asset.registrationNumber} ${asset.make ?? ''} ${asset.model ?? ''} ${devices.map(({ uniqueId, name }) => `${uniqueId} ${name}`).join(' ')}`.toUpperCase(),
    }
  })
}

/** An asset as the map shows it now. */
export interface Tracked {
  asset: MapAsset
  state: State
  lat: number | null
  lng: number | null
  speed: number | null
  course: number | null
  /** Of the newest place, ISO 8601. */
  at: string | null
  alarm: string | null
}

/** A phone, or a tracker between two connections, counts as there for this long after its last fix. */
const recentMs = 600_000

function liveState({ alarm, status, fixTime, isValid, speed, ignition }: LivePosition, now: number): State {
  if (alarm) return 'alarm'
  if (status !== 'online' && now - Date.parse(fixTime) > recentMs) return 'offline'
  if (isValid && (speed ?? 0) > movingKmh) return ignition === false ? 'towed' : 'moving'
  return ignition === true ? 'idling' : 'stopped'
}

function newestMove({ devices }: MapAsset, moves: ReadonlyMap<string, LivePosition>): LivePosition | undefined {
  let newest: LivePosition | undefined
  for (const { deviceId } of devices) {
    const move = moves.get(deviceId)
    if (move && (newest === undefined || move.fixTime > newest.fixTime)) newest = move
  }
  return newest
}

/**
 * Puts assets and moves together, again and again: what did not change is the same object as before, so that of thousands only those
 * that moved are drawn anew.
 */
export function createTracker() {
  let known = new Map<string, { asset: MapAsset; move: LivePosition | undefined; now: number; one: Tracked }>()
  return (assets: readonly MapAsset[], moves: ReadonlyMap<string, LivePosition>, now: number): Tracked[] => {
    const former = known
    known = new Map()
    return assets.map((asset) => {
      const [before, move] = [former.get(asset.Id), newestMove(asset, moves)]
      const isSame = before?.asset === asset && before.move === move && before.now === now
      const one = isSame ? before.one : trackedOf(asset, moves, now)
      known.set(asset.Id, { asset, move, now, one })
      return one
    })
  }
}

/** Of its devices the one that says where it is. */
export const placedDevice = ({ devices }: MapAsset): MapDevice | undefined => mainDevice(devices, ({ latitude }) => latitude !== null)

/** An asset with what its devices sent since it was asked for: of several, the newest counts. `now`: ms since 1970. */
export function trackedOf(asset: MapAsset, moves: ReadonlyMap<string, LivePosition>, now: number): Tracked {
  const main = placedDevice(asset)
  const live = newestMove(asset, moves)
  if (live && live.fixTime >= (main?.fixTime ?? ''))
    return {
      asset,
      alarm: live.alarm,
      state: liveState(live, now),
      lat: live.latitude,
      lng: live.longitude,
      speed: live.speed,
      course: live.course,
      at: live.fixTime,
    }
  const { latitude: lat = null, longitude: lng = null, speed = null, course = null, fixTime: at = null, alarm = null } = main ?? {}
  return {
    asset,
    alarm,
    state: assetState(main, asset.devices),
    lat,
    lng,
    speed,
    course,
    at,
  }
}

export interface Wanted {
  search: string
  state: State | undefined
  group: string | undefined
}

/** The assets that search, group and state leave, by registration number. */
export function pickAssets(all: readonly Tracked[], { search, state, group }: Wanted): Tracked[] {
  return inGroup(all, { search, group }).filter((one) => state === undefined || one.state === state)
}

function inGroup(all: readonly Tracked[], { search, group }: Pick<Wanted, 'search' | 'group'>): Tracked[] {
  const text = search.trim().toUpperCase()
  return all.filter(
    ({ asset }) => (text === '' || asset.words.includes(text)) && (group === undefined || asset.groupIds.some(({ Id }) => Id === group)),
  )
}

/** Those with a place, by how far they are from here; the others after them. */
export function nearestFirst(all: readonly Tracked[], { lat, lng }: { lat: number; lng: number }): Tracked[] {
  // Flat degrees do for an order: nobody asks for the nearest of two on other continents.
  const narrow = Math.cos((lat * Math.PI) / 180)
  const far = (one: Tracked) => (one.lat === null || one.lng === null ? Infinity : (one.lat - lat) ** 2 + ((one.lng - lng) * narrow) ** 2)
  return sortBy(all, [far])
}

/** How many of those that search and group leave are in each state: what a state's button says is what it opens. */
export function countStates(all: readonly Tracked[], wanted: Pick<Wanted, 'search' | 'group'>): Record<State, number> {
  const counts = Object.fromEntries(states.map((state) => [state, 0])) as Record<State, number>
  for (const { state } of inGroup(all, wanted)) counts[state] += 1
  return counts
}
