import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../../support/app.ts'
import { makeWorld, type World } from '../world.ts'
import { capture, leadAlong, read, runJobs, setColumns } from './world.ts'

let world: World
let credit: SignedInClient
let maker: SignedInClient
beforeAll(async () => {
  world = await makeWorld()
  const { app, branch, team } = world
  credit = await app.as(await app.make.user({ tenant: branch, role: 'credit', firstName: 'Faraja', lastName: 'Credit' }))
  // Somebody who may decide, and captures leads too.
  maker = await app.as(await app.make.user({ tenant: team, role: 'credit', firstName: 'Gloria', lastName: 'Maker' }))
})
afterAll(() => world.app.close())

const inputs = { basicPay: 60_000, grossPay: 80_000, netPay: 52_000, rate: 2, ratePeriod: 'month', termMonths: 24 }
const assess = (by: SignedInClient, id: string, over: object = {}) =>
  by.post(`/api/leads/${id}/affordability`, { calculator: 'cs-affordability', inputs: { ...inputs, ...over } })
const move = (by: SignedInClient, id: string, status: string, reason?: string) =>
  by.put(`/api/leads/status/${id}`, { status, ...(reason ? { reason } : {}) })
const onboarded = async (by: SignedInClient, over: object = {}) => {
  const lead = await capture(by, over)
  await leadAlong(world.app, by, lead.Id, ['Contacted', 'Consent requested', 'Qualified', 'Onboarding'])
  return lead
}
const submitted = async (by: SignedInClient) => {
  const lead = await onboarded(by)
  expect((await assess(by, lead.Id)).status).toBe(200)
  expect((await move(by, lead.Id, 'Submitted')).status).toBe(200)
  return lead
}

describe('a decision on credit', () => {
  it('asks for the permission of credit, on the way up and down', async () => {
    const lead = await submitted(world.as.officer)
    for (const [status, reason] of [
      ['Approved', undefined],
      ['Declined by credit', 'Too young'],
    ] as const) {
      const { status: code, body } = await move(world.as.officer, lead.Id, status, reason)
      expect([status, code, body.code]).toEqual([status, 403, 'FORBIDDEN'])
    }
    expect((await move(credit, lead.Id, 'Approved')).status).toBe(200)
  })

  it('is another person’s than the one who made it ready', async () => {
    const { as, people, app } = world
    for (const make of [
      async () => submitted(maker),
      // Captured and sent in by another one, but assessed by the one who decides.
      async () => {
        const lead = await onboarded(as.officer)
        await assess(maker, lead.Id)
        await move(as.officer, lead.Id, 'Submitted')
        return lead
      },
      async () => {
        const lead = await onboarded(as.officer)
        await assess(as.officer, lead.Id)
        await move(maker, lead.Id, 'Submitted')
        return lead
      },
    ]) {
      const lead = await make()
      const { status, body } = await move(maker, lead.Id, 'Approved')
      expect([status, body.message]).toEqual([403, expect.stringMatching(/another person/i)])
      expect((await move(credit, lead.Id, 'Approved')).status).toBe(200)
    }
    const held = await submitted(as.officer)
    await setColumns(app, held.Id, { assignedUserId: people.manager.id })
    expect((await move(as.manager, held.Id, 'Approved')).status).toBe(403)
  })

  it('does not come with a whole record that is sent back either', async () => {
    const lead = await submitted(world.as.officer)
    const { status, body } = await world.as.officer.put<{ lead: { status: string } }>(`/api/leads/${lead.Id}`, {
      ...(await read(world.as.officer, lead.Id)),
      status: 'Approved',
    })
    expect([status, body.data.lead.status]).toEqual([200, 'Submitted'])
    expect((await read(world.as.officer, lead.Id)).status).toBe('Submitted')
  })

  it('on a referral is not the assessor’s', async () => {
    const lead = await onboarded(maker)
    await assess(maker, lead.Id)
    await setColumns(world.app, lead.Id, { affordabilityOutcome: 'REFER' })
    const approve = (by: SignedInClient) => by.post(`/api/leads/${lead.Id}/approve-referral`, { reason: 'Known for years' })
    expect((await approve(maker)).status).toBe(403)
    expect((await approve(credit)).status).toBe(200)
  })
})

describe('moves look at what is true now', () => {
  it.each(['WITHDRAWN', 'DECLINED', 'EXPIRED'])('Submitted, Approved and a client need consent, and it is %s', async (consentStatus) => {
    const { as, app } = world
    const lead = await onboarded(as.officer)
    await assess(as.officer, lead.Id)
    await setColumns(app, lead.Id, { consentStatus })
    for (const [status, after] of [
      ['Onboarding', 'Submitted'],
      ['Submitted', 'Approved'],
    ] as const) {
      await setColumns(app, lead.Id, { status })
      const { body } = await move(credit, lead.Id, after)
      expect([after, body.code, body.message]).toEqual([after, 'ILLEGAL_TRANSITION', expect.stringMatching(/consent/)])
    }
    await setColumns(app, lead.Id, { status: 'Approved' })
    expect((await as.officer.post(`/api/leads/${lead.Id}/convert`)).body.code).toBe('ILLEGAL_TRANSITION')
  })

  it('Approved needs the last assessment, not the one before', async () => {
    const lead = await submitted(world.as.officer)
    await assess(world.as.officer, lead.Id, { netPay: 15_000 })
    expect((await read(world.as.officer, lead.Id))['affordabilityOutcome']).toBe('FAIL')
    expect((await move(credit, lead.Id, 'Approved')).body.code).toBe('ILLEGAL_TRANSITION')
  })

  it('an assessment holds for the days of the company, then it is EXPIRED', async () => {
    const { as, app, company } = world
    const lead = await onboarded(as.officer)
    await assess(as.officer, lead.Id)
    await setColumns(app, lead.Id, { affordabilityDate: new Date(Date.now() - 31 * 86_400_000) })
    expect((await as.admin.put(`/api/tenants/${company.id}`, { assessmentDays: 30 })).status).toBe(200)
    expect((await move(as.officer, lead.Id, 'Submitted')).body.message).toMatch(/older than 30 days/)
    await app.database.admin.query(
      `update outbox set status = 'new', "runAt" = now() where type = 'leads.expireAssessment' and payload->>'leadId' = $1`,
      [lead.Id],
    )
    await runJobs(app, company.id, 'leads.expireAssessment')
    expect((await read(as.officer, lead.Id))['affordabilityOutcome']).toBe('EXPIRED')
    expect((await as.admin.put(`/api/tenants/${company.id}`, { assessmentDays: 90 })).status).toBe(200)
  })

  it.each([
    ['employer', 'Another county'],
    ['type', 'SME'],
  ])('an assessment ends when %s changes', async (key, value) => {
    const lead = await onboarded(world.as.officer, { employer: 'County', type: 'Civil servant' })
    await assess(world.as.officer, lead.Id)
    await world.as.officer.put(`/api/leads/${lead.Id}`, { city: 'Thika' })
    expect((await read(world.as.officer, lead.Id))['affordabilityOutcome']).toBe('PASS')
    await world.as.officer.put(`/api/leads/${lead.Id}`, { [key]: value })
    expect((await read(world.as.officer, lead.Id))['affordabilityOutcome']).toBe('EXPIRED')
    expect((await move(world.as.officer, lead.Id, 'Submitted')).body.code).toBe('ILLEGAL_TRANSITION')
  })
})

describe('Converted', () => {
  it('by status makes the client, and by a device is refused', async () => {
    const { as, app } = world
    const lead = await submitted(as.officer)
    await move(credit, lead.Id, 'Approved')
    expect((await move(as.officer, lead.Id, 'Converted')).status).toBe(200)
    expect((await read(as.officer, lead.Id))['clientId']).not.toBeNull()
    const { rowCount } = await app.database.admin.query('select 1 from client where "leadId" = $1', [lead.Id])
    expect(rowCount).toBe(1)
  })

  it('without a client, as it was possible before, can still be made one', async () => {
    const { as, app } = world
    const lead = await onboarded(as.officer)
    await setColumns(app, lead.Id, { status: 'Converted' })
    expect((await as.officer.post(`/api/leads/${lead.Id}/convert`)).status).toBe(200)
    expect((await as.officer.post(`/api/leads/${lead.Id}/convert`)).body.code).toBe('ALREADY_EXISTS')
  })

  it('stays as long as its client lives', async () => {
    const { as } = world
    const lead = await submitted(as.officer)
    await move(credit, lead.Id, 'Approved')
    await as.officer.post(`/api/leads/${lead.Id}/convert`)
    const { status, body } = await as.manager.post('/api/leads/delete', { id: lead.Id })
    expect([status, body.code]).toEqual([409, 'STILL_IN_USE'])
    expect((await read(as.officer, lead.Id)).status).toBe('Converted')
  })
})
