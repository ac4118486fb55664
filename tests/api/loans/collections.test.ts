import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf } from '../world.ts'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']
type Who = keyof Lending['world']['as']

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())

const worklist = async (who: Who = 'officer') => (await as[who].get<{ collections: Row[] }>('/api/collections')).body.data.collections
const step = (over: object, who: Who = 'admin') => as[who].post<{ dunningStep: Row }>('/api/dunning-steps', over)

describe('the worklist', () => {
  it('shows officers their own late loans with what is next, until it is done or promised', async () => {
    const { Id: late } = await lending.running(dayFrom(-45))
    await lending.running(dayFrom(-5))
    const theirs = await lending.client(lending.world.team, { assignedUserId: lending.world.people.manager.id })
    const { Id: notMine } = await lending.running(dayFrom(-80), { clientId: theirs })
    expect((await worklist()).map(({ Id }) => Id)).toEqual([late])
    expect((await worklist('manager')).map(({ Id }) => Id)).toEqual([notMine, late])
    for (const who of ['foreign', 'elsewhere'] as const) expect(await worklist(who)).toEqual([])
    expect((await worklist())[0]).toMatchObject({ nextAction: null, overdue: 424 })

    expect((await step({ fromDay: 1, action: 'Call', instruction: 'Ask for the reason' })).status).toBe(200)
    expect((await step({ fromDay: 30, action: 'Visit' })).status).toBe(200)
    expect((await step({ fromDay: 30, action: 'Letter' })).status).toBe(409)
    expect(fieldsOf(await step({ fromDay: 0, action: 'Call' }))).toEqual(['fromDay'])
    expect((await step({ fromDay: 5, action: 'Call' }, 'manager')).status).toBe(403)
    expect((await worklist())[0]).toMatchObject({ nextAction: 'Call', instruction: 'Ask for the reason' })
    expect((await worklist('manager'))[0]).toMatchObject({ nextAction: 'Visit' })

    const done = (id: string, over: object, who: Who = 'officer') =>
      as[who].post(`/api/collections/${id}/contact`, { action: 'Call', outcome: 'No answer', ...over })
    expect(fieldsOf(await done(late, { outcome: 'Perhaps' }))).toEqual(['outcome'])
    expect((await done(notMine, {})).status).toBe(404)
    expect((await done(late, {}, 'foreign')).status).toBe(404)
    expect((await done(late, { note: 'Rang twice' })).status).toBe(200)
    expect((await worklist())[0]).toMatchObject({ nextAction: null, lastOutcome: 'No answer' })
    const contacts = (await as.officer.get<{ loanContacts: Row[] }>('/api/loan-contacts')).body.data.loanContacts
    expect(contacts).toMatchObject([
      { loanId: late, action: 'Call', note: 'Rang twice', daysPastDue: (await worklist())[0]?.['daysPastDue'] },
    ])

    expect((await as.manager.post('/api/promises', { loanId: notMine, amount: 500, dueOn: dayFrom(3), channel: 'Call' })).status).toBe(200)
    expect((await worklist('manager'))[0]).toMatchObject({ nextAction: null, promised: 500, promisedOn: dayFrom(3) })
    await lending.pay(late, 424, dayFrom(0))
    expect(await worklist()).toEqual([])
  })

  it('sends a message to the client who is late, which counts as done and is logged', async () => {
    const { Id } = await lending.running(dayFrom(-45), { clientId: await lending.client(lending.world.team, { emailAddress: null }) })
    const send = (over: object, who: Who = 'officer') =>
      as[who].post<{ loanContact: Row }>(`/api/collections/${Id}/message`, { channel: 'sms', text: 'Please pay 424 today.', ...over })
    expect(fieldsOf(await send({ channel: 'mail' }))).toEqual(['channel'])
    expect(fieldsOf(await send({ text: ' ' }))).toEqual(['text'])
    expect((await send({}, 'foreign')).status).toBe(404)
    const sent = await send({})
    expect(sent.status, sent.text).toBe(200)
    expect(sent.body.data.loanContact).toMatchObject({ action: 'Message', outcome: 'Sent', note: 'Please pay 424 today.' })
    const filter = encodeURIComponent(JSON.stringify([{ field: 'kind', op: 'in', value: ['reminder'] }]))
    const { clientMessages } = (await as.officer.get<{ clientMessages: Row[] }>(`/api/client-messages?filter=${filter}`)).body.data
    expect(clientMessages).toMatchObject([
      { channel: 'sms', status: 'Waiting', subject: expect.stringContaining('your loan L-') as string },
    ])
    await lending.pay(Id, 424, dayFrom(0))
  })

  it('plans a visit of whoever works the list', async () => {
    const { Id } = await lending.running(dayFrom(-50))
    const startDate = `${dayFrom(2)}T07:00:00.000Z`
    const visit = (id: string, who: Who = 'officer') => as[who].post<{ activityId: string }>(`/api/collections/${id}/visit`, { startDate })
    // A branch without a kind of activity says so.
    expect(fieldsOf(await visit(Id))).toEqual(['startDate'])
    const { company } = lending.world
    await lending.world.app.make.row('activity_type', {
      companyId: company.id,
      id: crypto.randomUUID(),
      tenantId: company.id,
      name: 'Collection visit',
      status: 1,
    })
    const made = await visit(Id)
    expect(made.status, made.text).toBe(200)
    const rows = await lending.rows(
      `select a."name", c."clientId" from activity a join activity_client c on c."activityId" = a.id where a.id = $1`,
      made.body.data.activityId,
    )
    expect(rows).toMatchObject([{ name: expect.stringMatching(/^Visit about loan L-/) }])
    expect((await visit(Id, 'foreign')).status).toBe(404)
  })
})

describe('promises that are due', () => {
  it('are counted on Home: open ones, by today, in reach, as many as the list behind the number holds', async () => {
    const { Id } = await lending.running(dayFrom(-45))
    const { Id: away } = await lending.running(dayFrom(-45), { clientId: await lending.client(lending.world.other) })
    const made = async (loanId: string, dueOn: string, status = 'Open') => {
      const answer = await as.admin.post<{ paymentPromise: Row }>('/api/promises', {
        loanId,
        amount: 50,
        dueOn: dayFrom(4),
        channel: 'Call',
      })
      expect(answer.status, answer.text).toBe(200)
      await lending.rows(
        `update payment_promise set "dueOn" = $2, status = $3 where id = $1`,
        answer.body.data.paymentPromise.Id,
        dueOn,
        status,
      )
      return answer.body.data.paymentPromise.Id
    }
    const tile = async (who: Who) => {
      const { tiles } = (await as[who].get<{ tiles: Record<string, { value: number; open: string }> }>('/api/home/figures')).body.data
      const { value, open } = tiles['promises-due'] ?? expect.fail('no tile')
      const filter = new URL(open, 'http://x').searchParams.get('filter') ?? ''
      const { paymentPromises } = (await as[who].get<{ paymentPromises: Row[] }>(`/api/promises?filter=${encodeURIComponent(filter)}`)).body
        .data
      expect(paymentPromises).toHaveLength(value)
      return { value, open, ids: paymentPromises.map((one) => one.Id) }
    }
    const before = { admin: await tile('admin'), manager: await tile('manager') }
    const today = await made(Id, dayFrom(0))
    await made(Id, dayFrom(-2), 'Kept')
    const late = await made(Id, dayFrom(-2))
    await made(Id, dayFrom(1))
    const theirs = await made(away, dayFrom(-1))
    const after = { admin: await tile('admin'), manager: await tile('manager') }
    expect(after.admin.open).toMatch(/^\/loans\/promises\?/)
    expect([after.admin.value - before.admin.value, after.manager.value - before.manager.value]).toEqual([3, 2])
    expect(after.admin.ids).toEqual(expect.arrayContaining([today, late, theirs]))
    expect(after.manager.ids).not.toContain(theirs)
    expect((await tile('foreign')).value).toBe(0)
  })
})

describe('steps of a product', () => {
  it('take the place of the general ones for its loans', async () => {
    const { Id } = await lending.running(dayFrom(-45))
    const { company } = lending.world
    const [category, product, version] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    const { row } = lending.world.app.make
    await row('product_category', { companyId: company.id, id: category, name: 'Farms' })
    await row('product', { companyId: company.id, id: product, categoryId: category, code: 'FARM', name: 'Farm loan' })
    await row('product_version', {
      companyId: company.id,
      id: version,
      productId: product,
      number: 1,
      effectiveFrom: dayFrom(-400),
      minAmount: 1,
      maxAmount: 9_999,
      minInstalments: 1,
      maxInstalments: 12,
      annualRate: 24,
      creditType: 'unsecured',
      method: 'flat',
    })
    await lending.rows(`update loan set "productVersionId" = $1 where id = $2`, version, Id)
    expect((await step({ productId: product, fromDay: 5, action: 'Hand over' })).status).toBe(200)
    expect((await worklist()).find((one) => one.Id === Id)).toMatchObject({ nextAction: 'Hand over' })
    expect((await step({ productId: crypto.randomUUID(), fromDay: 6, action: 'Call' })).status).toBe(422)
  })
})

describe('roll rates', () => {
  it('say where the principal of each bucket went; each row adds up to all of it', async () => {
    await lending.rows(`update loan_transaction set "bookedOn" = "valueOn"`)
    const answer = await as.admin.post<{ preview: { rows: Record<string, string>[] } }>('/api/reports/preview', {
      report: 'rollRatesReport',
      parameters: { startDate: dayFrom(-20), endDate: dayFrom(0) },
    })
    expect(answer.status, answer.text).toBe(200)
    const { rows } = answer.body.data.preview
    expect(rows.map(({ name }) => name)).toEqual(['Current', '1-30', '31-60', '61-90', '91-180', '181+', 'All'])
    const fates = ['to0', 'to1', 'to2', 'to3', 'to4', 'to5', 'paidOff', 'gone']
    for (const row of rows.filter(({ loans }) => Number(loans) > 0))
      expect(fates.reduce((sum, key) => sum + Number(row[key]), 0)).toBeCloseTo(1, 4)
    const [current] = rows
    expect(Number(current?.['loans'])).toBeGreaterThan(0)
    expect(Number(current?.['worse'])).toBeGreaterThan(0)
    expect((await as.officer.post('/api/reports/preview', { report: 'rollRatesReport', parameters: {} })).status).toBe(403)
  })
})
