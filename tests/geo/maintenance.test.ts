import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dayOf } from '@outpost/rules/time-zone'
import { createLog } from '@outpost/platform/log'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import { createAreas } from '../../apps/server/src/areas/index.ts'
import type { SignedInClient } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { freePort } from '../support/port.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

interface Preview {
  rows: Record<string, unknown>[]
  opens: Record<string, string>[]
}
let stack: GeoStack
let company: MadeTenant, north: MadeTenant, south: MadeTenant
let admin: SignedInClient
const sent = async <Row extends object = { id: string }>(text: string, values: unknown[]) =>
  (await stack.app.database.admin.query<Row>(text, values)).rows

beforeAll(async () => {
  stack = await geoStack({}, { GEO_URL: `http://127.0.0.1:${await freePort()}` }, (machine) => createAreas(machine))
  const { make } = stack.app
  company = await make.company()
  north = await make.tenant({ company, type: 3, name: 'North' })
  south = await make.tenant({ company, type: 3, name: 'South' })
  admin = await stack.app.as(await make.user({ company, role: 'admin' }))
})
afterAll(() => stack.close())

/** A day of the company: in Nairobi the next one begins at nine in the evening of UTC. */
const day = (ago: number) => addDays(dayOf(Date.now(), 'Africa/Nairobi'), -ago)
const preview = async (who: SignedInClient, parameters: object = {}) =>
  (await who.post<{ preview: Preview }>('/api/reports/preview', { report: 'maintenance-due', parameters })).body.data.preview
const dueOf = async (who: SignedInClient, parameters: object = { everything: true }) =>
  (await preview(who, parameters)).rows.map(({ registration, plan, state, kmLeft, daysLeft }) => [
    registration,
    plan,
    state,
    kmLeft,
    daysLeft,
  ])

/** A vehicle whose dashboard was read ten days ago and that drove since; a trip of before does not count again. */
async function vehicle(
  tenant: MadeTenant,
  registration: string,
  { read, driven, categoryId = null }: { read: number | null; driven: number; categoryId?: string | null },
) {
  const id = randomUUID()
  await sent(
    `insert into asset ("companyId", "id", "tenantId", "registrationNumber", "odometer", "odometerAt", "categoryId") values ($1, $2, $3, $4, $5, case when $5::numeric is null then null else now() - interval '10 days' end, $6)`,
    [company.id, id, tenant.id, registration, read, categoryId],
  )
  const [device] = await sent(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") values ($1, $2, $3, $4) returning "id"`,
    [company.id, tenant.id, randomUUID(), registration],
  )
  await sent(`insert into geo.device_asset ("companyId", "deviceId", "assetId", "since") values ($1, $2, $3, now() - interval '60 days')`, [
    company.id,
    device!.id,
    id,
  ])
  for (const [ago, metres] of [
    [20, 999_000],
    [3, driven * 1_000],
  ] as const)
    await sent(
      `insert into geo.trip ("companyId", "deviceId", "assetId", "startTime", "endTime", "startLatitude", "startLongitude", "endLatitude", "endLongitude", "metres", "movingSeconds")
      values ($1, $2, $3, now() - make_interval(days => $4), now() - make_interval(days => $4) + interval '1 hour', -1, 36, -1, 36, $5, 3600)`,
      [company.id, device!.id, id, ago, metres],
    )
  return id
}
const plan = async (body: object, who = admin) => who.post<{ maintenancePlan: { Id: string } }>('/api/tracking/maintenance-plans', body)
const done = async (body: object, who = admin) => who.post<{ maintenanceEntry: { Id: string } }>('/api/tracking/maintenance-entries', body)
const fieldsOf = ({ body }: { body: { fields?: { field: string }[] } }) => (body.fields ?? []).map(({ field }) => field)

test('due by distance measured since the dashboard was read, and by days; done once, it is counted anew, and each number opens its rows', async () => {
  const [category] = await sent(`insert into asset_category ("companyId", "id", "name") values ($1, $2, 'Vans') returning "id"`, [
    company.id,
    randomUUID(),
  ])
  const one = await vehicle(north, 'KMA 1', { read: 9_000, driven: 1_200, categoryId: category!.id })
  const other = await vehicle(south, 'KMB 2', { read: 1_000, driven: 50, categoryId: category!.id })
  const oil = (await plan({ name: 'Oil', categoryId: category!.id, everyKm: 10_000 })).body.data.maintenancePlan.Id
  const belt = (await plan({ name: 'Belt', assetId: other, everyDays: 30 })).body.data.maintenancePlan.Id
  expect(await dueOf(admin)).toEqual([
    ['KMA 1', 'Oil', 'Due', -200, null],
    ['KMB 2', 'Belt', 'Later', null, 30],
    ['KMB 2', 'Oil', 'Later', 8_950, null],
  ])
  expect(await dueOf(admin, {})).toEqual([['KMA 1', 'Oil', 'Due', -200, null]])
  expect(fieldsOf(await done({ planId: oil, assetId: one, doneOn: day(1) }))).toEqual(['odometer'])
  expect(fieldsOf(await done({ planId: oil, assetId: one, doneOn: day(-3), odometer: 10_100 }))).toEqual(['doneOn'])
  expect(fieldsOf(await done({ planId: belt, assetId: one, doneOn: day(1) }))).toEqual(['assetId'])
  const made = await done({ planId: oil, assetId: one, doneOn: day(1), odometer: 10_100, cost: '149.50', workshop: 'Corner garage' })
  expect(made.status).toBe(200)
  await done({ planId: belt, assetId: other, doneOn: day(40) })
  const after = await preview(admin, { everything: true })
  expect(
    after.rows.map(({ registration, plan: what, state, kmLeft, daysLeft, entries }) => [
      registration,
      what,
      state,
      kmLeft,
      daysLeft,
      entries,
    ]),
  ).toEqual([
    ['KMB 2', 'Belt', 'Due', null, -10, 1],
    ['KMA 1', 'Oil', 'Later', 9_900, null, 1],
    ['KMB 2', 'Oil', 'Later', 8_950, null, 0],
  ])
  expect(after.opens[1]!.entries).toMatch(/^\/tracking\/maintenance\/done\?/)
  const filter = new URL(after.opens[1]!.entries!, 'http://x').searchParams.get('filter') ?? ''
  const rows = (
    await admin.get<{ maintenanceEntries: { workshop: string }[] }>(
      `/api/tracking/maintenance-entries?filter=${encodeURIComponent(filter)}`,
    )
  ).body.data.maintenanceEntries
  expect(rows.map(({ workshop }) => workshop)).toEqual(['Corner garage'])
})

test('a plan is of a vehicle or a category and says how often; branches, the asset wall and rights hold', async () => {
  const asset = await vehicle(south, 'KMC 3', { read: null, driven: 10 })
  expect(fieldsOf(await plan({ name: 'X', everyKm: 500 }))).toEqual(['assetId'])
  expect(fieldsOf(await plan({ name: 'X', assetId: asset }))).toEqual(['everyKm'])
  const { make } = stack.app
  const role = await make.role({ company, name: randomUUID(), permissions: ['CRM/REPORTS', 'SALES/AGENT/POSITION'] })
  const local = await stack.app.as(await make.user({ company, tenant: north, role }), { tenant: north })
  const stranger = await make.company()
  const foreign = await stack.app.as(await make.user({ company: stranger, role: 'admin' }), { tenant: stranger })
  const clerk = await stack.app.as(
    await make.user({ company, role: await make.role({ company, name: randomUUID(), permissions: ['CRM/REPORTS'] }) }),
  )
  const id = (await plan({ name: 'Service', assetId: asset, everyKm: 500 })).body.data.maintenancePlan.Id
  expect((await dueOf(local)).map(([registration]) => registration)).not.toContain('KMC 3')
  expect(await dueOf(foreign)).toEqual([])
  expect((await foreign.get(`/api/tracking/maintenance-plans/${id}`)).status).toBe(404)
  expect((await plan({ name: 'X', assetId: asset, everyKm: 500 }, foreign)).status).toBe(422)
  expect(fieldsOf(await done({ planId: id, assetId: asset, doneOn: day(1), odometer: 5 }, foreign))).not.toEqual([])
  expect((await clerk.post('/api/reports/preview', { report: 'maintenance-due', parameters: {} })).status).toBe(403)
  expect((await local.post('/api/tracking/maintenance-plans/delete', { ids: [id] })).status).toBe(403)
  expect((await dueOf(admin)).some(([registration]) => registration === 'KMC 3')).toBe(true)
  const [group] = await sent(
    `insert into asset_group ("companyId", "id", "name", "roleId") values ($1, $2, 'Guarded', $3) returning "id"`,
    [company.id, randomUUID(), role.id],
  )
  await sent(`insert into asset_group_member ("companyId", "assetId", "assetGroupId") values ($1, $2, $3)`, [company.id, asset, group!.id])
  const manager = await stack.app.as(await make.user({ company, role: 'md' }))
  expect((await dueOf(manager)).some(([registration]) => registration === 'KMC 3')).toBe(false)
  expect((await manager.get(`/api/tracking/maintenance-plans/${id}`)).status).toBe(404)
})

test('whoever is responsible is reminded once for each time that it falls due', async () => {
  const user = await stack.app.make.user({ company, role: 'admin' })
  const who = await stack.app.as(user)
  const asset = await vehicle(north, 'KMD 4', { read: 5_000, driven: 700 })
  const id = (await plan({ name: 'Tyres', assetId: asset, everyKm: 5_500 }, who)).body.data.maintenancePlan.Id
  const { services, queueStore } = stack.app.machine
  const jobs = startJobs({ areas: stack.app.areas, services, store: queueStore, log: createLog({ level: 'silent' }), sweepMs: 50 })
  const told = async () =>
    (
      await sent<{ message: string }>(
        `select "message" from notification where "userId" = $1 and "message" like 'KMD 4%' order by "dateCreated"`,
        [user.id],
      )
    ).map(({ message }) => message)
  await expect.poll(told, { timeout: 20_000 }).toEqual(['KMD 4: Tyres is due (left: -200 km).'])
  // A change looks again, and says nothing twice; done and due anew, it is told again.
  await who.put(`/api/tracking/maintenance-plans/${id}`, { name: 'All tyres', everyKm: 5_400 })
  await done({ planId: id, assetId: asset, doneOn: day(1), odometer: 200 }, who)
  await who.put(`/api/tracking/maintenance-plans/${id}`, { note: 'All four at once' })
  await expect.poll(told, { timeout: 20_000 }).toEqual(['KMD 4: Tyres is due (left: -200 km).', 'KMD 4: All tyres is due (left: -100 km).'])
  await jobs.close()
})
