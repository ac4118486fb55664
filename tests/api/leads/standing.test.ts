import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type World } from '../world.ts'
import { capture, leadAlong, read, runJobs, setColumns } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const days = (count: number) => new Date(Date.now() - count * 86_400_000)

describe('days in stage', () => {
  it('begin anew with each status, and make a lead stale after the days of its status', async () => {
    const { app, as } = world
    const lead = await capture(as.officer)
    expect(lead).toMatchObject({ daysInStage: 0, pace: null, stageAge: 'Here since today' })
    await setColumns(app, lead.Id, { statusSince: days(3.5), dateCreated: days(20) })
    expect(await read(as.officer, lead.Id)).toMatchObject({ daysInStage: 3, pace: 'STALE', stageAge: '3 days here' })
    const stale = await as.officer.get<{ leads: { Id: string }[] }>(
      `/api/leads?filter=${encodeURIComponent('[{"field":"pace","op":"eq","value":"STALE"}]')}`,
    )
    expect(stale.body.data.leads.map(({ Id }) => Id)).toEqual([lead.Id])
    await as.officer.put(`/api/leads/status/${lead.Id}`, { status: 'Contacted' })
    expect(await read(as.officer, lead.Id)).toMatchObject({ daysInStage: 0, pace: null })
    await as.officer.put(`/api/leads/${lead.Id}`, { city: 'Thika' })
    await setColumns(app, lead.Id, { statusSince: days(400), status: 'Junk' })
    expect(await read(as.officer, lead.Id)).toMatchObject({ daysInStage: 400, pace: null })
  })

  it('are logged with who, really who, how long and where', async () => {
    const { app, as, people } = world
    const lead = await capture(as.officer)
    await as.officer.put(`/api/leads/status/${lead.Id}`, { status: 'Contacted', latitude: -1.28, longitude: 36.82 })
    await app.database.admin.query(`update record_move set "realUserId" = $2, "durationSeconds" = 216000 where "objectId" = $1`, [
      lead.Id,
      people.manager.id,
    ])
    const { body } = await as.manager.get<{ statusLog: object[] }>(`/api/leads/${lead.Id}/status-log`)
    expect(body.data.statusLog).toMatchObject([
      {
        fromStatus: 'New',
        toStatus: 'Contacted',
        who: 'Chidi Officer',
        reallyWho: 'Baraka Manager',
        days: 2.5,
        place: '-1.28000, 36.82000',
      },
    ])
  })
})

describe('the board', () => {
  it('counts and sums each status under the filters of the list, in the caller’s reach', async () => {
    const { app, as } = world
    const [one, two] = [await capture(as.elsewhere, { city: 'Mombasa' }), await capture(as.elsewhere, { city: 'Mombasa' })]
    await capture(as.elsewhere, { city: 'Lamu' })
    await setColumns(app, one.Id, { installmentAmount: '1200.10', totalAffordability: 2000 })
    await setColumns(app, two.Id, { installmentAmount: '0.20', status: 'Contacted', statusSince: days(30) })
    const filter = encodeURIComponent('[{"field":"city","op":"eq","value":"Mombasa"}]')
    const board = async (query: string) =>
      (
        await as.elsewhere.get<{ summary: { value: string; count: number; sum: number; stale: number }[] }>(
          `/api/leads/board-summary${query}`,
        )
      ).body.data.summary
    const narrowed = await board(`?filter=${filter}`)
    expect(narrowed.find(({ value }) => value === 'New')).toMatchObject({ count: 1, sum: 1200.1, affordable: 2000, stale: 0 })
    expect(narrowed.find(({ value }) => value === 'Contacted')).toMatchObject({ count: 1, sum: 0.2, stale: 1 })
    expect(narrowed.find(({ value }) => value === 'Junk')).toMatchObject({ count: 0, sum: 0 })
    expect((await board('')).reduce((sum, { count }) => sum + count, 0)).toBe(3)
    expect((await as.elsewhere.get('/api/leads/board-summary?filter=[{"field":"idNumber","op":"empty"}]')).status).toBe(422)
  })
})

describe('the dashboard', () => {
  it('counts leads down the funnel by how far they ever came, with the median days of each stage', async () => {
    const { app, as } = world
    const before = await funnel()
    const [far, lost] = [await capture(as.officer), await capture(as.officer)]
    await leadAlong(app, as.officer, far.Id, ['Contacted', 'Consent requested', 'Qualified'])
    await as.officer.put(`/api/leads/status/${lost.Id}`, { status: 'Contacted' })
    await as.officer.put(`/api/leads/status/${lost.Id}`, { status: 'Unqualified', reason: 'Too young' })
    await app.database.admin.query(
      `update record_move set "durationSeconds" = 172800 where "objectId" = any($1) and "from" = 'Contacted'`,
      [[far.Id, lost.Id]],
    )
    const after = await funnel()
    const more = (stage: string) => (after.get(stage)?.reached ?? 0) - (before.get(stage)?.reached ?? 0)
    expect([more('New'), more('Contacted'), more('Consent requested'), more('Qualified'), more('Onboarding')]).toEqual([2, 2, 1, 1, 0])
    expect(after.get('Contacted')?.medianDays).toBe(2)
    expect(after.get('New')?.percent).toBe(100)
  })

  it('groups by source, officer, branch and week so that the parts sum to the whole', async () => {
    await world.as.officer.post('/api/leads/assignlead', { leadId: (await capture(world.as.officer)).Id, userId: world.people.officer.id })
    const { body } = await world.as.admin.get<Record<string, { leads: number }[]> & { total: number }>('/api/leads/figures')
    for (const part of ['bySource', 'byOfficer', 'byBranch', 'byWeek']) {
      expect(
        body.data[part]?.reduce((sum, { leads }) => sum + leads, 0),
        part,
      ).toBe(body.data.total)
    }
    expect(body.data['byOfficer']).toContainEqual(
      expect.objectContaining({ officer: 'Chidi Officer', assignedUserId: world.people.officer.id }),
    )
    // A branch is the topmost one with all below it: its number and the list it opens are one.
    const [branch] = body.data['byBranch'] as unknown as { branch: string; tenantId: string; leads: number }[]
    expect(branch).toMatchObject({ branch: 'Nairobi' })
    const filter = encodeURIComponent(JSON.stringify([{ field: 'tenantId', op: 'eq', value: branch?.tenantId }]))
    expect((await world.as.admin.get(`/api/leads?size=1&filter=${filter}`)).body.meta?.total).toBe(branch?.leads)
  })

  const funnel = async () => {
    const { body } = await world.as.manager.get<{
      funnel: { stage: string; reached: number; percent: number; medianDays: number | null }[]
    }>('/api/leads/figures')
    return new Map(body.data.funnel.map((row) => [row.stage, row]))
  }
})

describe('consent', () => {
  const consents = async (id: string) =>
    (await world.as.officer.get<{ consents: Record<string, unknown>[]; requests: object }>(`/api/leads/${id}/consents`)).body.data

  it('shows each request with its evidence and when the next one may be sent', async () => {
    const lead = await capture(world.as.officer, { emailAddress: 'consent.one@example.org' })
    expect(await consents(lead.Id)).toMatchObject({ consents: [], requests: { total: 0, today: 0, maxPerDay: 5, retryAfterSeconds: 0 } })
    await world.as.officer.post('/api/leads/resend-consent-request', { leadId: lead.Id })
    const {
      consents: [one],
      requests,
    } = await consents(lead.Id)
    expect(one).toMatchObject({ status: 'REQUESTED', channel: 'E-MAIL', who: 'Chidi Officer', textVersion: 'credit-check-1' })
    expect(one?.['textHash']).toMatch(/^[0-9a-f]{64}$/)
    expect(requests).toMatchObject({
      total: 1,
      today: 1,
      note: expect.stringMatching(/^Asked once, 1 of 5 today; the next one may be sent in \d+ seconds\.$/),
    })
  })

  it('ends by itself when nobody answers in time, and not a moment before', async () => {
    const { app, as, company } = world
    const lead = await capture(as.officer, { emailAddress: 'consent.two@example.org' })
    await as.officer.post('/api/leads/resend-consent-request', { leadId: lead.Id })
    const {
      rows: [entry],
    } = await app.database.admin.query(
      `select o."runAt" = c."expiresAt" as "isThen" from outbox o join lead_consent c on c.id = (o.payload->>'consentId')::uuid where o.type = 'leads.expireConsent' and c."leadId" = $1`,
      [lead.Id],
    )
    expect(entry).toEqual({ isThen: true })
    await runJobs(app, company.id, 'leads.expireConsent')
    expect((await read(as.officer, lead.Id))['consentStatus']).toBe('REQUESTED')
    await app.database.admin.query(
      `update lead_consent set "expiresAt" = now() - interval '1 minute', "requestedAt" = now() - interval '8 days' where "leadId" = $1`,
      [lead.Id],
    )
    await app.database.admin.query(`update outbox set status = 'new' where type = 'leads.expireConsent'`)
    await runJobs(app, company.id, 'leads.expireConsent')
    expect((await read(as.officer, lead.Id))['consentStatus']).toBe('EXPIRED')
    expect((await consents(lead.Id)).consents[0]).toMatchObject({ status: 'EXPIRED' })
    expect((await as.officer.post('/api/leads/resend-consent-request', { leadId: lead.Id })).status).toBe(200)
  })

  it('is withdrawn only when it was granted, and with a reason', async () => {
    const { app, as } = world
    const lead = await capture(as.officer, { emailAddress: 'consent.three@example.org' })
    const withdraw = (body: object) => as.officer.post(`/api/leads/${lead.Id}/withdraw-consent`, body)
    expect((await withdraw({ reason: 'Changed my mind' })).body.code).toBe('ILLEGAL_TRANSITION')
    await as.officer.post('/api/leads/resend-consent-request', { leadId: lead.Id })
    await app.database.admin.query(`update lead_consent set status = 'GRANTED', "answeredAt" = now() where "leadId" = $1`, [lead.Id])
    await setColumns(app, lead.Id, { consentStatus: 'GRANTED' })
    expect((await withdraw({ reason: ' ' })).body.fields?.[0]?.field).toBe('reason')
    expect((await withdraw({ reason: 'Changed my mind' })).status).toBe(200)
    expect((await read(as.officer, lead.Id))['consentStatus']).toBe('WITHDRAWN')
    expect((await consents(lead.Id)).consents[0]).toMatchObject({ status: 'WITHDRAWN', reason: 'Changed my mind' })
    const { body } = await as.officer.get<{ timeline: { what: string }[] }>(`/api/leads/${lead.Id}/timeline`)
    expect(body.data.timeline.map(({ what }) => what)).toEqual(expect.arrayContaining(['Consent withdrawn', 'Consent granted', 'Captured']))
  })
})

it('what belongs to a lead is nobody’s who may not see the lead', async () => {
  const lead = await capture(world.as.officer)
  for (const call of ['status-log', 'assignments', 'consents', 'duplicates', 'merges', 'timeline']) {
    for (const who of [world.as.elsewhere, world.as.foreign]) {
      const { status, body } = await who.get(`/api/leads/${lead.Id}/${call}`)
      expect([call, status, body.message]).toEqual([call, 404, 'lead not found'])
    }
  }
})
