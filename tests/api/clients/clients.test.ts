import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leadAlong, capture } from '../leads/world.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

interface ClientRow {
  Id: string
  version: number
  fullName: string
  status: string
  kyc: string | null
  nextOfKin: { Id: string; name: string; isGuarantor: boolean }[]
  documents: { Id: string; kind: string; expiresOn: string | null }[]
  addresses: { kind: string; city: string }[]
  [key: string]: unknown
}

let world: World
let phones = 20_000_000
const person = (over: object = {}) => ({ firstName: 'Naliaka', lastName: 'Barasa', phonenumber: `07${(phones += 1)}`, ...over })
const save = (body: object, by: keyof World['as'] = 'officer') => world.as[by].post<{ client: ClientRow }>('/api/clients', body)
const made = async (over: object = {}, by: keyof World['as'] = 'officer') => {
  const answer = await save(person(over), by)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.client
}
const read = async (id: string, by: keyof World['as'] = 'officer') =>
  (await world.as[by].get<{ client: ClientRow }>(`/api/clients/${id}`)).body.data.client
const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

describe('a client', () => {
  it('is captured with all that belongs to the person, and sent back whole', async () => {
    const client = await made({
      emailAddress: 'NALIAKA@example.org',
      idNumber: '30111222',
      employer: 'County',
      empNumber: 'E77',
      nextOfKin: [{ name: 'Peter Barasa', relationship: 'Spouse', phonenumber: '0722000111', isGuarantor: true }],
      documents: [
        { kind: 'ID card', number: '30111222', expiresOn: dayFromNow(20) },
        { kind: 'Passport', expiresOn: dayFromNow(400) },
      ],
      identifiers: [{ kind: 'Tax number', number: 'A001' }],
      contacts: [{ kind: 'E-mail', value: 'n@example.org' }],
      addresses: [{ kind: 'Home', lineone: 'Moi Avenue 4', city: 'Thika' }],
    })
    expect(client).toMatchObject({
      fullName: 'Naliaka Barasa',
      emailAddress: 'naliaka@example.org',
      status: 'Active',
      assignedUserId: world.people.officer.id,
      tenantId: world.team.id,
      kyc: 'EXPIRING',
      nextExpiry: dayFromNow(20),
      nextOfKin: [{ name: 'Peter Barasa', isGuarantor: true }],
      documents: [{ kind: 'ID card' }, { kind: 'Passport' }],
    })
    const back = await world.as.officer.put<{ client: ClientRow }>(`/api/clients/${client.Id}`, await read(client.Id))
    expect(back.status, back.text).toBe(200)
    expect(back.body.data.client.nextOfKin).toEqual(client.nextOfKin)
  })

  it('is changed by the same call where its Id is known, and keeps what the body leaves out', async () => {
    const first = await made({ documents: [{ kind: 'Passport' }], city: 'Thika' })
    const { phonenumber } = first
    const changed = await save({ Id: first.Id, firstName: 'Naliaka', lastName: 'Wekesa', phonenumber })
    expect([changed.status, changed.body.message]).toEqual([200, 'Client updated successfully'])
    expect(await read(first.Id)).toMatchObject({
      lastName: 'Wekesa',
      city: 'Thika',
      documents: [{ kind: 'Passport' }],
      version: first.version + 1,
    })
    for (const by of ['elsewhere', 'foreign'] as const)
      expect((await save(person({ Id: first.Id }), by)).status).toBe(by === 'foreign' ? 200 : 409)
    expect(await read(first.Id)).toMatchObject({ lastName: 'Wekesa' })
  })

  it('is one person once, however often it is sent at the same moment, with and without an Id', async () => {
    const [named, unnamed] = [person({ Id: randomUUID() }), person()]
    const sent = await Promise.all(Array.from({ length: 5 }, () => save(named)))
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const others = await Promise.all(Array.from({ length: 5 }, () => save(unnamed)))
    expect(others.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    for (const { phonenumber } of [named, unnamed]) {
      const rows = await world.app.database.admin.query('select 1 from client where "phonenumber" = $1', [phonenumber])
      expect(rows.rowCount).toBe(1)
    }
  })

  it('shares phone, e-mail and ID number with nobody of the company, however they are written, beyond reach too', async () => {
    const first = await made({ phonenumber: '0733444555', emailAddress: 'once@example.org', idNumber: '29888777' })
    const twins = [{ phonenumber: '+254 733 444 555' }, { emailAddress: 'ONCE@example.org' }, { idNumber: '29888777' }]
    const fields = ['phonenumber', 'emailAddress', 'idNumber']
    for (const [place, twin] of twins.entries()) {
      const near = await save(person(twin))
      expect([near.status, near.body.code, fieldsOf(near), near.body.details]).toEqual([
        400,
        'DUPLICATE_CLIENT',
        [fields[place]],
        { existingId: first.Id },
      ])
      const far = await save(person(twin), 'elsewhere')
      expect([far.status, far.body.details]).toEqual([400, undefined])
      expect((await save(person(twin), 'foreign')).status).toBe(200)
    }
    const second = await made()
    expect((await world.as.officer.put(`/api/clients/${second.Id}`, { idNumber: '29888777' })).status).toBe(400)
  })

  it.each([
    ['a phone of nowhere', { phonenumber: '12' }, 'phonenumber'],
    [
      'an expiry before the issue',
      { documents: [{ kind: 'Passport', issuedOn: '2026-03-02', expiresOn: '2026-03-01' }] },
      'documents.0.expiresOn',
    ],
    ['a contact that reaches nobody', { contacts: [{ kind: 'Phone', value: 'no' }] }, 'contacts.0.value'],
    [
      'a number given twice',
      {
        identifiers: [
          { kind: 'Passport', number: 'a1' },
          { kind: 'Passport', number: 'A1 ' },
        ],
      },
      'identifiers.1.number',
    ],
    ['a birth to come', { dateOfBirth: dayFromNow(3) }, 'dateOfBirth'],
    ['next of kin without a name', { nextOfKin: [{ relationship: 'Spouse' }] }, 'nextOfKin.0.name'],
    ['a name nobody knows', { hobby: 'chess' }, 'hobby'],
  ])('refuses %s and says where', async (_, over, field) => {
    const answer = await save(person(over))
    expect([answer.status, fieldsOf(answer)]).toEqual([422, [field]])
  })

  it('is given to people in reach only, and the half that a role lacks is refused', async () => {
    const beyond = await save(person({ assignedUserId: world.people.elsewhere.id }))
    expect([beyond.status, fieldsOf(beyond)]).toEqual([422, ['assignedUserId']])
    const { make } = world.app
    const maker = await make.role({ company: world.company, name: 'Makes', permissions: ['CLIENTS', 'CLIENTS/CREATE'] })
    const by = await world.app.as(await make.user({ tenant: world.team, role: maker }))
    const body = person()
    const first = await by.post<{ client: ClientRow }>('/api/clients', body)
    expect(first.status, first.text).toBe(200)
    expect((await by.post('/api/clients', { ...body, Id: first.body.data.client.Id })).status).toBe(403)
  })

  it('is deactivated, closed and reopened with a reason, by moves alone', async () => {
    const client = await made()
    const move = (body: object) => world.as.officer.post<{ client: ClientRow }>(`/api/clients/${client.Id}/move`, body)
    expect(fieldsOf(await move({ move: 'close' }))).toEqual(['reason'])
    expect((await move({ move: 'activate', reason: 'x' })).status).toBe(409)
    expect((await move({ move: 'close', reason: 'Died' })).body.data.client).toMatchObject({ status: 'Closed', statusReason: 'Died' })
    await world.as.officer.put(`/api/clients/${client.Id}`, { status: 'Active' })
    expect(await read(client.Id)).toMatchObject({ status: 'Closed' })
    expect((await move({ move: 'reopen', reason: 'Wrong client' })).body.data.client.status).toBe('Active')
    const { body } = await world.as.officer.get<{ timeline: { what: string }[] }>(`/api/clients/${client.Id}/timeline`)
    expect(body.data.timeline.map(({ what }) => what)).toEqual(['Closed → Active', 'Active → Closed', 'Captured'])
  })

  it('is deleted and comes back unless somebody holds the number by then', async () => {
    const client = await made()
    expect((await world.as.officer.post('/api/clients/delete', { id: client.Id })).status).toBe(403)
    expect((await world.as.manager.post('/api/clients/delete', { id: client.Id })).status).toBe(200)
    expect((await world.as.officer.get(`/api/clients/${client.Id}`)).status).toBe(404)
    const twin = await made({ phonenumber: client['phonenumber'] })
    expect((await world.as.manager.post('/api/clients/restore', { ids: [client.Id] })).status).toBe(400)
    await world.as.manager.post('/api/clients/delete', { id: twin.Id })
    expect((await world.as.manager.post('/api/clients/restore', { ids: [client.Id] })).status).toBe(200)
  })
})

describe('USSD security', () => {
  it('is cleared with a reason that the history keeps, once, and reveals no secret', async () => {
    const { app, as } = world
    const client = await made()
    const clear = (by: keyof World['as'], body: object) =>
      as[by].del<{ client: ClientRow }>(`/api/clients/deregister-client-ussd-security/${client.Id}`, body)
    expect((await clear('officer', { reason: 'New phone' })).status).toBe(409)
    await app.database.admin.query(
      `begin; select set_config('app.company', '${world.company.id}', true), set_config('app.stream', '${world.company.id}', true);
       update client set "ussdPinHash" = 'CANARY-PIN', "ussdDevice" = 'CANARY-SIM', "ussdSecuredAt" = now() where "id" = '${client.Id}'; commit`,
    )
    expect(JSON.stringify(await read(client.Id))).not.toContain('CANARY')
    expect(fieldsOf(await clear('officer', {}))).toEqual(['reason'])
    for (const by of ['elsewhere', 'foreign'] as const) expect((await clear(by, { reason: 'x' })).status).toBe(404)
    const answer = await clear('officer', { reason: 'New phone' })
    expect([answer.status, answer.body.data.client['ussdSecuredAt'], answer.text.includes('CANARY')]).toEqual([200, null, false])
    const { rows } = await app.database.admin.query('select "ussdPinHash", "ussdDevice", "ussdSecuredAt" from client where "id" = $1', [
      client.Id,
    ])
    expect(rows).toEqual([{ ussdPinHash: null, ussdDevice: null, ussdSecuredAt: null }])
    const acts = await app.database.admin.query(
      `select "action", "after", "before"::text as before from audit_log where "objectId" = $1 order by "seq" desc limit 2`,
      [client.Id],
    )
    expect(acts.rows).toContainEqual(expect.objectContaining({ action: 'client.deregisterUssd', after: { reason: 'New phone' } }))
    expect(JSON.stringify(acts.rows)).not.toContain('CANARY-PIN')
  })
})

describe('what a client brings from the lead', () => {
  it('is shown: consents, assessments and the affordability list, in reach only', async () => {
    const { app, as } = world
    const lead = await capture(as.officer, { lastName: 'Chebet' })
    await leadAlong(app, as.officer, lead.Id, ['Contacted', 'Consent requested', 'Qualified', 'Onboarding', 'Submitted', 'Approved'])
    const converted = await as.officer.post<{ client: ClientRow }>(`/api/leads/${lead.Id}/convert`)
    const { Id } = converted.body.data.client
    const count = async (table: string) =>
      Number((await app.database.admin.query(`select count(*) from ${table} where "leadId" = $1`, [lead.Id])).rows[0].count)
    const runs = await as.officer.get<{ runs: object[] }>(`/api/clients/${Id}/affordability-runs`)
    const consents = await as.officer.get<{ consents: object[] }>(`/api/clients/${Id}/consents`)
    expect([runs.body.data.runs.length, consents.body.data.consents.length]).toEqual([
      await count('affordability_run'),
      await count('lead_consent'),
    ])
    const assessed = await as.officer.post(`/api/leads/${lead.Id}/affordability`, {
      calculator: 'cs-affordability',
      inputs: { basicPay: 60_000, grossPay: 60_000, netPay: 38_000, rate: 2, ratePeriod: 'month', termMonths: 12 },
    })
    expect(assessed.status, assessed.text).toBe(200)
    const affordable = (by: keyof World['as'], search: string) =>
      as[by].get<{ clients: { Id: string; outcome: string; affordable: number; isOutdated: boolean }[] }>(
        `/api/clients/affordability?search=${search}`,
      )
    expect((await affordable('officer', 'chebet')).body.data.clients).toMatchObject([{ Id, affordable: 18_000, isOutdated: false }])
    expect((await affordable('officer', '%25')).body.data.clients).toEqual([])
    for (const by of ['elsewhere', 'foreign'] as const) {
      expect((await affordable(by, 'chebet')).body.data.clients).toEqual([])
      expect((await as[by].get(`/api/clients/${Id}/consents`)).status).toBe(404)
    }
  })
})
