import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type SignedInClient, type TestApp } from '../../support/app.ts'
import type { MadeTenant, MadeUser } from '../../support/make.ts'

interface LeadRow {
  Id: string
  tenantId: string
  status: string
  phonenumber: string
  trimmedPhonenumber: string
  version: number
  [key: string]: unknown
}

let app: TestApp
let company: MadeTenant
let branch: MadeTenant
let officer: SignedInClient
let manager: SignedInClient
let neighbour: SignedInClient
let stranger: SignedInClient
let agent: MadeUser

let phones = 700_100_000
const person = (over: object = {}) => ({ firstName: 'Wanjiru', lastName: 'Kamau', phonenumber: `0${(phones += 1)}`, ...over })
const capture = async (by: SignedInClient, over: object = {}) => {
  const answer = await by.post<{ lead: LeadRow }>('/api/leads', person(over))
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.lead
}

beforeAll(async () => {
  app = await testApp()
  const { make } = app
  company = await make.company()
  branch = await make.tenant({ company })
  const sibling = await make.tenant({ company })
  const elsewhere = await make.tenant({ company: await make.company() })
  agent = await make.user({ role: 'officer', tenant: branch })
  officer = await app.as(agent)
  manager = await app.as(await make.user({ role: 'branch', tenant: branch }))
  neighbour = await app.as(await make.user({ role: 'branch', tenant: sibling }))
  stranger = await app.as(await make.user({ role: 'admin', tenant: elsewhere }))
})
afterAll(() => app.close())

describe('capturing a lead', () => {
  it('files it under the caller’s tenant with the specification’s first values', async () => {
    const lead = await capture(officer, { emailAddress: ' Wanjiru@Example.ORG ' })
    expect(lead).toMatchObject({
      tenantId: branch.id,
      status: 'New',
      source: 'UI',
      consentStatus: 'NONE PROVIDED',
      affordabilityOutcome: 'NONE',
      emailAddress: 'wanjiru@example.org',
      createdByUserId: agent.id,
      version: 1,
    })
    expect(lead.trimmedPhonenumber).toBe(`254${lead.phonenumber.slice(1)}`)
  })

  it('keeps an id that the client chose', async () => {
    const Id = randomUUID()
    expect((await capture(officer, { Id })).Id).toBe(Id)
  })

  it('takes the body of the specification’s client: what the server gives is ignored, a place may come as text', async () => {
    const lead = await capture(officer, {
      Id: 'none yet',
      tenantId: randomUUID(),
      status: 'Converted',
      consentStatus: 'GRANTED',
      affordabilityOutcome: 'PASS',
      createdByUserId: randomUUID(),
      leadCreatedBy: 'Somebody',
      addressId: '',
      latitude: '-1.28',
      longitude: '36.82',
      coordinates: { lat: 1, lng: 1 },
      consentDate: null,
      dateCreated: '2020-01-01T00:00:00.000Z',
      trimmedPhonenumber: '1',
    })
    expect(lead).toMatchObject({
      tenantId: branch.id,
      status: 'New',
      consentStatus: 'NONE PROVIDED',
      affordabilityOutcome: 'NONE',
      createdByUserId: agent.id,
      latitude: -1.28,
      longitude: 36.82,
      coordinates: { lat: -1.28, lng: 36.82 },
      consentDate: null,
      trimmedPhonenumber: `254${lead.phonenumber.slice(1)}`,
    })
  })

  it.each([
    ['phonenumber', { phonenumber: '12' }],
    ['phonenumber', { phonenumber: '071234567' }],
    ['phonenumber', { phonenumber: '07123456789' }],
    ['phonenumber', { phonenumber: '1234567' }],
    ['phonenumber', { phonenumber: '000000000' }],
    ['contactNumber', { contactNumber: '071234567' }],
    ['phonenumber', { phonenumber: '' }],
    ['firstName', { firstName: 'R2D2' }],
    ['emailAddress', { emailAddress: 'nobody' }],
    ['latitude', { latitude: 'north' }],
    ['nickname', { nickname: 'Shiru' }],
    ['companyId', { companyId: randomUUID() }],
    ['source', { source: 'Nowhere' }],
  ])('names the field %s of a bad input %j', async (field, over) => {
    const { status, body } = await officer.post('/api/leads', person(over))
    expect([status, body.code, body.fields?.map((one) => one.field)]).toEqual([422, 'INVALID', [field]])
  })

  it.each(['phone', 'e-mail in other letters', 'ID number'])('refuses the same person again by %s, in the whole company', async (by) => {
    const lead = await capture(officer, { emailAddress: `dup.${phones}@example.org`, idNumber: `90010${phones}` })
    const again = {
      phone: { phonenumber: `+254 ${lead.phonenumber.slice(1)}` },
      'e-mail in other letters': { emailAddress: String(lead['emailAddress']).toUpperCase() },
      'ID number': { idNumber: lead['idNumber'] },
    }[by]
    const mine = await officer.post('/api/leads', person(again))
    expect(mine.status).toBe(400)
    expect(mine.body).toMatchObject({
      success: false,
      code: 'DUPLICATE_LEAD',
      title: 'Duplicate email or phone number.',
      message: 'Unable to create lead, lead already exists.',
      details: { existingId: lead.Id },
    })
    const other = await neighbour.post('/api/leads', person(again))
    expect(other.body.code).toBe('DUPLICATE_LEAD')
    expect(other.text).not.toContain(lead.Id)
    expect((await stranger.post('/api/leads', person({ ...again, phonenumber: `0${(phones += 1)}` }))).status).toBe(200)
  })

  it('lets one of two at the same moment through', async () => {
    const same = person()
    const answers = await Promise.all(Array.from({ length: 8 }, () => officer.post('/api/leads', same)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
  })

  it('answers whether a person exists while one types', async () => {
    const lead = await capture(officer)
    const check = (body: object, by = officer) =>
      by.post<{ exists: boolean; fields: string[]; existing: object[] }>('/api/leads/exist', body)
    const existing = [{ field: 'phonenumber', Id: lead.Id, fullName: lead.fullName }]
    expect((await check({ phonenumber: lead.phonenumber })).body.data).toMatchObject({ exists: true, fields: ['phonenumber'], existing })
    expect((await check({ phonenumber: lead.phonenumber }, neighbour)).body.data).toEqual({
      exists: true,
      fields: ['phonenumber'],
      existing: [],
    })
    expect((await check({ phonenumber: lead.phonenumber, Id: lead.Id })).body.data.exists).toBe(false)
  })
})

describe('seeing leads', () => {
  it('shows a branch its own and the company all, newest first, and a stranger none', async () => {
    const lead = await capture(officer, { lastName: 'Findable' })
    const admin = await app.as(await app.make.user({ role: 'admin', company }))
    for (const who of [officer, manager, admin]) {
      const { body } = await who.get<{ leads: LeadRow[] }>('/api/leads?search=findable&size=10')
      expect(body.data.leads.map(({ Id }) => Id)).toContain(lead.Id)
    }
    for (const who of [neighbour, stranger]) {
      expect((await who.get<{ leads: LeadRow[] }>('/api/leads?search=findable')).body.data.leads).toEqual([])
      for (const call of [
        who.get(`/api/leads/${lead.Id}`),
        who.put(`/api/leads/${lead.Id}`, { city: 'X' }),
        who.put(`/api/leads/status/${lead.Id}`, { status: 'Contacted' }),
        who.get(`/api/leads/${lead.Id}/timeline`),
        who.get(`/api/leads/addresses-by-lead/${lead.Id}`),
        who.post('/api/leads/delete', { id: lead.Id }),
        who.post('/api/leads/resend-consent-request', { leadId: lead.Id }),
        who.post('/api/leads/generate-pdf', { pdfData: lead.Id }),
      ]) {
        const { status, body } = await call
        expect([status, body.message]).toEqual([404, 'lead not found'])
      }
    }
  })

  it('lists the current week by the asked date, 1,000 a page', async () => {
    const old = await app.make.lead({ tenant: branch, dateCreated: new Date(Date.now() - 40 * 86_400_000) })
    const { body } = await manager.get<{ leads: LeadRow[] }>('/api/leads/tenant/getbyid')
    expect(body.meta?.size).toBe(1_000)
    expect(body.data.leads.map(({ Id }) => Id)).not.toContain(old.id)
    const wide = await manager.get<{ leads: LeadRow[] }>(
      '/api/leads/tenant/getbyid?dateType=created&startDate=2020-01-01&endDate=2100-01-01',
    )
    expect(wide.body.data.leads.map(({ Id }) => Id)).toContain(old.id)
    expect((await manager.get<{ leads: LeadRow[] }>('/api/leads/tenant/getbyid?dateType=consent')).body.data.leads).toEqual([])
    expect((await manager.get('/api/leads/tenant/getbyid?dateType=birthday')).body.fields?.[0]?.field).toBe('dateType')
  })
})

describe('the life of a lead', () => {
  it('follows the lifecycle, answers the allowed list otherwise, and logs who, how long and where', async () => {
    const lead = await capture(officer)
    const wrong = await officer.put(`/api/leads/status/${lead.Id}`, { status: 'Approved' })
    expect([wrong.status, wrong.body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
    expect(wrong.body.details?.['allowed']).toContain('Contacted')
    expect((await officer.put(`/api/leads/status/${lead.Id}`, { status: 'Contacted', latitude: -1.28, longitude: 36.82 })).status).toBe(200)
    const { rows } = await app.database.admin.query('select * from record_move where "objectId" = $1', [lead.Id])
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      from: 'New',
      to: 'Contacted',
      isFirst: true,
      userId: agent.id,
      realUserId: agent.id,
      latitude: '-1.280000',
    })
  })

  it('asks for a reason where a lead is lost', async () => {
    const lead = await capture(officer)
    expect((await officer.put(`/api/leads/status/${lead.Id}`, { status: 'Junk' })).body.fields?.[0]?.field).toBe('reason')
    expect((await officer.put(`/api/leads/status/${lead.Id}`, { status: 'Junk', reason: 'Wrong number' })).status).toBe(200)
  })

  it('goes to an agent of the reach, notifies them, and keeps the history', async () => {
    const lead = await capture(manager)
    const { status, body } = await manager.post<{ lead: LeadRow }>('/api/leads/assignlead', { leadId: lead.Id, userId: agent.id })
    expect([status, body.data.lead.status, body.data.lead['assignedUserId']]).toEqual([200, 'Assigned', agent.id])
    const mine = await officer.get<{ leads: LeadRow[] }>(`/api/leads/assignedto/${agent.id}`)
    expect(mine.body.data.leads.map(({ Id }) => Id)).toContain(lead.Id)
    const { rows } = await app.database.admin.query('select 1 from notification where "userId" = $1', [agent.id])
    expect(rows.length).toBeGreaterThan(0)
    const foreign = await manager.post('/api/leads/assignlead', { leadId: lead.Id, userId: stranger.user.id })
    expect(foreign.body.fields?.[0]?.field).toBe('userId')
    const neighbourly = await manager.post('/api/leads/assignlead', { leadId: lead.Id, userId: neighbour.user.id })
    expect(neighbourly.body.fields?.[0]?.field).toBe('userId')
  })

  it('assigns all or none', async () => {
    const lead = await capture(manager)
    const { status } = await manager.post('/api/leads/assignlead', { ids: [lead.Id, randomUUID()], userId: agent.id })
    expect(status).toBe(404)
    expect((await manager.get<{ lead: LeadRow }>(`/api/leads/${lead.Id}`)).body.data.lead['assignedUserId']).toBeNull()
  })

  it('is deleted only with the permission, and comes back unless its number was taken meanwhile', async () => {
    const lead = await capture(officer)
    expect((await officer.post('/api/leads/delete', { id: lead.Id })).status).toBe(403)
    expect((await manager.post('/api/leads/delete', { id: lead.Id })).status).toBe(200)
    expect((await officer.get(`/api/leads/${lead.Id}`)).status).toBe(404)
    expect((await manager.post('/api/leads/restore', { ids: [lead.Id] })).status).toBe(200)
    expect((await officer.get(`/api/leads/${lead.Id}`)).status).toBe(200)
    await manager.post('/api/leads/delete', { id: lead.Id })
    await capture(officer, { phonenumber: lead.phonenumber })
    expect((await manager.post('/api/leads/restore', { ids: [lead.Id] })).body.code).toBe('DUPLICATE_LEAD')
  })

  it('shows a writer whose copy is old what is stored now', async () => {
    const lead = await capture(officer)
    expect((await officer.put(`/api/leads/${lead.Id}`, { city: 'Thika', version: 1 })).status).toBe(200)
    const late = await manager.put(`/api/leads/${lead.Id}`, { city: 'Nakuru', version: 1 })
    expect([late.status, late.body.code]).toEqual([409, 'CONFLICT'])
    expect(late.body.details?.['current']).toMatchObject({ city: 'Thika' })
  })

  it('shows all of it in one timeline', async () => {
    const lead = await capture(officer)
    await officer.put(`/api/leads/status/${lead.Id}`, { status: 'Contacted' })
    await manager.post('/api/leads/assignlead', { leadId: lead.Id, userId: agent.id })
    const { body } = await officer.get<{ timeline: { what: string; who: string }[] }>(`/api/leads/${lead.Id}/timeline`)
    const what = body.data.timeline.map((entry) => entry.what).join('\n')
    expect(what).toMatch(/Captured/)
    expect(what).toMatch(/Status New → Contacted/)
    expect(what).toMatch(/Assigned to/)
  })

  it('names what was changed with the old and the new value, in words, and nothing else', async () => {
    const lead = await capture(officer, { city: 'Thika', type: 'SME' })
    const { status } = await officer.put(`/api/leads/${lead.Id}`, {
      city: 'Kisumu',
      notes: 'Call in the evening',
      idNumber: '31234568',
      type: 'SME',
    })
    expect(status).toBe(200)
    await officer.post('/api/leads/resend-consent-request', { leadId: lead.Id })
    await officer.post(`/api/leads/${lead.Id}/affordability`, {
      calculator: 'cs-affordability',
      inputs: { basicPay: 60_000, netPay: 22_000, amount: 900_000, rate: 2, termMonths: 12 },
    })
    const { body } = await officer.get<{ timeline: { what: string; detail: string | null }[] }>(`/api/leads/${lead.Id}/timeline`)
    const changes = body.data.timeline.filter((entry) => entry.what === 'Changed')
    expect(changes.map(({ detail }) => detail)).toEqual(['ID number changed; Notes: empty → Call in the evening; Town: Thika → Kisumu'])
    expect(body.data.timeline.find((entry) => entry.what === 'Affordability FAIL')?.detail).toMatch(/is above the affordable/)
  })
})

describe('figures', () => {
  it('count the caller’s reach over days of the company’s time zone', async () => {
    await capture(officer)
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format(new Date())
    const of = async (who: SignedInClient, query: string) =>
      (await who.get<{ total: number; byStatus: { label: string; value: number }[] }>(`/api/leads/figures${query}`)).body.data
    const all = await of(officer, `?startDate=${today}&endDate=${today}`)
    expect(all.total).toBeGreaterThan(0)
    expect(all.byStatus.reduce((sum, { value }) => sum + value, 0)).toBe(all.total)
    expect((await of(officer, '')).total).toBeGreaterThanOrEqual(all.total)
    expect((await of(officer, '?startDate=2020-01-01&endDate=2020-12-31')).total).toBe(0)
    expect((await officer.get('/api/leads/figures?startDate=soon')).body.fields?.[0]?.field).toBe('startDate')
  })
})

describe('consent', () => {
  const ask = (leadId: string) =>
    officer.post<{ lead: LeadRow; consentId: string }>('/api/leads/resend-consent-request', { tenantId: branch.id, leadId })

  it('is asked at most once a minute, and five times a day', async () => {
    const lead = await capture(officer)
    expect((await ask(lead.Id)).body.data.lead['consentStatus']).toBe('REQUESTED')
    const soon = await ask(lead.Id)
    expect([soon.status, soon.body.code]).toEqual([429, 'COOL_DOWN'])
    for (let sent = 1; sent < 5; sent += 1) {
      await app.database.admin.query(`update lead_consent set "requestedAt" = "requestedAt" - interval '2 minutes' where "leadId" = $1`, [
        lead.Id,
      ])
      expect((await ask(lead.Id)).status).toBe(200)
    }
    await app.database.admin.query(`update lead_consent set "requestedAt" = "requestedAt" - interval '2 minutes' where "leadId" = $1`, [
      lead.Id,
    ])
    expect((await ask(lead.Id)).status).toBe(429)
  })

  it('is answered once by whoever holds the link, and kept with its evidence', async () => {
    const lead = await capture(officer)
    const { body } = await ask(lead.Id)
    const { issueConsentLink } = await import('../../../apps/server/src/areas/leads/consent/lead.consent.ts')
    const { makeJobCtx } = await import('../../../apps/server/src/kernel/session/jobs.ts')
    const ctx = await makeJobCtx(app.services, { companyId: company.id, userId: null })
    const link = await ctx.transaction((inner) => issueConsentLink(inner, body.data.consentId))
    const path = `/api/consent/${link?.token}`
    expect((await app.nobody.get<{ text: string }>(path)).body.data.text).toContain('credit record')
    expect((await app.nobody.post(path, { answer: 'GRANTED' })).status).toBe(200)
    expect((await app.nobody.post(path, { answer: 'DECLINED' })).status).toBe(409)
    expect((await officer.get<{ lead: LeadRow }>(`/api/leads/${lead.Id}`)).body.data.lead['consentStatus']).toBe('GRANTED')
    const { rows } = await app.database.admin.query('select evidence, "textHash" from lead_consent where id = $1', [body.data.consentId])
    expect(rows[0].evidence).toHaveProperty('ip')
  })

  it.each(['x'.repeat(60), `${randomUUID()}.${'a'.repeat(43)}`])('knows no link %s', async (token) => {
    const { status, body } = await app.nobody.get(`/api/consent/${token}`)
    expect([status, body.code]).toEqual([400, 'TOKEN_INVALID'])
  })
})

describe('onboarding', () => {
  const page = (over: object = {}) => ({
    person: { firstName: 'Atieno', lastName: 'Ochieng', idNumber: '12345678' },
    contact: { phonenumber: `0${(phones += 1)}` },
    employment: { employer: 'County', grossIncome: 60_000 },
    address: { lineone: 'Moi Avenue 4', city: 'Kisumu' },
    affordability: { requestedAmount: 20_000 },
    consent: { send: true },
    ...over,
  })

  it('makes the lead, files the address, asks for consent and drops the draft in one go', async () => {
    const draftId = randomUUID()
    expect(
      (await officer.post('/api/leads/onboarding-drafts', { Id: draftId, step: 2, furthest: 3, data: { person: { firstName: 'Atieno' } } }))
        .status,
    ).toBe(200)
    expect((await officer.put(`/api/leads/onboarding-drafts/${draftId}`, { step: 1, furthest: 1, data: {} })).body.data).toMatchObject({
      draft: { furthest: 3 },
    })
    expect((await manager.put(`/api/leads/onboarding-drafts/${draftId}`, { step: 1, furthest: 1, data: {} })).status).toBe(404)
    const made = await officer.post<{ lead: LeadRow }>('/api/onbording/first-page', page({ draftId }))
    expect(made.status, made.text).toBe(200)
    expect(made.body.data.lead).toMatchObject({ firstName: 'Atieno', employer: 'County', consentStatus: 'REQUESTED', city: 'Kisumu' })
    const addresses = await officer.get<{ addresses: object[] }>(`/api/leads/addresses-by-lead/${made.body.data.lead.Id}`)
    expect(addresses.body.data.addresses).toHaveLength(2)
    expect((await officer.get<{ drafts: object[] }>('/api/leads/onboarding-drafts')).body.data.drafts).toEqual([])
  })

  it('leaves nothing behind when a page is wrong', async () => {
    const before = await app.database.admin.query('select count(*) from lead')
    const { status } = await officer.post('/api/onboarding/first-page', page({ contact: { phonenumber: '1' } }))
    expect(status).toBe(422)
    expect((await app.database.admin.query('select count(*) from lead')).rows).toEqual(before.rows)
  })

  it('gives the application as a PDF', async () => {
    const lead = await capture(officer)
    const { status, headers, text } = await officer.post('/api/leads/generate-pdf', { pdfData: { leadId: lead.Id } })
    expect([status, headers['content-type'], text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
    expect(headers['content-disposition']).toContain('application-Wanjiru-Kamau.pdf')
  })
})
