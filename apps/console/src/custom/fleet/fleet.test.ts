import type { LivePosition } from '@outpost/contract/geo'
import { expect, test } from 'vitest'
import { countStates, pickAssets, trackedOf, type FleetAsset } from './fleet.ts'

const asset = (registrationNumber: string, more: Partial<FleetAsset> = {}): FleetAsset => ({
  Id: registrationNumber,
  name: registrationNumber,
  registrationNumber,
  make: 'Isuzu',
  model: null,
  mapIcon: 'car',
  status: 'Active',
  state: 'stopped',
  groupIds: [],
  tenantIdLabel: null,
  clientId: null,
  clientIdLabel: null,
  odometer: null,
  engineHours: null,
  latitude: -1.2,
  longitude: 36.8,
  lastUpdate: null,
  deviceTime: '2026-11-24T10:00:00.000Z',
  telemetry: {},
  asset_devices: [
    {
      deviceId: `d-${registrationNumber}`,
      uniqueId: '1',
      name: 'T',
      devicetypename: 'Primary',
      protocol: null,
      model: null,
      status: 'online',
      state: 'stopped',
      lastUpdate: null,
      telemetry: {},
      position: null,
    },
  ],
  ...more,
})
const now = Date.parse('2026-11-24T10:30:00.000Z')
const move = (of: string, more: Partial<LivePosition> = {}): [string, LivePosition] => [
  `d-${of}`,
  {
    deviceId: `d-${of}`,
    seq: 1,
    status: 'online',
    fixTime: '2026-11-24T10:01:00.000Z',
    latitude: -1.3,
    longitude: 36.9,
    speed: 40,
    course: 90,
    accuracy: null,
    isValid: true,
    ignition: true,
    batteryLevel: null,
    alarm: null,
    ...more,
  },
]

test('an asset is where its newest device is, and an older message moves nothing', () => {
  const one = asset('A')
  expect(trackedOf(one, new Map([move('A')]), now)).toMatchObject({ state: 'moving', lat: -1.3, speed: 40, course: 90 })
  expect(trackedOf(one, new Map([move('A', { fixTime: '2026-11-24T09:00:00.000Z' })]), now)).toMatchObject({
    lat: -1.2,
    at: one.deviceTime,
  })
  expect(trackedOf(one, new Map([move('B')]), now)).toMatchObject({ state: 'stopped', lat: -1.2 })
})

test('its state: an alarm before all, silence, motion, a running engine', () => {
  const state = (more: Partial<LivePosition>) => trackedOf(asset('A'), new Map([move('A', more)]), now).state
  expect([
    state({ alarm: 'sos' }),
    state({ status: 'offline' }),
    state({}),
    state({ speed: 3 }),
    state({ isValid: false }),
    state({ speed: 0, ignition: null }),
  ]).toEqual(['alarm', 'offline', 'moving', 'idling', 'idling', 'stopped'])
  expect(trackedOf(asset('A', { state: 'unlinked', asset_devices: [] }), new Map(), now).state).toBe('unlinked')
})

test('a state’s count is how many rows it opens', () => {
  const all = [asset('KDA 1', { groupIds: [{ Id: 'g', label: 'G' }] }), asset('KDB 2'), asset('KDA 3', { state: 'offline' })].map((one) =>
    trackedOf(one, new Map(), now),
  )
  const counts = countStates(all, { search: 'kda', group: undefined })
  expect(counts).toMatchObject({ stopped: 1, offline: 1, moving: 0 })
  expect(pickAssets(all, { search: 'kda', state: 'offline', group: undefined }).map(({ asset: { Id } }) => Id)).toEqual(['KDA 3'])
  expect(pickAssets(all, { search: '', state: undefined, group: 'g' }).map(({ asset: { Id } }) => Id)).toEqual(['KDA 1'])
})
