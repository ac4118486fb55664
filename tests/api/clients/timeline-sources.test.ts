import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending } from '../loans/lending.ts'
import { publishProduct } from '../products/fixture.ts'
import type { SignedInClient } from '../../support/app.ts'

let lending: Lending
beforeAll(async () => {
  lending = await makeLending()
})
afterAll(() => lending.world.app.close())

interface Entry {
  who: string
  what: string
  detail: string | null
}
type By = Pick<SignedInClient, 'get'>
const told = async (by: By, id: string) => {
  const answer = await by.get<{ timeline: Entry[] }>(`/api/clients/${id}/timeline`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.timeline.map(({ what }) => what)
}
const good = async <Data>(call: Promise<{ status: number; text: string; body: { data: Data } }>) => {
  const { status, text, body } = await call
  expect(status, text).toBe(200)
  return body.data
}

/** Rows that people do not make by a call of the console. */
async function gathered(clientId: string, leadId: string): Promise<void> {
  const { app, team, company, people } = lending.world
  const own = { companyId: company.id, tenantId: team.id }
  await app.make.row('lead_consent', {
    ...own,
    id: randomUUID(),
    leadId,
    purpose: 'MARKETING',
    textVersion: '1',
    textHash: Buffer.alloc(32),
    status: 'WITHDRAWN',
    channel: 'SMS',
    mobileNumber: '254791000002',
    requestedByUserId: people.officer.id,
    requestedAt: new Date(),
    answeredAt: new Date(),
    withdrawnAt: new Date(),
    reason: 'By phone',
    expiresAt: new Date(Date.now() + 86_400_000),
  })
  await app.make.row('asset', { ...own, id: randomUUID(), registrationNumber: 'KDA 001A', clientId })
  await app.make.row('ussd_session', {
    ...own,
    id: randomUUID(),
    providerSessionId: randomUUID(),
    serviceCode: '*384#',
    msisdn: '254791000002',
    clientId,
    menuNumber: 0,
    state: 'COMPLETED',
    startedAt: new Date(),
    lastMenu: 'Main',
  })
}

/** A form about clients, filled in about this one. */
async function filled(clientId: string): Promise<void> {
  const { admin, officer } = lending.world.as
  const pages = [{ key: 'visit', title: 'Visit', questions: [{ key: 'note', kind: 'text', label: 'Note', required: true }] }]
  const { webForm } = await good(admin.post<{ webForm: { Id: string } }>('/api/web-forms', { name: 'Home visit', about: 'client', pages }))
  await good(admin.post(`/api/web-forms/${webForm.Id}/publish`, {}))
  const { webFormVersions } = await good(admin.get<{ webFormVersions: { Id: string }[] }>(`/api/web-forms/${webForm.Id}/versions`))
  await good(officer.post('/api/web-forms/answers', { formVersionId: webFormVersions[0]?.Id, clientId, answers: { note: 'Rain' } }))
}

async function done(clientId: string): Promise<void> {
  const { admin, officer } = lending.world.as
  const productId = await publishProduct(admin, 'PLAIN')
  const startDate = new Date(Date.now() - 7_200_000).toISOString()
  const endDate = new Date(Date.now() - 3_600_000).toISOString()
  await good(officer.post('/api/applications', { productId, clientId, amount: 10_000, instalments: 12 }))
  await good(officer.post('/api/cases', { title: 'Papers', clientId }))
  await good(officer.post('/api/tasks', { title: 'Ring back', clientId }))
  await good(
    officer.post('/api/activities', { name: 'Visit', location: 'Nairobi', lat: -1.28, lng: 36.8, startDate, endDate, clients: [clientId] }),
  )
  await good(officer.upload(`/api/clients/${clientId}/files`))
  const inputs = { basicPay: 60_000, grossPay: 80_000, netPay: 52_000, rate: 2, ratePeriod: 'month', termMonths: 24 }
  await good(officer.post(`/api/clients/${clientId}/affordability`, { calculator: 'cs-affordability', inputs }))
  const { Id } = await lending.running(dayFrom(-45), { clientId })
  await good(officer.post(`/api/collections/${Id}/contact`, { action: 'Call', outcome: 'No answer', note: 'Rang twice' }))
}

/** What a client's history has of each source, and who may not read that. */
const sources: [source: string, entry: RegExp, without: string | null][] = [
  ['consent asked for', /^Consent to marketing requested by SMS$/, null],
  ['consent given', /^Consent to marketing granted$/, null],
  ['consent taken back', /^Consent to marketing withdrawn$/, null],
  ['assessment', /^Affordability (?:PASS|REFER|FAIL)$/, null],
  ['vehicle', /^Vehicle KDA 001A added$/, 'fleet'],
  ['task', /^Task T-\d{5}$/, 'work'],
  ['filled form', /^Form filled in: Home visit$/, null],
  ['contact about arrears', /^About arrears, Call: No answer$/, null],
  ['activity', /^Activity, /, 'work'],
  ['application', /^Application A-\d{5}$/, 'sales'],
  ['case', /^Case C-\d{5}$/, 'cases'],
  ['USSD session', /^USSD session, completed$/, 'ussd'],
  ['file', /\.(?:txt|png|jpg|pdf)|File/, null],
]

it('the history of a client gathers what every area knows, each under the rights of the reader', async () => {
  const { as, app, team, people } = lending.world
  const lead = await app.make.lead({ tenant: team, user: people.officer })
  const clientId = await lending.client(team, { leadId: lead.id })
  const nobody = await lending.client(team)
  await gathered(clientId, lead.id)
  await filled(clientId)
  await done(clientId)
  const all = await told(as.admin, clientId)
  const missing = sources.filter(([, entry]) => !all.some((what) => entry.test(what))).map(([source]) => source)
  expect(missing, all.join('\n')).toEqual([])
  const others = await told(as.admin, nobody)
  expect(sources.filter(([, entry]) => others.some((what) => entry.test(what)))).toEqual([])
  const reader = await app.as(await app.make.user({ tenant: team, roles: [], permissions: ['CLIENTS'] }))
  const read = await told(reader, clientId)
  for (const [source, entry, without] of sources)
    expect([source, read.some((what) => entry.test(what))]).toEqual([source, without === null])
  expect((await as.elsewhere.get(`/api/clients/${clientId}/timeline`)).status).toBe(404)
  expect((await as.foreign.get(`/api/clients/${clientId}/timeline`)).status).toBe(404)
})
