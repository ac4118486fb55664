import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SignedInClient } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

/** A person's trips come from the geo service; what they did in these days the server adds, for who may see that. */
let stack: GeoStack
let company: MadeTenant
let north: MadeTenant
let agent: MadeUser
interface Work {
  trips: object[]
  stops: object[]
  actions: { kind: string; what: string; at: string }[]
  visits: { name: string; meaning: string }[]
}
const path = (userId: string, from = '2026-04-01', to = from) => `/geo/usertraking/trip?userId=${userId}&fromdate=${from}&todate=${to}`
const signIn = async (of: MadeTenant, tenant: MadeTenant, permissions: string[]): Promise<SignedInClient> => {
  const { make } = stack.app
  return stack.app.as(await make.user({ company: of, tenant, role: await make.role({ company: of, name: randomUUID(), permissions }) }), {
    tenant,
  })
}
const db = (text: string, values: unknown[]) => stack.app.database.admin.query(text, values)

beforeAll(async () => {
  stack = await geoStack()
  const { make } = stack.app
  company = await make.company()
  north = await make.tenant({ company })
  agent = await make.user({ company, tenant: north, role: 'officer' })
  const act = (action: number, at: string) =>
    db(
      `insert into agent_action ("companyId", "id", "tenantId", "performedByUserId", "action", "source", "latitude", "longitude", "deviceTime", "dateCreated")
    values ($1, $2, $3, $4, $5, 'live', -1.28, 36.8, $6, $6)`,
      [company.id, randomUUID(), north.id, agent.id, action, at],
    )
  // Nairobi is three hours ahead: its 1st of April lasts from 21:00 to 21:00.
  for (const [action, at] of [
    [1, '2026-03-31T20:59:00Z'],
    [1, '2026-03-31T21:01:00Z'],
    [0, '2026-04-01T20:59:00Z'],
    [1, '2026-04-01T21:01:00Z'],
  ] as const)
    await act(action, at)
  const client = await stack.app.database.admin.connect()
  await client.query('begin')
  await client.query("select set_config('app.company', $1, true), set_config('app.stream', $1, true)", [company.id])
  for (const [name, start] of [
    ['Visit Wanjiru', '2026-04-01T09:00:00Z'],
    ['Visit Kamau', '2026-04-02T09:00:00Z'],
  ] as const) {
    const id = randomUUID()
    await client.query(
      `insert into activity ("companyId", "id", "tenantId", "name", "startDate", "endDate", "createdUserId", "createdBy", "lat", "lng", "dateModified") values ($1, $2, $3, $4, $5, $5::timestamptz + interval '1 hour', $6, 'x', -1.28, 36.8, now())`,
      [company.id, id, north.id, name, start, agent.id],
    )
    await client.query(
      `insert into activity_assignment ("companyId", "id", "tenantId", "activityId", "userId", "statusText", "statusDateCreated") values ($1, $2, $3, $4, $5, 'Done', $6::timestamptz + interval '30 minutes')`,
      [company.id, randomUUID(), north.id, id, agent.id, start],
    )
  }
  await client.query('commit')
  client.release()
})
afterAll(() => stack.close())

it('actions and visits of the requested days, in the company’s calendar', async () => {
  const manager = await signIn(company, company, ['SALES/AGENT/POSITION', 'SALES/AGENTS/HISTORY'])
  const { body } = await manager.get<Work>(path(agent.id))
  expect(body.data).toMatchObject({ user: { id: agent.id }, trips: [], stops: [] })
  expect(body.data.actions.map(({ kind, what, at }) => [kind, what, at.slice(0, 16)])).toEqual([
    ['start', 'Started the day', '2026-03-31T21:01'],
    ['activity', 'Visit Wanjiru: Done', '2026-04-01T09:30'],
    ['stop', 'Ended the day', '2026-04-01T20:59'],
  ])
  expect(body.data.visits).toMatchObject([{ name: 'Visit Wanjiru', status: 'Done', meaning: 'open' }])
  expect(body.meta).toMatchObject({ timeZone: 'Africa/Nairobi', isWorkHidden: false })
  const both = (await manager.get<Work>(path(agent.id, '2026-04-01', '2026-04-02'))).body.data
  expect([both.actions.length, both.visits.length]).toEqual([5, 2])
})

it('trips of colleagues are visible to those who may see their track, within reach; one’s own always', async () => {
  const onlyPlaces = await signIn(company, company, ['SALES/AGENT/POSITION'])
  const inTheField = await signIn(company, north, ['SALES/AGENTS/MYWORK', 'SALES/AGENT/POSITION'])
  const track = (userId: string) => `/api/usertracking/datewithid/2026-04-01/2026-04-01/${userId}`
  for (const who of [onlyPlaces, inTheField]) {
    expect((await who.get<Work>(path(agent.id))).status).toBe(403)
    expect((await who.get(track(agent.id))).status).toBe(403)
  }
  expect((await inTheField.get<Work>(path(agent.id))).body).toMatchObject({ fields: [{ field: 'userId', message: 'is not you' }] })
  expect([(await inTheField.get<Work>(path(inTheField.user.id))).status, (await inTheField.get(track(inTheField.user.id))).status]).toEqual(
    [200, 200],
  )
  const ownWork = await stack.app.as(agent, { tenant: north })
  expect((await ownWork.get<Work>(path(agent.id))).body.data.actions).toHaveLength(3)
  const elsewhere = await signIn(company, await stack.app.make.tenant({ company }), ['SALES/AGENT/POSITION', 'SALES/AGENTS/HISTORY'])
  expect([(await elsewhere.get<Work>(path(agent.id))).status, (await elsewhere.get(track(agent.id))).status]).toEqual([404, 404])
  const nobody = await elsewhere.get(path(randomUUID()))
  expect(nobody.body).toMatchObject({ code: 'NOT_FOUND', fields: [{ field: 'userId', message: 'is nobody you can see' }] })
  const stranger = await stack.app.make.company()
  expect((await (await signIn(stranger, stranger, ['SALES/AGENT/POSITION', 'SALES/AGENTS/HISTORY'])).get(path(agent.id))).status).toBe(404)
  expect((await ownWork.get(`/geo/usertraking/trip?userId=${agent.id}&fromdate=1.4.2026&todate=2026-04-01`)).status).toBe(422)
})
