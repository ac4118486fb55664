import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLending, dayFrom, type Lending } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']
interface Figures {
  name: string
  [figure: string]: unknown
}
const of = (row: Figures, key: string) => Number(row[key] ?? 0)

/** Books as if the days had passed: the rows of the ledger lie where the payments' days are. */
const onTheirDays = async () => {
  for (const table of ['ledger_entry', 'loan_transaction']) await lending.rows(`update ${table} set "bookedOn" = "valueOn"`)
  await lending.rows(
    `update ledger_line l set "bookedOn" = e."bookedOn" from ledger_entry e where e."companyId" = l."companyId" and e.id = l."entryId"`,
  )
}

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
  const there = async (days: number, tenant = lending.world.team) =>
    (await lending.running(dayFrom(days), { clientId: await lending.client(tenant) })).Id
  // Late 70 days, paid once, late 10, on time; another branch has one that is late 45 days.
  const [, paidOnce] = [await there(-101), await there(-75), await there(-41), await there(-5)]
  await there(-76, lending.world.other)
  await lending.pay(paidOnce, 424, dayFrom(-44))
  await lending.pay(paidOnce, 424, dayFrom(-2))
  await onTheirDays()
})
afterAll(() => lending.world.app.close())

async function rowsOf(report: string, parameters: Record<string, unknown> = {}, who: 'admin' | 'manager' | 'foreign' = 'admin') {
  const answer = await as[who].post<{ preview: { rows: Figures[]; opens?: Record<string, string>[] } }>('/api/reports/preview', {
    report,
    parameters,
  })
  expect(answer.status, answer.text).toBe(200)
  const { rows, opens = [] } = answer.body.data.preview
  return { rows: rows.map((row) => ({ ...numbered(row), name: row.name.trim() })), opens }
}
/** Amounts come as exact text. */
const numbered = (row: Figures): Figures =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, key === 'name' ? value : Number(value)])) as Figures
const named = (rows: Figures[], name: string) => rows.find((row) => row.name === name) ?? ({} as Figures)

describe('PAR 30', () => {
  it('is the whole principal of loans more than 30 days late, rolled up the tree', async () => {
    const { rows, opens } = await rowsOf('parVarThirtyReport')
    expect(rows.map(({ name }) => name)).toEqual(['Sunrise', 'Mombasa', 'Nairobi', 'Westlands'])
    expect(named(rows, 'Westlands')).toMatchObject({ loans: 4, outstanding: 4000, par30: 1200, late: 1, par60: 1200, par90: 0, rate: 0.3 })
    expect(named(rows, 'Mombasa')).toMatchObject({ loans: 1, outstanding: 1200, par30: 1200 })
    for (const key of ['loans', 'outstanding', 'par1', 'par30', 'late', 'par60', 'par90', 'par180', 'par30Before', 'change', 'writtenOff'])
      expect([key, named(rows, 'Sunrise')[key]]).toEqual([key, of(named(rows, 'Mombasa'), key) + of(named(rows, 'Nairobi'), key)])
    for (const row of rows) expect(of(row, 'par90') <= of(row, 'par30')).toBe(true)
    // A number opens the loans it counts.
    const address = opens[rows.findIndex(({ name }) => name === 'Sunrise')]?.['late'] ?? ''
    const filter = new URL(address, 'http://x').searchParams.get('filter') ?? new URL(address, 'http://x').searchParams.get('f') ?? ''
    expect(address).toContain('/loans/accounts')
    expect(filter).not.toBe('')
    const { loans } = (await as.admin.get<{ loans: unknown[] }>(`/api/loans?filter=${encodeURIComponent(filter)}`)).body.data
    expect(loans).toHaveLength(2)
  })

  it('of a day that is over is what it was then, and stays so when money comes in', async () => {
    const before = (await rowsOf('parVarThirtyReport', { asOf: dayFrom(-20) })).rows
    // The second loan had been paid up to its first instalment then, and its second was late by some days.
    expect(named(before, 'Westlands')).toMatchObject({ loans: 3, outstanding: 1200 + 800 + 1200, par30: 1200 })
    const { Id } = await lending.running(dayFrom(-60))
    await lending.pay(Id, 100, dayFrom(-50))
    expect((await rowsOf('parVarThirtyReport', { asOf: dayFrom(-20) })).rows).toEqual(before)
    await lending.rows(`update loan set "deletedAt" = now() where id = $1`, Id)
  })

  it('by officer and by product adds up to the same', async () => {
    const whole = named((await rowsOf('parVarThirtyReport')).rows, 'Sunrise')
    for (const by of ['officer', 'product']) {
      const { rows } = await rowsOf('parVarThirtyReport', { by })
      for (const key of ['loans', 'outstanding', 'par30', 'late']) expect(rows.reduce((sum, row) => sum + of(row, key), 0)).toBe(whole[key])
    }
  })

  it('shows a branch its own, a stranger nothing, and refuses days to come', async () => {
    expect((await rowsOf('parVarThirtyReport', {}, 'manager')).rows.map(({ name }) => name)).toEqual(['Nairobi', 'Westlands'])
    expect((await rowsOf('parVarThirtyReport', {}, 'foreign')).rows).toMatchObject([{ loans: 0, outstanding: 0 }])
    expect((await as.admin.post('/api/reports/preview', { report: 'parVarThirtyReport', parameters: { asOf: dayFrom(3) } })).status).toBe(
      422,
    )
    expect((await as.officer.post('/api/reports/preview', { report: 'parVarThirtyReport', parameters: {} })).status).toBe(403)
  })
})

describe('collections', () => {
  it('opening arrears and what fell due, less what was collected and written off, are the closing arrears: at every row', async () => {
    for (const period of [
      { startDate: dayFrom(-30), endDate: dayFrom(0) },
      { startDate: dayFrom(-60), endDate: dayFrom(-31) },
      { startDate: dayFrom(-120), endDate: dayFrom(0) },
    ])
      for (const by of ['tenant', 'officer', 'product']) {
        const { rows } = await rowsOf('collectionsSummaryReport', { ...period, by })
        expect(rows.length).toBeGreaterThan(0)
        for (const row of rows) {
          const [opening = 0, due = 0, collected = 0, writtenOff = 0] = ['opening', 'due', 'collected', 'writtenOff'].map((key) =>
            of(row, key),
          )
          expect(opening + due - collected - writtenOff).toBeCloseTo(of(row, 'closing'), 6)
        }
      }
    const { rows } = await rowsOf('collectionsSummaryReport', { startDate: dayFrom(-30), endDate: dayFrom(0) })
    expect(named(rows, 'Westlands')).toMatchObject({
      collected: 424,
      demand: of(named(rows, 'Westlands'), 'opening') + of(named(rows, 'Westlands'), 'due'),
    })
    for (const key of ['opening', 'due', 'collected', 'closing', 'worse', 'better', 'cured', 'promised'])
      expect([key, named(rows, 'Sunrise')[key]]).toEqual([key, of(named(rows, 'Mombasa'), key) + of(named(rows, 'Nairobi'), key)])
  })
})

describe('tenant loans', () => {
  it('says of each branch what runs, what was paid out and what is late; its numbers open their loans', async () => {
    const { rows, opens } = await rowsOf('tenantLoansReport', { startDate: dayFrom(-45), endDate: dayFrom(0) })
    expect(named(rows, 'Westlands')).toMatchObject({
      active: 4,
      disbursed: 2,
      amount: 2400,
      principal: 4000,
      par30: 1200,
      officers: 1,
      perOfficer: 4,
    })
    for (const key of ['active', 'disbursed', 'amount', 'principal', 'interest', 'overdue', 'par30'])
      expect([key, named(rows, 'Sunrise')[key]]).toEqual([key, of(named(rows, 'Mombasa'), key) + of(named(rows, 'Nairobi'), key)])
    expect(opens[0]?.['disbursed']).toContain('/loans/accounts')
  })
})

describe('the sales agent report', () => {
  const period = { startDate: dayFrom(-45), endDate: dayFrom(0) }

  it('says what each agent paid out and collected: as many as there are rows, and what targets count', async () => {
    const { rows } = await rowsOf('salesAgentReport', period)
    const officerId = lending.world.people.officer.id
    const { firstName, lastName } = lending.world.people.officer
    const row = named(rows, `${firstName} ${lastName}`)
    const [of] = await lending.rows(
      `select (select count(*)::int from loan where "companyId" = $1 and "officerUserId" = $2 and "deletedAt" is null and "disbursedOn" between $3 and $4) as disbursed,
        (select sum("principal")::float8 from loan where "companyId" = $1 and "officerUserId" = $2 and "deletedAt" is null and "disbursedOn" between $3 and $4) as "disbursedAmount",
        (select sum(p."amount")::float8 from payment p join loan l on l.id = p."loanId" where p."companyId" = $1 and l."officerUserId" = $2 and p.status = 'Posted' and p."paidOn" between $3 and $4) as collected`,
      lending.world.company.id,
      officerId,
      period.startDate,
      period.endDate,
    )
    expect(of).toEqual({ disbursed: 2, disbursedAmount: 2400, collected: 848 })
    expect(row).toMatchObject({ ...of, leads: 0, converted: 0, conversion: 0 })
    for (const [metric, key] of [
      ['loans.disbursed', 'disbursed'],
      ['loans.disbursedAmount', 'disbursedAmount'],
      ['loans.collected', 'collected'],
    ] as const) {
      const made = await as.admin.post<{ target: { Id: string } }>('/api/targets', {
        metric,
        ownerType: 'user',
        ownerUserId: officerId,
        periodKind: 'custom',
        ...period,
        value: 10,
      })
      expect(made.status, made.text).toBe(200)
      const target = await as.admin.get<{ target: { figures: { actual: number } } }>(`/api/targets/${made.body.data.target.Id}`)
      expect([metric, target.body.data.target.figures.actual]).toEqual([metric, row[key]])
    }
  })

  it('counts what lies in the period alone, and shows a stranger none of it', async () => {
    const { rows } = await rowsOf('salesAgentReport', { startDate: dayFrom(-42), endDate: dayFrom(-41) })
    expect(rows.map((row) => [of(row, 'disbursed'), of(row, 'disbursedAmount'), of(row, 'collected')])).toContainEqual([1, 1200, 0])
    const foreign = (await rowsOf('salesAgentReport', period, 'foreign')).rows
    expect(foreign.reduce((sum, row) => sum + of(row, 'disbursed') + of(row, 'collected'), 0)).toBe(0)
  })
})

describe('targets', () => {
  it('count payouts and money that came in', async () => {
    for (const [metric, actual] of [
      ['loans.disbursed', 2],
      ['loans.disbursedAmount', 2400],
      ['loans.collected', 848],
    ] as const) {
      const [row] = await metricSum(metric)
      expect([metric, Number(row?.['sum'])]).toEqual([metric, actual])
    }
  })
  async function metricSum(name: string) {
    const { loanMetrics } = await import('../../../apps/server/src/areas/loans/loan.metrics.ts')
    const metric = loanMetrics.find((one) => one.name === name)
    const { sql } = await import('@outpost/platform/db/sql')
    const ctx = await lending.program()
    const events = metric?.events({
      companyId: ctx.company.id,
      from: new Date(Date.now() - 46 * 86_400_000),
      to: new Date(),
      timeZone: ctx.company.timeZone,
    })
    return ctx.sql.query<Record<string, unknown>>(
      sql`select coalesce(sum(x.amount), 0) as sum from (${events ?? sql`select`}) x("userId", "tenantId", at, amount, product, entity, "entityId") where x."tenantId" = ${lending.world.team.id}::uuid`,
    )
  }
})
