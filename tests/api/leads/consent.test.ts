import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Letter, Mail } from '@outpost/platform/mail'
import { sendConsentJob } from '../../../apps/server/src/areas/leads/consent/lead.consent-job.ts'
import { issueConsentLink } from '../../../apps/server/src/areas/leads/consent/lead.consent.ts'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'
import { capture, phone, read } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const ask = (leadId: string, over: object = {}) =>
  world.as.officer.post<{ consentId: string }>('/api/leads/resend-consent-request', { leadId, ...over })
/** The pause between two requests is over. */
const later = (leadId: string) =>
  world.app.database.admin.query(`update lead_consent set "requestedAt" = "requestedAt" - interval '2 minutes' where "leadId" = $1`, [
    leadId,
  ])
const linkOf = async (consentId: string): Promise<string> => {
  const ctx = await makeJobCtx(world.app.services, { companyId: world.company.id, userId: null })
  const link = await ctx.transaction((inner) => issueConsentLink(inner, consentId))
  return `/api/consent/${String(link?.token)}`
}
const answer = (path: string, given: string) => world.app.nobody.post<{ status: string }>(path, { answer: given })
const statusOf = async (id: string) => (await read(world.as.officer, id))['consentStatus']
const asked = async (over: object = {}, request: object = {}) => {
  const lead = await capture(world.as.officer, { emailAddress: `ask.${phone()}@example.org`, ...over })
  const { status, body, text } = await ask(lead.Id, request)
  expect(status, text).toBe(200)
  return { lead, path: await linkOf(body.data.consentId) }
}

describe('a request for consent goes to the client', () => {
  it('at a number of the lead, not at any that is typed', async () => {
    const [other, lead] = [phone(), await capture(world.as.officer, { emailAddress: 'only.mine@example.org' })]
    expect(fieldsOf(await ask(lead.Id, { mobileNumber: other }))).toEqual(['mobileNumber'])
    expect((await ask(lead.Id, { mobileNumber: `+254 ${lead.phonenumber.slice(1)}` })).status).toBe(200)
  })

  it('and never at a number or address of one’s own people', async () => {
    const { app, people, as } = world
    const mobile = phone()
    await app.database.admin.query('update app_user set mobile = $2 where id = $1', [people.officer.id, mobile])
    const phoned = await capture(as.officer, { phonenumber: mobile })
    expect((await ask(phoned.Id)).body.code).toBe('CONFLICT')
    const mailed = await capture(as.officer, { emailAddress: people.officer.emailAddress })
    expect((await ask(mailed.Id)).body.message).toMatch(/works here/)
  })

  it.each([
    ['phonenumber', phone()],
    ['emailAddress', 'changed.one@example.org'],
    ['contactNumber', phone()],
  ])('after a change of %s once somebody else has confirmed it', async (key, value) => {
    const { as } = world
    const lead = await capture(as.officer, { emailAddress: `before.${key}@example.org` })
    await as.officer.put(`/api/leads/${lead.Id}`, { [key]: value })
    expect((await ask(lead.Id)).body.message).toMatch(/confirm/)
    const confirm = (by: typeof as.officer) =>
      by.post(`/api/leads/${lead.Id}/confirm-contact`, { reason: 'Called back at the employer’s number' })
    expect([(await confirm(as.officer)).status, (await confirm(as.elsewhere)).status]).toEqual([403, 404])
    expect((await confirm(as.manager)).status).toBe(200)
    expect((await ask(lead.Id)).status).toBe(200)
  })

  it('a number that is only written differently was not changed', async () => {
    const lead = await capture(world.as.officer, { emailAddress: 'same.number@example.org' })
    await world.as.officer.put(`/api/leads/${lead.Id}`, { phonenumber: `+254${lead.phonenumber.slice(1)}` })
    expect((await ask(lead.Id)).status).toBe(200)
  })
})

it('says how long its link is open, by the setting of the company', async () => {
  const { app, as, company } = world
  expect((await as.admin.put(`/api/settings/${company.id}`, { consentLinkDays: 3 })).status).toBe(200)
  const lead = await capture(as.officer, { emailAddress: 'three.days@example.org' })
  const { body } = await ask(lead.Id)
  await as.admin.put(`/api/settings/${company.id}`, { consentLinkDays: null })
  const sent: Letter[] = []
  const mail = { send: async (letter: Letter) => void sent.push(letter) } as unknown as Mail
  const ctx = await makeJobCtx(app.services, { companyId: company.id, userId: null })
  const job = { id: 'consent', attempt: 1, signal: new AbortController().signal }
  await ctx.transaction((inner) => sendConsentJob(mail, undefined).run(inner, { consentId: body.data.consentId }, job))
  expect(sent.map(({ to }) => to)).toEqual(['three.days@example.org'])
  const [, day, time] = /^Open this link until (\d+ \w+ \d+) (\d\d:\d\d) to say yes or no:$/m.exec(sent[0]?.text ?? '') ?? []
  expect((Date.parse(`${day} ${time} GMT+0300`) - Date.now()) / 86_400_000).toBeCloseTo(3, 1)
})

describe('only the last link counts', () => {
  it('a new request ends the one before', async () => {
    const { lead, path } = await asked()
    await later(lead.Id)
    const { body } = await ask(lead.Id)
    const next = await linkOf(body.data.consentId)
    expect((await answer(path, 'GRANTED')).status).not.toBe(200)
    expect(await statusOf(lead.Id)).toBe('REQUESTED')
    expect((await answer(next, 'DECLINED')).status).toBe(200)
    expect((await answer(path, 'GRANTED')).status).not.toBe(200)
    expect(await statusOf(lead.Id)).toBe('DECLINED')
  })

  it('an answer and a withdrawal end whatever is still open', async () => {
    const { app, as, company } = world
    const { lead, path } = await asked()
    // As it could be before: two links open at once.
    const {
      rows: [second],
    } = await app.database.admin.query<{ id: string }>(
      `insert into lead_consent ("companyId", id, "tenantId", "leadId", channel, "mobileNumber", "textVersion", "textHash", "expiresAt")
      select "companyId", gen_random_uuid(), "tenantId", "leadId", channel, "mobileNumber", "textVersion", "textHash", "expiresAt" from lead_consent where "companyId" = $1 and "leadId" = $2 returning id`,
      [company.id, lead.Id],
    )
    const old = await linkOf(String(second?.id))
    await answer(path, 'GRANTED')
    expect((await answer(old, 'DECLINED')).status).not.toBe(200)
    expect(await statusOf(lead.Id)).toBe('GRANTED')
    await as.officer.post(`/api/leads/${lead.Id}/withdraw-consent`, { reason: 'Changed my mind' })
    expect((await answer(old, 'GRANTED')).status).not.toBe(200)
    expect(await statusOf(lead.Id)).toBe('WITHDRAWN')
  })
})

describe('consent to marketing', () => {
  it('is asked in words of its own, and leaves the credit check alone', async () => {
    const { lead, path } = await asked({}, { purpose: 'MARKETING' })
    expect((await world.app.nobody.get<{ text: string }>(path)).body.data.text).toMatch(/offers/)
    expect(await statusOf(lead.Id)).toBe('NONE PROVIDED')
    expect((await answer(path, 'GRANTED')).status).toBe(200)
    expect(await statusOf(lead.Id)).toBe('NONE PROVIDED')
    await later(lead.Id)
    expect((await ask(lead.Id)).status).toBe(200)
    const { body } = await world.as.officer.get<{ consents: object[] }>(`/api/leads/${lead.Id}/consents`)
    expect(body.data.consents).toMatchObject([
      { purpose: 'CREDIT_CHECK', status: 'REQUESTED' },
      { purpose: 'MARKETING', status: 'GRANTED', textVersion: 'marketing-1' },
    ])
  })

  it('is asked once, and a no is final, for the person and not for the row', async () => {
    const { as } = world
    const { lead, path } = await asked({}, { purpose: 'MARKETING' })
    await later(lead.Id)
    expect((await ask(lead.Id, { purpose: 'MARKETING' })).body.message).toMatch(/once/)
    await answer(path, 'DECLINED')
    await later(lead.Id)
    expect((await ask(lead.Id, { purpose: 'MARKETING' })).body.message).toMatch(/final/)
    expect((await ask(lead.Id)).status).toBe(200)
    await as.manager.post('/api/leads/delete', { id: lead.Id })
    const again = await capture(as.officer, { phonenumber: lead.phonenumber, emailAddress: 'another.address@example.org' })
    expect((await ask(again.Id, { purpose: 'MARKETING' })).body.message).toMatch(/final/)
  })
})
