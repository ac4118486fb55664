import type { LivePosition } from '@outpost/contract/geo'
import type { Tone } from '../../theme/tones.ts'

/** What a marker and the list are coloured by. */
export const states = ['alarm', 'moving', 'idling', 'stopped', 'offline', 'unlinked'] as const
export type State = (typeof states)[number]
export const stateLooks: Readonly<Record<State, { label: string; tone: Tone }>> = {
  alarm: { label: 'Alarm', tone: 'bad' },
  moving: { label: 'Moving', tone: 'good' },
  idling: { label: 'Idling', tone: 'warn' },
  stopped: { label: 'Stopped', tone: 'info' },
  offline: { label: 'Offline', tone: 'quiet' },
  unlinked: { label: 'Without tracker', tone: 'quiet' },
}

export interface FleetDevice {
  deviceId: string
  uniqueId: string
  name: string
  devicetypename: string
  protocol: string | null
  model: string | null
  status: string
  state: string
  lastUpdate: string | null
  telemetry: Record<string, unknown>
  position: { latitude: number; longitude: number; speed: number | null; course: number | null; fixTime: string } | null
}
/** An asset as GET /api/geo/asset gives it. */
export interface FleetAsset {
  Id: string
  name: string
  registrationNumber: string
  make: string | null
  model: string | null
  mapIcon: string
  status: string
  state: string
  groupIds: { Id: string; label: string }[]
  tenantIdLabel: string | null
  clientId: string | null
  clientIdLabel: string | null
  odometer: number | null
  engineHours: number | null
  latitude: number | null
  longitude: number | null
  lastUpdate: string | null
  deviceTime: string | null
  telemetry: Record<string, unknown>
  asset_devices: FleetDevice[]
}

/** An asset as the map shows it now. */
export interface Tracked {
  asset: FleetAsset
  state: State
  lat: number | null
  lng: number | null
  speed: number | null
  course: number | null
  /** Of the newest place, ISO 8601. */
  at: string | null
  alarm: string | null
}

/** A device moves when its fix is valid and faster than a walk, as the geo service has it. */
const movingKmh = 5

/** A phone, or a tracker between two connections, counts as there for this long after its last fix. */
const recentMs = 600_000

function stateOf(base: string, live: LivePosition | undefined, { alarm, now }: { alarm: string | null; now: number }): State {
  if (alarm) return 'alarm'
  if (live) {
    if (live.status !== 'online' && now - Date.parse(live.fixTime) > recentMs) return 'offline'
    if (live.isValid && (live.speed ?? 0) > movingKmh) return 'moving'
    return live.ignition === true ? 'idling' : 'stopped'
  }
  return base === 'moving' || base === 'idling' || base === 'stopped' || base === 'unlinked' ? base : 'offline'
}

/** An asset with what its devices sent since it was asked for: of several, the newest counts. `now`: ms since 1970. */
export function trackedOf(asset: FleetAsset, moves: ReadonlyMap<string, LivePosition>, now: number): Tracked {
  const live = asset.asset_devices
    .flatMap(({ deviceId }) => moves.get(deviceId) ?? [])
    .toSorted((a, b) => b.fixTime.localeCompare(a.fixTime))
    .at(0)
  const isNewer = live !== undefined && live.fixTime >= (asset.deviceTime ?? '')
  const alarm = isNewer ? live.alarm : typeof asset.telemetry.alarm === 'string' ? asset.telemetry.alarm : null
  const device = asset.asset_devices.find(({ position }) => position !== null && position.fixTime === asset.deviceTime)
  return {
    asset,
    alarm,
    state: stateOf(asset.state, live, { alarm, now }),
    lat: isNewer ? live.latitude : asset.latitude,
    lng: isNewer ? live.longitude : asset.longitude,
    speed: isNewer ? live.speed : (device?.position?.speed ?? null),
    course: isNewer ? live.course : (device?.position?.course ?? null),
    at: isNewer ? live.fixTime : asset.deviceTime,
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
  return all.filter(({ asset }) => {
    const has =
      `${asset.registrationNumber} ${asset.make ?? ''} ${asset.model ?? ''} ${asset.asset_devices.map(({ uniqueId, name }) => `${uniqueId} ${name}`).join(' ')}`.toUpperCase()
    return (text === '' || has.includes(text)) && (group === undefined || asset.groupIds.some(({ Id }) => Id === group))
  })
}

/** How many of those that search and group leave are in each state: what a state's button says is what it opens. */
export function countStates(all: readonly Tracked[], wanted: Pick<Wanted, 'search' | 'group'>): Record<State, number> {
  const counts: Record<State, number> = { alarm: 0, moving: 0, idling: 0, stopped: 0, offline: 0, unlinked: 0 }
  for (const { state } of inGroup(all, wanted)) counts[state] += 1
  return counts
}
