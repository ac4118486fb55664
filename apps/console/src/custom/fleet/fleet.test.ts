import type { LivePosition } from '@outpost/contract/geo/calls'
import { expect, test } from 'vitest'
import { vehicleStates } from '@outpost/rules/fleet/states'
import {
  assetsOf,
  countStates,
  createTracker,
  nearestFirst,
  pickAssets,
  stateLooks,
  states,
  placedDevice,
  trackedOf,
  type MapAsset,
  type MapDevice,
} from './fleet.ts'

const device = (registrationNumber: string, more: Partial<MapDevice> = {}): MapDevice => ({
  assetId: registrationNumber,
  deviceId: `d-${registrationNumber}`,
  uniqueId: '1',
  name: 'T',
  type: 'Primary',
  state: 'stopped',
  lastUpdate: null,
  fixTime: '2026-11-24T10:00:00.000Z',
  latitude: -1.2,
  longitude: 36.8,
  speed: 0,
  course: null,
  alarm: null,
  ...more,
})
const assets = (names: readonly string[], places = names.map((name) => device(name)), groupIds: string[] = []) =>
  assetsOf(
    names.map((registrationNumber) => ({ Id: registrationNumber, registrationNumber, make: 'Isuzu', model: null, groupIds })),
    { groups: [{ Id: 'g', label: 'G' }], places },
  )
const asset = (name: string, more?: Partial<MapDevice>): MapAsset => assets([name], [device(name, more)])[0]!
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
    at: one.devices[0]!.fixTime,
  })
  expect(trackedOf(one, new Map([move('B')]), now)).toMatchObject({ state: 'stopped', lat: -1.2 })
})

test('its state: an alarm before all, silence, motion, a running engine', () => {
  const state = (more: Partial<LivePosition>) => trackedOf(asset('A'), new Map([move('A', more)]), now).state
  expect([
    state({ alarm: 'sos' }),
    state({ status: 'offline' }),
    state({}),
    state({ ignition: false }),
    state({ speed: 3 }),
    state({ isValid: false }),
    state({ speed: 0, ignition: null }),
  ]).toEqual(['alarm', 'offline', 'moving', 'towed', 'idling', 'idling', 'stopped'])
  expect(trackedOf(assets(['A'], [])[0]!, new Map(), now).state).toBe('unlinked')
  expect(['towed', 'unknown', 'disabled'].map((told) => trackedOf(asset('A', { state: told }), new Map(), now).state)).toEqual([
    'towed',
    'offline',
    'offline',
  ])
  expect(trackedOf(asset('A', { alarm: 'sos' }), new Map(), now)).toMatchObject({ state: 'alarm', alarm: 'sos' })
})

test('a state’s count is how many rows it opens', () => {
  const all = [...assets(['KDA 1'], undefined, ['g']), asset('KDB 2'), asset('KDA 3', { state: 'offline' })].map((one) =>
    trackedOf(one, new Map(), now),
  )
  const counts = countStates(all, { search: 'kda', group: undefined })
  expect(counts).toMatchObject({ stopped: 1, offline: 1, moving: 0 })
  expect(pickAssets(all, { search: 'kda', state: 'offline', group: undefined }).map(({ asset: { Id } }) => Id)).toEqual(['KDA 3'])
  expect(pickAssets(all, { search: '', state: undefined, group: 'g' }).map(({ asset: { Id } }) => Id)).toEqual(['KDA 1'])
})

test('of several devices the primary one with a place says where it is; a search knows each of them', () => {
  const places = [
    device('A', {
      deviceId: 'x',
      uniqueId: 'beacon-9',
      type: 'Bluetooth Transponder',
      latitude: -9,
      lastUpdate: '2026-11-24T12:00:00.000Z',
    }),
    device('A', { deviceId: 'y', latitude: null, longitude: null, fixTime: null }),
    device('A', { latitude: -2, lastUpdate: '2026-11-24T11:00:00.000Z', state: 'moving' }),
  ]
  const [one] = assets(['A'], places)
  expect(trackedOf(one!, new Map(), now)).toMatchObject({ lat: -2, state: 'moving' })
  expect(placedDevice(one!)?.latitude).toBe(-2)
  expect(pickAssets([trackedOf(one!, new Map(), now)], { search: 'Beacon-9', state: undefined, group: undefined })).toHaveLength(1)
})

test('states look the same wherever they are drawn: each has a word and a colour of its own, but for the two that tell nothing', () => {
  expect(stateLooks).toBe(vehicleStates)
  expect(states).toEqual(['alarm', 'moving', 'towed', 'idling', 'stopped', 'offline', 'unlinked'])
  const tones = states.filter((state) => state !== 'unlinked').map((state) => stateLooks[state].tone)
  expect(new Set(tones).size).toBe(tones.length)
})

test('from where somebody is the nearest come first, those without a place last', () => {
  const at = (name: string, latitude: number | null, longitude: number | null) =>
    trackedOf(asset(name, { latitude, longitude }), new Map(), now)
  const all = [at('none', null, null), at('far', -2, 36.8), at('east', 60, 36), at('near', -1.3, 36.8)]
  expect(nearestFirst(all, { lat: -1.28, lng: 36.8 }).map(({ asset: { Id } }) => Id)).toEqual(['near', 'far', 'east', 'none'])
})

test('what did not move is the same object as before', () => {
  const [track, own] = [createTracker(), assets(['A', 'B'])]
  const before = track(own, new Map(), now)
  const after = track(own, new Map([move('A')]), now)
  expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true])
  expect(after[0]).toMatchObject({ state: 'moving', lat: -1.3 })
  // A minute later an age may have become a silence.
  expect(track(own, new Map([move('A')]), now + 60_000)[1]).not.toBe(after[1])
})
