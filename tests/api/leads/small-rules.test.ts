import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'
import { capture, phone, setColumns } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const visit = (over: object) =>
  world.as.officer.post('/api/activities', { name: 'Visit', startDate: '2026-11-22T08:00:00Z', endDate: '2026-11-22T09:00:00Z', ...over })

describe('values that cannot be meant are refused with their field', () => {
  it.each([
    [{ latitude: 95, longitude: 36.8 }, 'latitude'],
    [{ latitude: -1.2, longitude: 190 }, 'longitude'],
    [{ latitude: 998, longitude: 999 }, 'latitude'],
  ])('a lead at %j', async (over, field) => {
    expect(
      fieldsOf(await world.as.officer.post('/api/leads', { firstName: 'Wanjiru', lastName: 'Kamau', phonenumber: phone(), ...over })),
    ).toEqual([field])
  })

  it('no fix stays no fix', async () => {
    expect(await capture(world.as.officer, { latitude: 999, longitude: 999 })).toMatchObject({ latitude: null, longitude: null })
  })

  it('an activity of ten years, and one in the year 0000', async () => {
    expect(fieldsOf(await visit({ endDate: '2036-11-22T09:00:00Z' }))).toEqual(['endDate'])
    expect(fieldsOf(await visit({ startDate: '0000-01-01T08:00:00Z', endDate: '0000-01-01T09:00:00Z' }))).toEqual(['endDate', 'startDate'])
    expect((await visit({ endDate: '2026-11-29T09:00:00Z' })).status).toBe(200)
  })

  it('the year 0000 wherever a day is asked for', async () => {
    const { officer, admin } = world.as
    for (const [by, path, field] of [
      [officer, '/api/leads?startDate=0000-01-01', 'startDate'],
      [admin, '/api/leads/figures?startDate=0000-01-01', 'startDate'],
      [officer, '/api/calculators/cs-affordability?at=0000-01-01', 'at'],
    ] as const) {
      const answer = await by.get(path)
      expect([path, answer.status, fieldsOf(answer)]).toEqual([path, 422, [field]])
    }
  })
})

it('says in plain words what is wrong, never in those of the validator', async () => {
  const { admin } = world.as
  const wrong = [
    await admin.get('/api/leads?page=0'),
    await admin.get('/api/leads?size=x'),
    await admin.get('/api/leads/not-an-id'),
    await admin.post('/api/leads/assignlead', { ids: [], userId: 'x' }),
    await admin.post('/api/agent/action', { action: 7 }),
    await admin.post('/api/leads/search', { name: '' }),
    await admin.post('/api/leads/search', { name: 'x'.repeat(101) }),
    await admin.get(`/api/leads?filter=${encodeURIComponent('[{"field":"status","op":"like","value":"x"}]')}`),
  ]
  const messages = wrong.flatMap(({ body }) => (body.fields ?? []).map(({ message }) => message))
  expect(messages.length).toBeGreaterThanOrEqual(8)
  for (const message of messages) expect(message).not.toMatch(/Too small|Too big|Invalid|expected|received/)
  expect(messages).toEqual(
    expect.arrayContaining(['may not be under 1', 'is not an identifier', 'is required', 'may hold 100 characters at most']),
  )
})

it('reads times without a zone as the company’s in lists', async () => {
  const { app, as } = world
  const [lead, mark] = [await capture(as.officer), `Zone${Date.now() % 1_000}x`]
  await setColumns(app, lead.Id, { dateCreated: new Date('2026-03-01T07:30:00Z'), city: mark })
  const found = async (from: string, to: string) => {
    const filter = encodeURIComponent(JSON.stringify([{ field: 'city', op: 'eq', value: mark }]))
    return (
      await as.officer.get<{ leads: object[] }>(
        `/api/leads?dateType=created&startDate=${encodeURIComponent(from)}&endDate=${encodeURIComponent(to)}&filter=${filter}`,
      )
    ).body.data.leads.length
  }
  // 10:30 in Nairobi.
  expect([
    await found('2026-03-01T10:00', '2026-03-01T11:00'),
    await found('2026-03-01T07:00', '2026-03-01T08:00'),
    await found('2026-03-01T07:00Z', '2026-03-01T08:00Z'),
  ]).toEqual([1, 0, 1])
})

it('says which record cannot come back, and why', async () => {
  const { as } = world
  const [one, two] = [await capture(as.officer), await capture(as.officer, { firstName: 'Nyokabi' })]
  await as.manager.post('/api/leads/delete', { ids: [one.Id, two.Id] })
  await capture(as.officer, { phonenumber: two.phonenumber })
  const { body } = await as.manager.post('/api/leads/restore', { ids: [one.Id, two.Id] })
  expect([body.code, body.message]).toEqual(['DUPLICATE_LEAD', 'Nyokabi Kamau cannot come back: phone belongs to another record.'])
})

it('answers 413 to a push of 501 changes, so that the device halves it', async () => {
  const body = {
    deviceId: randomUUID(),
    protocol: 1,
    clientNow: new Date().toISOString(),
    pendingCount: 501,
    oldestPendingAt: null,
    persisted: true,
    maxClientSeq: 501,
    changes: Array.from({ length: 501 }, () => ({ changeId: randomUUID() })),
  }
  const { status, body: answer } = await world.as.officer.post('/api/sync/push', body)
  expect([status, answer.code], JSON.stringify(answer)).toEqual([413, 'TOO_LARGE'])
})
