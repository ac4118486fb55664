import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accrue } from '../../../apps/server/src/areas/loans/settling/loan.accrue.ts'
import { runNightly } from '../../../apps/server/src/areas/loans/loan.nightly.ts'
import type { Ctx } from '../../../apps/server/src/kernel/types.ts'
import { fieldsOf } from '../world.ts'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']
let program: Ctx

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
  program = await lending.program()
})
afterAll(() => lending.world.app.close())

const entries = async () => Number((await lending.rows('select count(*)::int as count from ledger_entry'))[0]?.['count'])

describe('the night', () => {
  it('books what was earned and is due, and a second run, at once or later, books nothing', async () => {
    const { Id } = await lending.running(dayFrom(-45), {
      terms: {
        fees: [{ name: 'Service', kind: 'flat', amount: '10', due: 'perInstalment' }],
        insurance: { kind: 'percentOfPrincipal', rate: '1' },
        penalty: { kind: 'flat', amount: '50', per: 'instalment', graceDays: 3 },
      },
    })
    await Promise.all([runNightly(program), runNightly(program), runNightly(program)])
    const books = await lending.balances(Id)
    // One instalment was due: its interest of 24, its fee, a third of the premium of 12; and of the second one some days.
    expect(books).toMatchObject({
      feeReceivable: 10,
      feeIncome: -10,
      insuranceReceivable: 4,
      insurancePayable: -4,
      penaltyReceivable: 50,
      penaltyIncome: -50,
    })
    expect(books['interestReceivable']).toBeGreaterThan(24)
    expect(books['interestReceivable']).toBeLessThan(48)
    const before = await entries()
    expect((await runNightly(program)).accrued).toBe(0)
    expect([await entries(), await lending.balances(Id)]).toEqual([before, books])
    expect(await lending.read(Id)).toMatchObject({ accruedTo: dayFrom(0), penaltiesOwed: 50 })
  })

  it('charges the penalty of each month that has begun since, once, and settles no loan that none has come to', async () => {
    const { Id } = await lending.running(dayFrom(-20), { terms: { penalty: { kind: 'flat', amount: '50', per: 'month', graceDays: 3 } } })
    // Nothing else books on the loan meanwhile: as if so many days went by.
    const later = async (days: number) => {
      await lending.rows(`update loan_instalment set "dueOn" = "dueOn" - $2::int where "loanId" = $1`, Id, days)
      await lending.rows(
        `update loan set "unpaidSince" = "unpaidSince" - $2::int, "disbursedOn" = "disbursedOn" - $2::int where id = $1`,
        Id,
        days,
      )
      return { penalties: (await runNightly(program)).penalties, owed: (await lending.read(Id))['penaltiesOwed'] }
    }
    // Due eight to eleven days after today, as its month is long.
    expect(await later(10)).toEqual({ penalties: 0, owed: 0 })
    expect(await later(10)).toEqual({ penalties: 1, owed: 50 })
    expect(await later(0)).toEqual({ penalties: 0, owed: 50 })
    expect(await later(35)).toEqual({ penalties: 1, owed: 150 })
    expect(await later(0)).toEqual({ penalties: 0, owed: 150 })
  })

  it('charges no penalty beyond in duplum where the terms say so, night after night, and a settlement asks for none', async () => {
    const penalty = { kind: 'flat', amount: '400', per: 'month', graceDays: 0 } as const
    const [open, limited] = [
      await lending.running(dayFrom(-300), { terms: { penalty } }),
      await lending.running(dayFrom(-300), { terms: { penalty: { ...penalty, inDuplum: true } } }),
    ]
    await runNightly(program)
    await runNightly(program)
    expect(Number((await lending.read(open.Id))['penaltiesOwed'])).toBeGreaterThan(5_000)
    // 1,200 were unpaid when the first instalment was late; the limit was reached when the interest of the second one, 24, had fallen due.
    expect(await lending.read(limited.Id)).toMatchObject({ penaltiesOwed: 1_176, penaltyInDuplum: true })
    const { quote } = (await as.officer.get<{ quote: Record<string, string> }>(`/api/loans/${limited.Id}/settlement?on=${dayFrom(50)}`))
      .body.data
    expect(quote).toMatchObject({ principal: '1200.00', interest: '72.00', penalties: '1176.00', total: '2448.00' })
  })

  it('earns to the cent what the schedule says, day after day', async () => {
    const { Id } = await lending.running(dayFrom(-100))
    for (const day of [-90, -75, -60, -31, -7, 0]) await program.transaction((ctx) => accrue(ctx, { loanId: Id, asOf: dayFrom(day) }))
    expect(await lending.balances(Id)).toMatchObject({ interestReceivable: 72, interestIncome: -72 })
  })

  it('is asked for once, however many loans begin to run', async () => {
    await Promise.all([lending.running(dayFrom(0)), lending.running(dayFrom(0))])
    expect(await lending.rows(`select from outbox where type = 'loans.nightly' and "runAt" > now()`)).toHaveLength(1)
  })
})

describe('arrears', () => {
  it('count from the oldest unpaid instalment, in buckets that the list filters by', async () => {
    const ids: Record<string, string> = {}
    for (const [name, days] of [
      ['Current', -20],
      ['1-30', -45],
      ['31-60', -75],
    ] as const)
      ids[name] = (await lending.running(dayFrom(days))).Id
    for (const [name, id] of Object.entries(ids)) {
      expect(await lending.read(id)).toMatchObject({ bucket: name })
      const { loans } = (
        await as.admin.get<{ loans: Row[] }>(
          `/api/loans?filter=${encodeURIComponent(JSON.stringify([{ field: 'bucket', op: 'eq', value: name }]))}`,
        )
      ).body.data
      expect(loans.map(({ Id }) => Id)).toContain(id)
    }
    expect(await lending.read(ids['1-30'] ?? '')).toMatchObject({ overdue: 424 })
  })

  it('are not counted from a penalty that alone is open: the list and the report of arrears hold the same loans', async () => {
    const { Id } = await lending.running(dayFrom(-75), {
      terms: {
        penalty: { kind: 'flat', amount: '50', per: 'instalment', graceDays: 3 },
        allocation: ['interest', 'fee', 'principal', 'penalty'],
      },
    })
    // Its first instalment was due some 45 days ago and is paid; the penalty for being late with it is not.
    await lending.pay(Id, 424, dayFrom(-38))
    const [, second] = await lending.rows('select "dueOn"::text from loan_instalment where "loanId" = $1 order by number', Id)
    const paid = await lending.read(Id)
    expect([Number(paid['penaltiesOwed']) >= 50, String(paid['unpaidSince']).slice(0, 10)]).toEqual([true, second?.['dueOn']])
    expect(Number(paid['daysPastDue'])).toBeLessThan(31)
    await lending.rows(`update loan_transaction set "bookedOn" = "valueOn"`)
    const { preview } = (
      await as.admin.post<{ preview: { rows: { late: number }[] } }>('/api/reports/preview', {
        report: 'parVarThirtyReport',
        parameters: {},
      })
    ).body.data
    const late = [
      { field: 'daysPastDue', op: 'gte', value: 31 },
      { field: 'principalOwed', op: 'gte', value: 0.01 },
    ]
    const listed = await as.admin.get(`/api/loans?filter=${encodeURIComponent(JSON.stringify(late))}`)
    expect(Number(preview.rows[0]?.late)).toBe(listed.body.meta?.total)
  })
})

describe('a promise to pay', () => {
  const promised = async (loanId: string, amount: number, dueOn: string) => {
    const answer = await as.officer.post<{ paymentPromise: Row }>('/api/promises', { loanId, amount, dueOn, channel: 'Call' })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data.paymentPromise
  }
  const state = async (id: string) => (await as.admin.get<{ paymentPromise: Row }>(`/api/promises/${id}`)).body.data.paymentPromise
  /** As if it had been made some days ago. */
  const madeAgo = (id: string, days: number, dueOn: string) =>
    lending.rows(
      `update payment_promise set "dateCreated" = now() - make_interval(days => $2), "dueOn" = $3 where id = $1`,
      id,
      days,
      dueOn,
    )

  it('is kept by what was paid in time, broken with a task the same day, and decided once', async () => {
    await lending.rows(lending.world.company.id).catch(() => undefined)
    await lending.rows(
      `insert into activity_type ("companyId", id, "tenantId", name) values ($1, uuidv7(), $1, 'Collections visit') on conflict do nothing`,
      lending.world.company.id,
    )
    const [good, bad, early] = [
      (await lending.running(dayFrom(-45))).Id,
      (await lending.running(dayFrom(-45))).Id,
      (await lending.running(dayFrom(-45))).Id,
    ]
    const [kept, broken, open] = [
      await promised(good, 424, dayFrom(1)),
      await promised(bad, 424, dayFrom(1)),
      await promised(early, 424, dayFrom(5)),
    ]
    await madeAgo(kept.Id, 6, dayFrom(-3))
    await madeAgo(broken.Id, 6, dayFrom(-3))
    await lending.pay(good, 424, dayFrom(-2))
    await lending.pay(bad, 424, dayFrom(-1))
    await Promise.all([runNightly(program), runNightly(program)])
    expect(await state(kept.Id)).toMatchObject({ status: 'Kept', paid: 424, decidedOn: dayFrom(0), activityId: null })
    const late = await state(broken.Id)
    expect(late).toMatchObject({ status: 'Broken', paid: 0 })
    expect((await state(open.Id))['status']).toBe('Open')
    const tasks = await lending.rows(
      `select a.name, s."userId" from activity a join activity_assignment s on s."activityId" = a.id where a.id = $1`,
      late['activityId'],
    )
    expect(tasks).toMatchObject([{ userId: lending.world.people.officer.id }])
    await lending.pay(early, 424, dayFrom(0))
    await runNightly(program)
    expect((await state(open.Id))['status']).toBe('Kept')
    expect((await as.admin.post(`/api/promises/${late.Id}/move`, { move: 'cancel', reason: 'x' })).status).toBe(409)
  })

  it('is about a loan that is owed, by a day to come', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-45))
    const wrong = async (body: object, who: 'officer' | 'foreign' = 'officer') =>
      fieldsOf(await as[who].post('/api/promises', { loanId, amount: 10, dueOn: dayFrom(3), channel: 'Call', ...body }))
    expect(await wrong({ dueOn: dayFrom(-1) })).toEqual(['dueOn'])
    expect(await wrong({ amount: 0 })).toEqual(['amount'])
    expect(await wrong({ loanId: (await lending.loan()).Id })).toEqual(['loanId'])
    expect(await wrong({}, 'foreign')).toEqual(['loanId'])
  })
})
