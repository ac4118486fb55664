import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf } from '../world.ts'
import { runJobs } from '../leads/world.ts'
import { makeComplaintWorld, minutesBetween, settled, type ComplaintWorld } from './world.ts'

let world: ComplaintWorld
beforeAll(async () => {
  world = await makeComplaintWorld()
})
afterAll(() => world.app.close())

const day = 1_440
const reply = (id: string, body: object = {}) =>
  world.as.manager.post<{ message: { Id: string } }>(`/api/complaints/${id}/replies`, { way: 'phone', text: 'We look into it.', ...body })
const timeline = async (id: string) =>
  (await world.as.manager.get<{ timeline: { what: string; detail: string | null }[] }>(`/api/complaints/${id}/timeline`)).body.data.timeline

describe('taking a complaint', () => {
  it('numbers it, files it where it is taken and begins its clocks by severity', async () => {
    const [first, second] = [await world.take(), await world.take({ severity: 'Critical' })]
    expect(first).toMatchObject({
      complaintNumber: 'K-00001',
      status: 'Open',
      tenantId: world.branch.id,
      ownerUserId: world.people.manager.id,
    })
    expect(second.complaintNumber).toBe('K-00002')
    const minutes = [first, second].map(({ receivedAt, firstResponseDueAt, resolutionDueAt, regulatorDueAt }) =>
      [firstResponseDueAt, resolutionDueAt, regulatorDueAt].map((due) => minutesBetween(receivedAt, due)),
    )
    expect(minutes).toEqual([
      [480, 5 * day, 42 * day],
      [120, 1.25 * day, 42 * day],
    ])
    const times = { complaintFirstResponseHours: 4, complaintResolutionDays: 10 }
    expect((await world.as.admin.put(`/api/settings/${world.branch.id}`, times)).status).toBe(200)
    const third = await world.take()
    expect([minutesBetween(third.receivedAt, third.firstResponseDueAt), minutesBetween(third.receivedAt, third.resolutionDueAt)]).toEqual([
      240,
      10 * day,
    ])
    await world.as.admin.put(`/api/settings/${world.branch.id}`, { complaintFirstResponseHours: null, complaintResolutionDays: null })
    // A heavier one has less time, counted from when it came in.
    const raised = await world.as.manager.put<{ complaint: typeof first }>(`/api/complaints/${first.Id}`, { severity: 'High' })
    expect(minutesBetween(first.receivedAt, raised.body.data.complaint.resolutionDueAt)).toBe(2.5 * day)
  })

  it.each([
    [['complainantName'], { complainantName: null }],
    [['category'], { category: 'Weather' }],
    [['receivedAt'], { receivedAt: new Date(Date.now() + 86_400_000).toISOString() }],
    [['receivedAt'], { receivedAt: '2019-01-01T00:00:00Z' }],
    [['subject'], { subject: ' ' }],
    [['clientId'], { clientId: '01935e00-0000-7000-8000-000000000001' }],
  ])('names the wrong field %j', async (fields, over) => {
    const good = { subject: 'A', category: 'Other', channel: 'Phone', severity: 'Low', complainantName: 'B' }
    const answer = await world.as.manager.post('/api/complaints', { ...good, ...over })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, fields])
  })

  it('acknowledges the client by mail where an address is known, which is no reply', async () => {
    const client = await world.app.make.client({
      tenant: world.branch,
      firstName: 'Neema',
      lastName: 'Wafula',
      emailAddress: 'neema@mail.test',
    })
    const { Id, complaintNumber } = await world.take({ clientId: client.id, complainantName: null })
    expect(await runJobs(world.app, world.company.id, 'clientMessages.send')).toBe(1)
    const [letter] = await world.app.machine.mail.written()
    const text = Buffer.from((await world.app.machine.mail.read(letter?.file ?? '')) ?? '').toString()
    expect(text).toContain('neema@mail.test')
    expect(text).toContain(complaintNumber)
    expect((await world.read(Id)).firstResponseAt).toBeNull()
    const { messages } = (await world.as.manager.get<{ messages: object[] }>(`/api/complaints/${Id}/messages`)).body.data
    expect(messages).toMatchObject([{ kind: 'acknowledgement', way: 'mail', sentTo: 'neema@mail.test', state: 'Sent' }])
    const onClient = JSON.stringify([{ field: 'clientId', op: 'eq', value: client.id }])
    expect((await world.as.manager.get(`/api/complaints?filter=${encodeURIComponent(onClient)}`)).body.meta?.total).toBe(1)
  })
})

describe('the two clocks', () => {
  it('only a reply to the client stops the first one', async () => {
    const { Id } = await world.take()
    await world.move(Id, 'start')
    await world.as.manager.post(`/api/complaints/${Id}/comments`, { text: 'Looked at the statement' })
    await world.as.manager.post(`/api/complaints/${Id}/letters`, { kind: 'acknowledgement', way: 'post' })
    await world.move(Id, 'waitForClient', { reason: 'Asked for the receipt' })
    await world.as.manager.put(`/api/complaints/${Id}`, { severity: 'High' })
    expect((await world.read(Id)).firstResponseAt).toBeNull()
    expect(fieldsOf(await reply(Id, { way: 'mail' }))).toEqual(['way'])
    expect((await reply(Id)).status).toBe(200)
    const first = (await world.read(Id)).firstResponseAt
    expect(first).not.toBeNull()
    await reply(Id)
    expect((await world.read(Id)).firstResponseAt).toBe(first)
    expect((await reply(Id, { text: '' })).status).toBe(422)
  })

  it('the second pauses while we wait for the client and between a resolution and its return; others do not stop it', async () => {
    const { Id, receivedAt } = await world.take()
    const due = async () => {
      const now = await world.read(Id)
      return minutesBetween(now.receivedAt, now.resolutionDueAt)
    }
    await world.move(Id, 'waitForOthers', { reason: 'The bank looks for it' })
    await world.age(Id, 60)
    expect(await due()).toBe(5 * day)
    await world.move(Id, 'waitForClient', { reason: 'Asked for the receipt' })
    await world.age(Id, 600)
    await world.move(Id, 'start')
    expect(await due()).toBe(5 * day + 600)
    await world.move(Id, 'resolve', settled)
    await world.age(Id, 300)
    await world.move(Id, 'reopen', { reason: 'It is still missing' })
    expect(await due()).toBe(5 * day + 900)
    const { rows } = await world.app.database.admin.query<{ reason: string; minutes: string }>(
      `select reason, round(extract(epoch from "endedAt" - "startedAt") / 60)::text as minutes from complaint_pause where "complaintId" = $1 order by "startedAt"`,
      [Id],
    )
    expect(rows).toEqual([
      { reason: 'Waiting client', minutes: '600' },
      { reason: 'Resolved', minutes: '300' },
    ])
    expect(receivedAt).not.toBe((await world.read(Id)).receivedAt)
  })

  it('escalate up the ladder at 50, 80 and 100 %, once each', async () => {
    const leader = await world.app.make.user({ tenant: world.team, role: 'leader' })
    const officer = 'officer' as const
    const { Id, complaintNumber } = await world.take({ severity: 'Medium' }, officer)
    const since = async (userId: string) => (await world.told(userId)).filter((text) => text.includes(complaintNumber))
    await world.as.officer.post(`/api/complaints/${Id}/replies`, { way: 'phone', text: 'We look into it.' })
    await world.runClocks()
    expect(await since(leader.id)).toEqual([])
    await world.age(Id, 2.6 * day)
    for (let again = 0; again < 3; again += 1) await world.runClocks()
    expect(await since(leader.id)).toEqual([`Complaint ${complaintNumber}: 50 % of the time to settle it is used`])
    expect(await since(world.people.manager.id)).toEqual([])
    await world.age(Id, 1.5 * day)
    await world.runClocks()
    expect(await since(world.people.manager.id)).toEqual([`Complaint ${complaintNumber}: 80 % of the time to settle it is used`])
    expect(await since(world.people.admin.id)).toEqual([])
    await world.age(Id, day)
    await Promise.all([world.runClocks(), world.runClocks()])
    await world.runClocks()
    expect(await since(world.people.admin.id)).toEqual([`Complaint ${complaintNumber}: the time to settle it is over`])
    expect(await since(world.people.officer.id)).toHaveLength(3)
    expect((await world.read(Id, officer))['isOverdue']).toBe(true)
    expect((await timeline(Id)).filter(({ what }) => what === 'Escalated').map(({ detail }) => detail)).toEqual(
      expect.arrayContaining(['to be settled 50 %', 'to be settled 80 %', 'to be settled 100 %']),
    )
  })

  it('writes to the client after three weeks, once, and counts six weeks to the ombud whatever pauses', async () => {
    const { Id, complaintNumber } = await world.take({ complainantEmail: 'juma@mail.test' })
    await world.move(Id, 'waitForClient', { reason: 'Asked for the receipt' })
    await world.age(Id, 36 * day)
    await world.runClocks()
    await world.runClocks()
    const { messages } = (await world.as.manager.get<{ messages: { kind: string }[] }>(`/api/complaints/${Id}/messages`)).body.data
    expect(messages.map(({ kind }) => kind)).toEqual(['status', 'acknowledgement'])
    expect(await world.read(Id)).toMatchObject({ isNearOmbud: true, isOverdue: false })
    const own = (await world.told(world.people.manager.id)).filter((text) => text.includes(complaintNumber))
    expect(own).toContain(`Complaint ${complaintNumber}: 80 % of the time until the client may go to the ombud is used`)
    expect(own.filter((text) => text.includes('settle'))).toEqual([])
  })
})

describe('the clock of the regulator', () => {
  const times = (body: object) => world.as.admin.put(`/api/settings/${world.company.id}`, body)
  const text = async (Id: string) =>
    (await world.as.manager.get<{ messages: { kind: string; text: string }[] }>(`/api/complaints/${Id}/messages`)).body.data.messages
      .map((message) => message.text)
      .join('\n')
  const days = (one: { receivedAt: string; regulatorDueAt: string }) =>
    Math.round((Date.parse(one.regulatorDueAt) - Date.parse(one.receivedAt)) / 86_400_000)

  it('goes by the time of the company, six weeks where it has none; open complaints and letters follow', async () => {
    const before = await world.take({ complainantEmail: 'first@mail.test' })
    expect(days(before)).toBe(42)
    expect(await text(before.Id)).toContain('six weeks after we received it')
    expect(fieldsOf((await times({ complaintRegulatorDays: 6 })) as never)).toEqual(['complaintRegulatorDays'])
    expect((await world.as.admin.put(`/api/settings/${world.branch.id}`, { complaintRegulatorDays: 30 })).status).not.toBe(200)
    expect((await times({ complaintRegulatorDays: 28, complaintStatusLetterDays: 10 })).status).toBe(200)
    const after = await world.take({ complainantEmail: 'second@mail.test' })
    expect(days(after)).toBe(28)
    expect(await text(after.Id)).toContain('four weeks after we received it')
    // It never stops: the one that waits for its client follows too.
    await world.move(before.Id, 'waitForClient', { reason: 'Asked for the receipt' })
    await world.age(before.Id, 11 * day)
    await world.runClocks()
    expect(days(await world.read(before.Id))).toBe(28)
    expect((await text(before.Id)).split('The state of your complaint')).toHaveLength(2)
    expect(await text(after.Id)).not.toContain('The state of your complaint')
    const unmailed = await world.take()
    await world.move(unmailed.Id, 'assign', { ownerUserId: world.people.manager.id })
    await world.age(unmailed.Id, 12 * day)
    await world.runClocks()
    expect((await times({ complaintRegulatorDays: null, complaintStatusLetterDays: null })).status).toBe(200)
  })

  it('is said with the ombud where the country has one, else with the regulator alone', async () => {
    for (const [country, bodies] of [
      ['ZA', 'the ombud or the regulator'],
      ['KE', 'the regulator'],
    ] as const) {
      const company = await world.app.make.company({ name: `Lender in ${country}`, country })
      const admin = await world.app.as(await world.app.make.user({ company, role: 'admin' }))
      const { body } = await admin.post<{ complaint: { Id: string } }>('/api/complaints', {
        subject: 'Payment not on the statement',
        category: 'Repayment not posted',
        channel: 'Phone',
        severity: 'Medium',
        complainantName: 'Neema Wafula',
        complainantEmail: 'neema@mail.test',
      })
      const path = `/api/complaints/${body.data.complaint.Id}/messages`
      const { messages } = (await admin.get<{ messages: { text: string }[] }>(path)).body.data
      expect([country, messages.map((message) => message.text)]).toEqual([
        country,
        [expect.stringMatching(new RegExp(`you may take it to ${bodies}\\.`))],
      ])
    }
  })
})

describe('settling', () => {
  it('asks for outcome, cause and what was decided, informs the client before it closes, and opens again', async () => {
    const { Id } = await world.take()
    expect(fieldsOf((await world.move(Id, 'resolve', {})) as never)).toEqual(['outcome', 'resolution', 'rootCause'])
    expect((await world.move(Id, 'resolve', { ...settled, redressAmount: -1 })).status).toBe(422)
    expect((await world.move(Id, 'close')).body.code).toBe('ILLEGAL_TRANSITION')
    expect((await world.move(Id, 'resolve', settled)).status).toBe(200)
    expect(await world.read(Id)).toMatchObject({ status: 'Resolved', outcome: 'Upheld', rootCause: 'System', redressAmount: 250.5 })
    expect((await world.move(Id, 'close')).status).not.toBe(200)
    await reply(Id, { text: 'The payment is posted, and you get 250.50 back.' })
    expect((await world.move(Id, 'close')).status).toBe(200)
    expect((await world.move(Id, 'reopen', { reason: 'Not posted after all' })).status).toBe(200)
    expect(await world.read(Id)).toMatchObject({ status: 'Reopened', resolvedAt: null, closedAt: null })
    expect((await timeline(Id)).map(({ what }) => what)).toEqual(
      expect.arrayContaining(['Closed → Reopened', 'Reply to the client', 'Taken down']),
    )
  })

  it('one of five who press at once settles it', async () => {
    const { Id } = await world.take()
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.move(Id, 'resolve', settled)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('is for whom may edit clients, in the own company; what was read may be sent back', async () => {
    const { Id } = await world.take()
    const path = `/api/complaints/${Id}`
    const read = await world.read(Id)
    expect((await world.as.manager.put(path, read)).status).toBe(200)
    expect((await world.as.foreign.get(path)).status).toBe(404)
    expect((await world.as.foreign.put(path, { subject: 'x' })).status).toBe(404)
    expect((await world.move(Id, 'start', {}, 'foreign')).status).toBe(404)
    expect((await world.as.elsewhere.get(path)).status).toBe(404)
    const reader = await world.app.as(
      await world.app.make.user({
        company: world.company,
        role: await world.app.make.role({ company: world.company, name: 'Reader', permissions: ['CLIENTS'] }),
      }),
    )
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.post('/api/complaints', {})).status).toBe(403)
    expect((await reader.post(`${path}/replies`, { way: 'phone', text: 'x' })).status).toBe(403)
    expect((await world.as.admin.post('/api/complaints/delete', { id: Id })).status).toBe(404)
  })

  it('prints both letters', async () => {
    const { Id } = await world.take()
    for (const letter of ['acknowledgement', 'status-letter']) {
      const answer = await world.as.manager.get(`/api/complaints/${Id}/${letter}`)
      expect([answer.status, answer.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    }
  })
})

describe('the dashboard', () => {
  it('finds what piles up, and its numbers open as many complaints', async () => {
    for (let index = 0; index < 3; index += 1) await world.take({ product: 'Boda loan' })
    interface Figures {
      received: number
      unsettled: number
      startDate: string
      endDate: string
      byProduct: { product: string; complaints: number; trend: string }[]
      byBranch: { tenantId: string; complaints: number }[]
    }
    const figures = (await world.as.admin.get<Figures>('/api/complaints/figures')).body.data
    expect(figures.byProduct).toMatchObject([{ product: 'Boda loan', complaints: 3, usual: 0, trend: 'Spike' }])
    const counted = async (filter: object[], days = `&dateType=received&startDate=${figures.startDate}&endDate=${figures.endDate}`) =>
      (await world.as.admin.get(`/api/complaints?filter=${encodeURIComponent(JSON.stringify(filter))}${days}`)).body.meta?.total
    expect(await counted([])).toBe(figures.received)
    expect(await counted([{ field: 'isUnsettled', op: 'eq', value: true }], '')).toBe(figures.unsettled)
    for (const { tenantId, complaints } of figures.byBranch)
      expect(await counted([{ field: 'tenantId', op: 'eq', value: tenantId }])).toBe(complaints)
  })
})
