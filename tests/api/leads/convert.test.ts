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

describe('a client that is entered with the lead it is made of', () => {
  const enter = (who: World['as']['officer'], leadId: string, over: object = {}) =>
    who.post<{ client: Record<string, unknown> }>('/api/clients', {
      leadId,
      firstName: 'Wanjiru',
      lastName: 'Kamau',
      phonenumber: '0733000111',
      ...over,
    })
  const clientsOf = async (leadId: string) =>
    (await world.app.database.admin.query('select 1 from client where "leadId" = $1', [leadId])).rowCount

  it('brings next of kin, work and papers, takes over the rest, and the lead is Converted with it, once for five at a time', async () => {
    const { app, as } = world
    const lead = await capture(as.officer, { idNumber: '31239999', city: 'Thika', employer: 'County', type: 'SME' })
    await leadAlong(app, as.officer, lead.Id, road)
    const whole = {
      phonenumber: lead.phonenumber,
      employer: 'Mumias Sugar',
      empNumber: 'P-77',
      nextOfKin: [{ name: 'Peter Kamau', relationship: 'Spouse' }],
      documents: [
        { kind: 'Passport', expiresOn: '2031-05-01' },
        { kind: 'Work permit', expiresOn: '2030-01-01' },
      ],
    }
    const answers = await Promise.all(Array.from({ length: 5 }, () => enter(as.officer, lead.Id, whole)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const made = answers.find(({ status }) => status === 200)?.body.data.client
    expect(made).toMatchObject({
      leadId: lead.Id,
      employer: 'Mumias Sugar',
      empNumber: 'P-77',
      idNumber: '31239999',
      city: 'Thika',
      type: 'SME',
      tenantId: world.team.id,
      nextOfKin: [{ name: 'Peter Kamau' }],
      documents: [{ kind: 'Passport' }, { kind: 'Work permit' }],
    })
    expect(await read(as.officer, lead.Id)).toMatchObject({ status: 'Converted', clientId: made?.['Id'] })
    const changed = await as.officer.put<{ client: object }>(`/api/clients/${String(made?.['Id'])}`, {
      leadId: (await capture(as.officer)).Id,
    })
    expect([changed.status, changed.body.fields]).toEqual([422, [{ field: 'leadId', message: 'cannot be changed' }]])
  })

  it('is refused with a lead that may not become one, is one already, or that the caller does not see; nothing is left behind', async () => {
    const { app, as } = world
    const early = await capture(as.officer)
    expect((await enter(as.officer, early.Id)).body.code).toBe('ILLEGAL_TRANSITION')
    expect([await clientsOf(early.Id), (await read(as.officer, early.Id)).status]).toEqual([0, early.status])
    await leadAlong(app, as.officer, early.Id, road)
    for (const who of [as.elsewhere, as.foreign]) {
      const { status, body } = await enter(who, early.Id)
      expect([status, body.fields]).toEqual([422, [expect.objectContaining({ field: 'leadId' })]])
    }
    expect([await clientsOf(early.Id), (await read(as.officer, early.Id)).status]).toEqual([0, 'Approved'])
    // A person who is a client already stays one: the lead is not touched.
    const known = await as.officer.post('/api/clients', { firstName: 'Known', lastName: 'Person', phonenumber: '0733000222' })
    expect(known.status).toBe(200)
    expect((await enter(as.officer, early.Id, { phonenumber: '0733000222' })).body.code).toBe('DUPLICATE_CLIENT')
    expect((await read(as.officer, early.Id)).status).toBe('Approved')
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
