import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type World } from '../world.ts'
import { capture, leadAlong, read } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const road = ['Contacted', 'Consent requested', 'Qualified', 'Onboarding', 'Submitted', 'Approved']

describe('a lead that becomes a client', () => {
  it('gives the client all it knows, once, with a way back on both sides', async () => {
    const { app, as } = world
    const lead = await capture(as.officer, {
      emailAddress: 'client.one@example.org',
      idNumber: '31234567',
      employer: 'County',
      empNumber: 'E1',
      city: 'Thika',
      latitude: -1.03,
      longitude: 37.07,
      type: 'SME',
    })
    await leadAlong(app, as.officer, lead.Id, road)
    const { status, body, text } = await as.officer.post<{ client: Record<string, unknown>; lead: Record<string, unknown> }>(
      `/api/leads/${lead.Id}/convert`,
    )
    expect(status, text).toBe(200)
    expect(body.data.client).toMatchObject({
      fullName: 'Wanjiru Kamau',
      phonenumber: lead.phonenumber,
      emailAddress: 'client.one@example.org',
      idNumber: '31234567',
      employer: 'County',
      empNumber: 'E1',
      city: 'Thika',
      latitude: -1.03,
      longitude: 37.07,
      type: 'SME',
      leadId: lead.Id,
      tenantId: world.team.id,
      status: 'Active',
    })
    expect(await read(as.officer, lead.Id)).toMatchObject({
      status: 'Converted',
      clientId: body.data.client['Id'],
      clientIdLabel: 'Wanjiru Kamau',
    })
    const again = await as.officer.post(`/api/leads/${lead.Id}/convert`)
    expect([again.status, again.body.code, again.body.details]).toEqual([409, 'ALREADY_EXISTS', { clientId: body.data.client['Id'] }])
    expect(
      (await as.officer.get<{ client: { leadIdLabel: string } }>(`/api/clients/${String(body.data.client['Id'])}`)).body.data.client
        .leadIdLabel,
    ).toBe('Wanjiru Kamau')
  })

  it('is made once by two who press at the same moment', async () => {
    const { app, as } = world
    const lead = await capture(as.officer)
    await leadAlong(app, as.officer, lead.Id, road)
    const answers = await Promise.all(Array.from({ length: 5 }, () => as.officer.post(`/api/leads/${lead.Id}/convert`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect((await app.database.admin.query('select 1 from client where "leadId" = $1', [lead.Id])).rowCount).toBe(1)
  })

  it('follows the lifecycle, and leaves nothing behind when it may not', async () => {
    const { app, as } = world
    const lead = await capture(as.officer)
    const { status, body } = await as.officer.post(`/api/leads/${lead.Id}/convert`)
    expect([status, body.code, body.details?.['allowed']]).toEqual([
      409,
      'ILLEGAL_TRANSITION',
      expect.arrayContaining(['Assigned', 'Contacted']),
    ])
    expect((await app.database.admin.query('select 1 from client where "leadId" = $1', [lead.Id])).rowCount).toBe(0)
    for (const who of [as.elsewhere, as.foreign]) expect((await who.post(`/api/leads/${lead.Id}/convert`)).status).toBe(404)
  })
})

describe('clients', () => {
  it('are listed, searched and found by phone in the caller’s reach only', async () => {
    const { app, as } = world
    const lead = await capture(as.officer, { lastName: 'Zawadi' })
    await leadAlong(app, as.officer, lead.Id, road)
    await as.officer.post(`/api/leads/${lead.Id}/convert`)
    const names = async (who: typeof as.officer) =>
      (await who.get<{ clients: { lastName: string }[] }>('/api/clients?search=zawadi')).body.data.clients.map(({ lastName }) => lastName)
    expect([await names(as.officer), await names(as.admin), await names(as.elsewhere), await names(as.foreign)]).toEqual([
      ['Zawadi'],
      ['Zawadi'],
      [],
      [],
    ])
    const byPhone = (who: typeof as.officer, phone: string) =>
      who.get<{ client: { lastName: string } }>(`/api/clients/get-person-by-mobile-phone/${encodeURIComponent(phone)}`)
    expect((await byPhone(as.officer, `+254 ${lead.phonenumber.slice(1)}`)).body.data.client.lastName).toBe('Zawadi')
    expect([(await byPhone(as.elsewhere, lead.phonenumber)).status, (await byPhone(as.officer, 'x')).status]).toEqual([404, 422])
    const searched = await as.manager.post<{ clients: object[] }>('/api/clients/search', { name: 'Zawadi' })
    expect(searched.body.data.clients).toHaveLength(1)
    const found = async (who: typeof as.officer) =>
      (await who.get<{ results: { resource: string; title: string }[] }>('/api/search?q=zawadi')).body.data.results.map(
        ({ resource }) => resource,
      )
    expect([await found(as.officer), await found(as.elsewhere)]).toEqual([['lead', 'client'], []])
  })
})
