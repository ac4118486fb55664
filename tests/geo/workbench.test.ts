import { randomUUID } from 'node:crypto'
import { vehicleStates } from '@outpost/rules/fleet/states'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import type { SignedInClient } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { everything, newIdentity } from './support/api-world.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

interface Board {
  tiles: Record<string, { value: number; period: string; open: string }>
  states: { label: string; tone: string; value: number; open: string }[]
  places: { label: string; state: string; open: string }[]
  events: { event: string; device: string; at: string }[]
}
interface Fleet {
  assets: { Id: string; registrationNumber: string; groupIds: string[] }[]
  groups: { Id: string; label: string }[]
}
let stack: GeoStack
let company: MadeTenant
let admin: SignedInClient,
  guard: SignedInClient,
  ranger: SignedInClient,
  local: SignedInClient,
  clerk: SignedInClient,
  foreign: SignedInClient
let hidden: string

/** What the newest message of a vehicle said, and the state that it means. */
const vehicles = [
  ['KAA 1', { speed: 40, ignition: true }, 'moving'],
  ['KAA 2', { speed: 50 }, 'moving'],
  ['KAA 3', { speed: 40, ignition: false }, 'towed'],
  ['KAA 4', { speed: 0, ignition: true }, 'idling'],
  ['KAA 5', { speed: 0 }, 'stopped'],
  ['KAA 6', { speed: 0, alarm: 'sos' }, 'alarm'],
  ['KAA 7', { speed: 40, isOld: true }, 'offline'],
  ['KAA 8', null, 'unlinked'],
  ['HID 9', { speed: 40 }, 'moving'],
] as const

beforeAll(async () => {
  stack = await geoStack({}, {}, (machine, geo) => [authArea(machine), geo])
  const { make } = stack.app
  const client = async (of: MadeTenant, tenant: MadeTenant, permissions: string[]) => {
    const role = await make.role({ company: of, name: randomUUID(), permissions })
    return { role, client: await stack.app.as(await make.user({ company: of, tenant, role }), { tenant }) }
  }
  company = await make.company()
  const [branch, stranger] = [await make.tenant({ company }), await make.company()]
  admin = await stack.app.as(await make.user({ company, role: 'admin' }))
  guard = (await client(company, company, everything)).client
  const rangers = await client(company, company, everything)
  ranger = rangers.client
  local = (await client(company, branch, everything)).client
  clerk = (await client(company, company, ['ADMIN/SETTINGS'])).client
  foreign = (await client(stranger, stranger, everything)).client
  const group = (await admin.post<{ assetGroup: { Id: string } }>('/api/geo/asset-group', { name: 'Rangers', roleId: rangers.role.id }))
    .body.data.assetGroup.Id
  for (const [registrationNumber, told] of vehicles) {
    const device =
      told &&
      (await admin.post<{ geoDevice: { id: string } }>('/api/geo/device', { uniqueId: newIdentity(), name: registrationNumber })).body.data
        .geoDevice.id
    const { body } = await admin.post<{ asset: { Id: string } }>('/api/geo/asset', {
      registrationNumber,
      ...(device ? { asset_devices: [{ deviceId: device }] } : {}),
      ...(registrationNumber.startsWith('HID') ? { groupIds: [group] } : {}),
    })
    if (registrationNumber.startsWith('HID')) hidden = body.data.asset.Id
    if (told) await tell(device!, told)
  }
})
afterAll(() => stack.close())

const tell = (device: string, { speed, ignition, alarm, isOld }: { speed: number; ignition?: boolean; alarm?: string; isOld?: boolean }) =>
  stack.app.database.admin.query(
    `insert into geo.latest ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "isValid", "attributes", "state", "serverTime")
    values ($1, $2, now(), -1.28, 36.8, $3, true, $4, $5, now() - $6::interval)`,
    [
      company.id,
      device,
      speed,
      JSON.stringify(alarm ? { alarm } : {}),
      JSON.stringify(ignition === undefined ? {} : { ignition }),
      isOld ? '1 hour' : '0',
    ],
  )
const board = async (who: SignedInClient) => {
  const answer = await who.get<Board>('/api/tracking/workbench')
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const seen = async (who: SignedInClient) => (await who.get<Fleet>('/api/tracking/fleet')).body.data
const places = async (who: SignedInClient) =>
  (await who.get<{ assetPlaces: { assetId: string; state: string; alarm: string | null }[] }>('/geo/assets/places')).body.data.assetPlaces

test('is for who may follow positions, each of them with what is theirs', async () => {
  expect((await clerk.get('/api/tracking/workbench')).status).toBe(403)
  expect((await clerk.get('/api/tracking/fleet')).status).toBe(403)
  for (const who of [foreign, local]) {
    const { tiles, states, places: drawn, events } = await board(who)
    expect(Object.entries(tiles).filter(([, { value }]) => value !== 0)).toEqual([])
    expect([states, drawn, events, (await seen(who)).assets, await places(who)]).toEqual([[], [], [], [], []])
  }
  expect((await seen(foreign)).groups).toEqual([])
})

test('each number is that of the rows behind it, as the map shows them; the wall of assets holds in all of them', async () => {
  for (const [who, own] of [
    [admin, vehicles],
    [ranger, vehicles],
    [guard, vehicles.filter(([name]) => !name.startsWith('HID'))],
  ] as const) {
    const { tiles, states, places: drawn } = await board(who)
    for (const state of Object.keys(vehicleStates)) {
      const count = own.filter(([, , one]) => one === state).length
      expect([state, tiles[`fleet-${state}`]]).toEqual([state, { value: count, period: 'Now', open: `/tracking/map?state=${state}` }])
    }
    expect(Object.fromEntries(states.map(({ label, value }) => [label, value]))).toEqual(
      Object.fromEntries(
        Map.groupBy(own, ([, , state]) => vehicleStates[state].label)
          .entries()
          .map(([label, rows]) => [label, rows.length]),
      ),
    )
    expect(drawn.map(({ label, state }) => [label, state]).toSorted()).toEqual(
      own.flatMap(([label, told, state]) => (told ? [[label, state]] : [])).toSorted(),
    )
    const fleet = await seen(who)
    expect(fleet.assets.map(({ registrationNumber }) => registrationNumber)).toEqual(own.map(([name]) => name).toSorted())
    expect((await places(who)).length).toBe(own.filter(([, told]) => told).length)
    expect(drawn.some(({ open }) => open.endsWith(hidden))).toBe(who !== guard)
  }
})

test('the colour of a state is that of the map: the server says which', async () => {
  const { states } = await board(admin)
  expect(states.map(({ label, tone }) => [label, tone])).toEqual(Object.values(vehicleStates).map(({ label, tone }) => [label, tone]))
})

test('alarms that wait are as many as the list of notifications has, also beyond its first page', async () => {
  const { rows } = await stack.app.database.admin.query<{ id: string }>(
    'select "id" from geo.device where "companyId" = $1 and "name" = $2',
    [company.id, 'KAA 1'],
  )
  await stack.app.database.admin.query(
    `insert into geo.event ("companyId", "deviceId", "type", "key", "eventTime", "severity", "attributes") select $1, $2, 'alarm', 'powerCut', now() - n * interval '1 minute', case n % 3 when 0 then 'info' else 'critical' end, '{"alarm":"powerCut"}' from generate_series(1, 30) n`,
    [company.id, rows[0]!.id],
  )
  const { tiles, events } = await board(admin)
  const listed = await admin.get('/geo/events?severity=warning,critical&acknowledged=false&size=1')
  expect(tiles['fleet-alarms']).toEqual({ value: 20, period: 'Now', open: '/tracking/notifications' })
  expect(listed.body.meta).toMatchObject({ total: 20 })
  expect(events).toHaveLength(8)
  expect(events[0]).toMatchObject({ event: 'Power cut', device: 'KAA 1', at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) })
})

test('more assets than their names fit an address: board, map and pages of assets hold', async () => {
  const { rows } = await stack.app.database.admin.query<{ id: string }>(
    `insert into asset ("companyId", "id", "tenantId", "registrationNumber") select $1, gen_random_uuid(), $1, 'MANY ' || n from generate_series(1, 700) n returning "id"`,
    [company.id],
  )
  expect(rows).toHaveLength(700)
  const { tiles } = await board(admin)
  expect(tiles['fleet-unlinked']!.value).toBe(701)
  expect((await seen(admin)).assets).toHaveLength(709)
  const page = await admin.get<{ assets: unknown[] }>('/api/geo/asset?size=1000')
  expect([page.status, page.body.data.assets.length]).toEqual([200, 709])
})
