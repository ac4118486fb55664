import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAreas } from '../../apps/server/src/areas/index.ts'
import { geoCalls } from '@outpost/contract/geo/calls'
import type { SignedInClient } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { freePort } from '../support/port.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

interface Preview {
  rows: Record<string, unknown>[]
  opens?: Record<string, string>[]
  places?: ({ positions: number[][] } | null)[]
}
let stack: GeoStack
let company: MadeTenant, north: MadeTenant, south: MadeTenant
let officer: string
let manager: SignedInClient
const hour = 3_600_000
const permissions = ['CRM/REPORTS', 'SALES/AGENT/POSITION', 'CLIENTS']
const sent = async <Row extends object = { id: string }>(text: string, values: unknown[]) =>
  (await stack.app.database.admin.query<Row>(text, values)).rows

const person =
  (tenant: MadeTenant, rights = permissions) =>
  async () =>
    stack.app.as(
      await stack.app.make.user({ company, tenant, role: await stack.app.make.role({ company, name: randomUUID(), permissions: rights }) }),
      { tenant },
    )

beforeAll(async () => {
  stack = await geoStack({}, { GEO_URL: `http://127.0.0.1:${await freePort()}` }, (machine) => createAreas(machine))
  const { make } = stack.app
  company = await make.company()
  north = await make.tenant({ company, type: 3, name: 'North' })
  south = await make.tenant({ company, type: 3, name: 'South' })
  officer = (await make.user({ company, role: 'officer' })).id
  manager = await person(company)()
})
afterAll(() => stack.close())

let loans = 0
interface Made {
  clientId: string
  assetId: string
  deviceId: string
  loanId: string
}
/** A client of a branch with a loan, a vehicle and a tracker that was heard of so many hours ago at a place. */
async function secured(
  tenant: MadeTenant,
  {
    registration,
    heard,
    place = [-1.3, 36.8],
    status = 'Active',
  }: { registration: string; heard: number; place?: [number, number]; status?: string },
): Promise<Made> {
  loans += 1
  const { id: clientId } = await stack.app.make.client({ tenant, firstName: 'Amina', lastName: registration, createdByUserId: officer })
  const [assetId, loanId] = [randomUUID(), randomUUID()]
  await sent(`insert into asset ("companyId", "id", "tenantId", "registrationNumber", "clientId") values ($1, $2, $3, $4, $5)`, [
    company.id,
    assetId,
    tenant.id,
    registration,
    clientId,
  ])
  await sent(
    `insert into loan ("companyId", "id", "tenantId", "number", "clientId", "status", "terms", "principal", "owedAtPayout", "paidOut", "instalment", "instalments", "disbursedOn", "principalOwed", "interestOwed", "createdByUserId")
    values ($1, $2, $3, $4, $5, $6, '{}', 1000, 1000, 1000, 100, 12, '2026-01-05', 800, 12.5, $7)`,
    [company.id, loanId, tenant.id, loans, clientId, status, officer],
  )
  const [device] = await sent(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") values ($1, $2, $3, $4) returning "id"`,
    [company.id, tenant.id, randomUUID(), registration],
  )
  const deviceId = device!.id
  await sent(`insert into geo.device_asset ("companyId", "deviceId", "assetId", "since") values ($1, $2, $3, now() - interval '60 days')`, [
    company.id,
    deviceId,
    assetId,
  ])
  const at = new Date(Date.now() - heard * hour)
  await sent(
    `insert into geo.latest ("companyId", "deviceId", "fixTime", "latitude", "longitude", "isValid", "speed", "serverTime") values ($1, $2, $3, $4, $5, true, 0, $3)`,
    [company.id, deviceId, at, ...place],
  )
  return { clientId, assetId, deviceId, loanId }
}

const look = async (who: SignedInClient, parameters: object = {}) =>
  who.post<{ preview: Preview }>('/api/reports/preview', { report: 'collateral-watch', parameters })
const whyOf = async (who: SignedInClient, parameters: object = {}) =>
  Object.fromEntries((await look(who, parameters)).body.data.preview.rows.map(({ registration, why }) => [registration, why]))

const inMenu = async (who: SignedInClient) =>
  JSON.stringify((await who.get('/api/console')).body.data.menu).includes('/reports/standard/collateral-watch')

test('without loans it stays quiet', async () => {
  expect((await look(manager)).body.data.preview.rows).toEqual([])
})

test('vehicles with a reason are told, each with why, its loan and its last place; those of paid loans and without a reason are not', async () => {
  const silent = await secured(north, { registration: 'KDA 1', heard: 100 })
  const cut = await secured(north, { registration: 'KDB 2', heard: 1, place: [-1.5, 36.9] })
  await sent(
    `insert into geo.event ("companyId", "deviceId", "type", "key", "eventTime", "severity", "latitude", "longitude") values ($1, $2, 'alarm', 'powerCut', now() - interval '90 minutes', 'critical', -1.5, 36.9) returning "id"`,
    [company.id, cut.deviceId],
  )
  const [fence] = await sent(
    `insert into geo.geofence ("companyId", "tenantId", "shape", "name", "area", "radius", "tags") values ($1, $1, 'circle', 'Kenya', '{"type":"Point","coordinates":[36.8,-1.3]}', 100, '{Border}') returning "id"`,
    [company.id],
  )
  await sent(
    `insert into geo.event ("companyId", "deviceId", "type", "key", "eventTime", "geofenceId") values ($1, $2, 'geofenceExit', 'x', now() - interval '2 hours', $3), ($1, $2, 'geofenceEnter', 'x', now() - interval '5 hours', $3) returning "id"`,
    [company.id, cut.deviceId, fence!.id],
  )
  await secured(north, { registration: 'KDC 3', heard: 1, place: [-1.7, 36.9] })
  await secured(north, { registration: 'KDD 4', heard: 200, status: 'Closed' })
  const { rows, opens, places } = (await look(manager)).body.data.preview
  expect(rows.map(({ registration, why, owed, loanNumber }) => [registration, why, Number(owed), loanNumber])).toEqual([
    ['KDB 2', expect.stringMatching(/^Left Kenya \(\+50\) · power cut.* \(\+\d+\)$/), 812.5, 'L-000002'],
    ['KDA 1', 'Silent for 4 days (+40)', 812.5, 'L-000001'],
  ])
  expect(opens![1]).toMatchObject({
    registration: `/tracking/map?asset=${silent.assetId}`,
    loanNumber: `/loans/accounts/${silent.loanId}/view`,
  })
  expect(places![0]!.positions).toEqual([[-1.5, 36.9]])
  expect(Object.keys(await whyOf(manager, { everyone: true })).toSorted()).toEqual(['KDA 1', 'KDB 2', 'KDC 3'])
})

test('a branch sees its own, the asset wall holds, and so do the rights to places and to loans', async () => {
  await secured(south, { registration: 'KDE 5', heard: 100, place: [-2, 37] })
  const hidden = await secured(south, { registration: 'KDF 6', heard: 100, place: [-3, 37] })
  const role = await stack.app.make.role({ company, name: randomUUID(), permissions })
  const [group] = await sent(
    `insert into asset_group ("companyId", "id", "name", "roleId") values ($1, $2, 'Guarded', $3) returning "id"`,
    [company.id, randomUUID(), role.id],
  )
  await sent(`insert into asset_group_member ("companyId", "assetId", "assetGroupId") values ($1, $2, $3)`, [
    company.id,
    hidden.assetId,
    group!.id,
  ])
  expect(Object.keys(await whyOf(await person(south)()))).toEqual(['KDE 5'])
  expect(Object.keys(await whyOf(manager, { branch: south.id }))).toEqual(['KDE 5'])
  expect(Object.keys(await whyOf(manager, { branch: north.id })).toSorted()).toEqual(['KDA 1', 'KDB 2'])
  for (const lacking of [
    ['CRM/REPORTS', 'CLIENTS'],
    ['CRM/REPORTS', 'SALES/AGENT/POSITION'],
  ]) {
    const who = await person(company, lacking)()
    expect((await look(who)).status).toBe(403)
    expect(await inMenu(who)).toBe(false)
  }
  expect(await inMenu(manager)).toBe(true)
  const stranger = await stack.app.make.company()
  const foreign = await stack.app.as(
    await stack.app.make.user({
      company: stranger,
      role: await stack.app.make.role({ company: stranger, name: randomUUID(), permissions }),
    }),
    { tenant: stranger },
  )
  expect((await look(foreign, { branch: south.id })).body.data.preview.rows).toEqual([])
})

test('a vehicle that names a loan secures this one only, another person’s too, and a loan out of sight is not named', async () => {
  const own = await secured(north, { registration: 'KDG 7', heard: 100, place: [-4, 37] })
  const borrower = await secured(north, { registration: 'KDH 8', heard: 1, place: [-5, 37] })
  const keeper = await person(north, [...permissions, ...geoCalls['devices.update'].anyOf])()
  const link = (loanId: string | null) => keeper.put(`/api/tracking/assets/${own.assetId}`, { loanId })
  const loansOf = async (registration: string) =>
    (await look(manager)).body.data.preview.rows
      .filter((row) => row['registration'] === registration)
      .map(({ client, loanId, loanNumber }) => loanId ?? `${String(client)} ${String(loanNumber)}`)
  expect(await loansOf('KDG 7')).toEqual(['Amina KDG 7 L-000007'])
  const linked = await link(borrower.loanId)
  expect(linked.status, linked.text).toBe(200)
  expect(await loansOf('KDG 7')).toEqual(['Amina KDH 8 L-000008'])
  const onLoan = await keeper.get<{ assets: { registrationNumber: string }[] }>(
    `/api/tracking/assets?page=1&size=10&filter=${encodeURIComponent(JSON.stringify([{ field: 'loanId', op: 'eq', value: borrower.loanId }]))}`,
  )
  expect(onLoan.status, onLoan.text).toBe(200)
  expect(onLoan.body.data.assets.map(({ registrationNumber }) => registrationNumber)).toEqual(['KDG 7'])
  const abroad = await secured(south, { registration: 'KDI 9', heard: 1, place: [-6, 37] })
  const refused = await link(abroad.loanId)
  expect([refused.status, refused.body.fields?.[0]?.field]).toEqual([422, 'loanId'])
  expect((await link(null)).status).toBe(200)
  expect(await loansOf('KDG 7')).toEqual(['Amina KDG 7 L-000007'])
})
