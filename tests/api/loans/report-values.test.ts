import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LoanTerms } from '@outpost/rules/lending/terms'
import { runNightly } from '../../../apps/server/src/areas/loans/loan.nightly.ts'
import { snapshotJob } from '../../../apps/server/src/areas/loans/snapshots/snapshot.job.ts'
import type { Ctx } from '../../../apps/server/src/kernel/types.ts'
import { publishProduct } from '../products/fixture.ts'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']
let program: Ctx

/** Instalments of 400 and 2 % interest (24) every 28 days: the figures of a day do not depend on the calendar. */
const terms: Partial<LoanTerms> = { annualRate: '26', every: { unit: 'week', count: 4 } }
/** The same with a fee of 10 an instalment, and 50 once for each that is more than three days late. */
const costly: Partial<LoanTerms> = {
  ...terms,
  fees: [{ name: 'Service', kind: 'flat', amount: '10', due: 'perInstalment' }],
  penalty: { kind: 'flat', amount: '50', per: 'instalment', graceDays: 3 },
}
const loans: Record<'late' | 'partly' | 'changed' | 'away' | 'gone' | 'sold', string> = {} as never

async function running(days: number, tenant: 'team' | 'other', over: Partial<LoanTerms>): Promise<string> {
  const clientId = await lending.client(lending.world[tenant])
  return (await lending.running(dayFrom(-days), { clientId, terms: over })).Id
}
const done = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer
  expect(status, text).toBe(200)
}

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
  program = await lending.program()
  // Westlands: due 72, 44 and 16 days ago, nothing paid; due 30 and 2 days ago, the first one paid on its day; not due yet.
  loans.late = await running(100, 'team', costly)
  loans.partly = await running(58, 'team', costly)
  await lending.pay(loans.partly, 434, dayFrom(-30))
  loans.changed = await running(20, 'team', terms)
  // Mombasa: due 32 and 4 days ago; due as the first one, written off today; not due yet.
  loans.away = await running(60, 'other', terms)
  loans.gone = await running(100, 'other', terms)
  loans.sold = await running(10, 'other', terms)
  await runNightly(program)

  const change = await as.manager.post<{ loanChange: Row }>('/api/loan-changes', {
    loanId: loans.changed,
    kind: 'restructure',
    instalments: 6,
    reason: 'The harvest failed',
  })
  expect(change.status, change.text).toBe(200)
  await done(as.admin.post(`/api/loan-changes/${change.body.data.loanChange.Id}/move`, { move: 'approve' }))
  await done(as.admin.post(`/api/loans/${loans.gone}/move`, { move: 'writeOff', reason: 'Gone abroad' }))
  await lending.pay(loans.gone, 100, dayFrom(0))
  const sale = await as.admin.post<{ securitySale: Row }>('/api/security-sales', {
    loanId: loans.sold,
    description: 'A motorbike',
    soldOn: dayFrom(0),
    price: 250,
    costs: 50,
    channel: 'cash',
  })
  expect(sale.status, sale.text).toBe(200)
  // A second person of the whole company: the branch manager does not see Mombasa.
  const second = await lending.world.app.as(
    await lending.world.app.make.user({ company: lending.world.company, role: 'admin', firstName: 'Third' }),
  )
  await done(second.post(`/api/security-sales/${sale.body.data.securitySale.Id}/move`, { move: 'book' }))

  for (const status of ['Kept', 'Broken', 'Open']) {
    const loanId = status === 'Open' ? loans.late : loans.away
    const made = await as.admin.post<{ paymentPromise: Row }>('/api/promises', { loanId, amount: 100, dueOn: dayFrom(2), channel: 'Call' })
    expect(made.status, made.text).toBe(200)
    const decidedOn = status === 'Open' ? null : dayFrom(0)
    await lending.rows(
      `update payment_promise set status = $2, "decidedOn" = $3 where id = $1`,
      made.body.data.paymentPromise.Id,
      status,
      decidedOn,
    )
  }
  for (const [action, outcome] of [
    ['Call', 'Reached'],
    ['Call', 'No answer'],
    ['Message', 'Sent'],
  ])
    await done(as.admin.post(`/api/collections/${loans.late}/contact`, { action, outcome }))
  await applications()
  // Books as if the days had passed: each entry lies on its day.
  for (const table of ['ledger_entry', 'loan_transaction']) await lending.rows(`update ${table} set "bookedOn" = "valueOn"`)
})
afterAll(() => lending.world.app.close())

/** Sent in and approved in the period, sent in before it (both in Westlands), sent in and declined in the period (Mombasa). */
async function applications(): Promise<void> {
  const productId = await publishProduct(as.admin, 'VALUES')
  const [version] = await lending.rows('select id from product_version where "productId" = $1', productId)
  const { world } = lending
  for (const [place, [tenant, status, days]] of (
    [
      [world.team, 'Approved', 5],
      [world.team, 'Submitted', 45],
      [world.other, 'Declined', 6],
    ] as const
  ).entries())
    await world.app.make.row('loan_application', {
      companyId: world.company.id,
      id: randomUUID(),
      tenantId: tenant.id,
      number: place + 1,
      clientId: await lending.client(tenant),
      productId,
      productVersionId: version?.['id'],
      amount: 1000,
      instalments: 3,
      status,
      instalment: 350,
      paidOut: 1000,
      totalPaid: 1050,
      totalCost: 50,
      quote: {},
      quotedAt: `${dayFrom(-days)}T09:00:00Z`,
      submittedAt: `${dayFrom(-days)}T09:00:00Z`,
      decidedAt: status === 'Submitted' ? null : `${dayFrom(1 - days)}T09:00:00Z`,
      createdByUserId: world.people.officer.id,
      ownerUserId: status === 'Approved' ? world.people.admin.id : null,
    })
}

interface Preview {
  title: string
  definition: string
  filters: { label: string; value: string }[]
  columns: { key: string }[]
  rows: Record<string, unknown>[]
  opens?: Record<string, string>[]
}
async function preview(report: string, parameters: object = {}, who: 'admin' | 'manager' = 'admin'): Promise<Preview> {
  const answer = await as[who].post<{ preview: Preview }>('/api/reports/preview', { report, parameters })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.preview
}
/** The figures of each row by its name, numbers as numbers. */
function figuresOf({ rows }: Preview): Record<string, Record<string, number>> {
  return Object.fromEntries(
    rows.map(({ name, ...row }) => [
      String(name).trim(),
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number(value)])),
    ]),
  )
}
const period = () => ({ startDate: dayFrom(-30), endDate: dayFrom(0) })

describe('portfolio at risk', () => {
  const westlands = {
    loans: 3,
    outstanding: 3200,
    par1: 2000,
    par30: 1200,
    rate: 0.375,
    late: 1,
    par60: 1200,
    par90: 0,
    par180: 0,
    par30Before: 1200,
    rateBefore: 0.6,
    change: 0,
    points: -0.225,
    writtenOff: 0,
    restructured: 1200,
  }
  const mombasa = {
    loans: 2,
    outstanding: 2224,
    par1: 1200,
    par30: 1200,
    rate: 0.539568,
    late: 1,
    par60: 0,
    par90: 0,
    par180: 0,
    par30Before: 1200,
    rateBefore: 0.5,
    change: 0,
    points: 0.039568,
    writtenOff: 1200,
    restructured: 0,
  }
  const sunrise = {
    loans: 5,
    outstanding: 5424,
    par1: 3200,
    par30: 2400,
    rate: 0.442478,
    late: 2,
    par60: 1200,
    par90: 0,
    par180: 0,
    par30Before: 2400,
    rateBefore: 0.545455,
    change: 0,
    points: -0.102977,
    writtenOff: 1200,
    restructured: 1200,
  }

  it('has every column at every branch, and the same in all by officer and by product', async () => {
    expect(figuresOf(await preview('parVarThirtyReport'))).toEqual({
      Sunrise: sunrise,
      Mombasa: mombasa,
      Nairobi: westlands,
      Westlands: westlands,
    })
    expect(figuresOf(await preview('parVarThirtyReport', { by: 'officer' }))).toEqual({ 'Chidi Officer': sunrise })
    expect(figuresOf(await preview('parVarThirtyReport', { by: 'product' }))).toEqual({ '–': sunrise })
  })

  it('is the same from snapshots, which hold what each loan owed at the end of its month', async () => {
    const [now, then] = [await preview('parVarThirtyReport'), await preview('parVarThirtyReport', { asOf: dayFrom(-40) })]
    await snapshotJob.run(program, {}, { id: randomUUID(), attempt: 1, signal: new AbortController().signal })
    expect([await preview('parVarThirtyReport'), await preview('parVarThirtyReport', { asOf: dayFrom(-40) })]).toEqual([now, then])
    const days = (await lending.rows('select day::text from loan_snapshot_day where "takenAt" is not null order by 1')).map(({ day }) =>
      String(day),
    )
    const monthEnd = days.filter((day) => day >= dayFrom(-100) && day < dayFrom(0))
    expect(monthEnd.length).toBeGreaterThanOrEqual(2)
    for (const day of monthEnd) {
      const rows = await lending.rows(
        `select "loanId", principal::float8, paid::float8, gone, "oldestOn"::text, "oldestSum"::float8, "nextOn"::text, "nextSum"::float8
         from loan_snapshot where day = $1 and "loanId" = any($2)`,
        day,
        [loans.late, loans.partly],
      )
      const isPaid = day >= dayFrom(-30)
      const late = {
        loanId: loans.late,
        principal: 1200,
        paid: 0,
        gone: false,
        oldestOn: dayFrom(-72),
        oldestSum: 434,
        nextOn: dayFrom(-44),
        nextSum: 868,
      }
      const partly = isPaid
        ? {
            loanId: loans.partly,
            principal: 800,
            paid: 434,
            gone: false,
            oldestOn: dayFrom(-2),
            oldestSum: 868,
            nextOn: dayFrom(26),
            nextSum: 1302,
          }
        : {
            loanId: loans.partly,
            principal: 1200,
            paid: 0,
            gone: false,
            oldestOn: dayFrom(-30),
            oldestSum: 434,
            nextOn: dayFrom(-2),
            nextSum: 868,
          }
      const expected = [late, ...(day >= dayFrom(-58) ? [partly] : [])]
      expect([day, rows.toSorted((a, b) => String(a['loanId']).localeCompare(String(b['loanId'])))]).toEqual([
        day,
        expected.toSorted((a, b) => a.loanId.localeCompare(b.loanId)),
      ])
    }
  })
})

describe('collections', () => {
  const westlands = {
    opening: 868,
    due: 1302,
    demand: 2170,
    collected: 434,
    advance: 0,
    efficiency: 0.2,
    writtenOff: 0,
    closing: 1736,
    recovered: 0,
    sold: 0,
    promised: 1,
    kept: 0,
    broken: 0,
    keptRate: 0,
    contacts: 2,
    contactRate: 0.5,
    worse: 2,
    better: 0,
    cured: 0,
  }
  const mombasa = {
    opening: 1272,
    due: 848,
    demand: 2120,
    collected: 0,
    advance: 200,
    efficiency: 0,
    writtenOff: 1272,
    closing: 848,
    recovered: 100,
    sold: 200,
    promised: 2,
    kept: 1,
    broken: 1,
    keptRate: 0.5,
    contacts: 0,
    contactRate: 0,
    worse: 1,
    better: 0,
    cured: 0,
  }
  const sunrise = {
    opening: 2140,
    due: 2150,
    demand: 4290,
    collected: 434,
    advance: 200,
    efficiency: 0.101166,
    writtenOff: 1272,
    closing: 2584,
    recovered: 100,
    sold: 200,
    promised: 3,
    kept: 1,
    broken: 1,
    keptRate: 0.5,
    contacts: 2,
    contactRate: 0.5,
    worse: 3,
    better: 0,
    cured: 0,
  }

  it('has every column at every branch, and the same in all by officer and by product', async () => {
    expect(figuresOf(await preview('collectionsSummaryReport', period()))).toEqual({
      Sunrise: sunrise,
      Mombasa: mombasa,
      Nairobi: westlands,
      Westlands: westlands,
    })
    for (const by of ['officer', 'product'])
      expect([by, Object.values(figuresOf(await preview('collectionsSummaryReport', { ...period(), by })))]).toEqual([by, [sunrise]])
  })
})

describe('tenant loans', () => {
  it('has every column at every branch', async () => {
    const westlands = {
      clients: 3,
      active: 3,
      applications: 1,
      approved: 1,
      disbursed: 1,
      amount: 1200,
      principal: 3200,
      interest: 281.14,
      fees: 50,
      penalties: 150,
      overdue: 1886,
      par1: 2000,
      par30: 1200,
      par90: 0,
      writtenOff: 0,
      average: 1200,
      officers: 1,
      perOfficer: 3,
    }
    expect(figuresOf(await preview('tenantLoansReport', period()))).toEqual({
      Sunrise: {
        clients: 5,
        active: 5,
        applications: 2,
        approved: 1,
        disbursed: 2,
        amount: 2400,
        principal: 5424,
        interest: 401.14,
        fees: 50,
        penalties: 150,
        overdue: 2734,
        par1: 3200,
        par30: 2400,
        par90: 0,
        writtenOff: 1272,
        average: 1200,
        officers: 1,
        perOfficer: 5,
      },
      Mombasa: {
        clients: 2,
        active: 2,
        applications: 1,
        approved: 0,
        disbursed: 1,
        amount: 1200,
        principal: 2224,
        interest: 120,
        fees: 0,
        penalties: 0,
        overdue: 848,
        par1: 1200,
        par30: 1200,
        par90: 0,
        writtenOff: 1272,
        average: 1200,
        officers: 1,
        perOfficer: 2,
      },
      Nairobi: westlands,
      Westlands: westlands,
    })
  })

  it('has the balances of the last day of a period that is over, whatever happened since', async () => {
    // One of the two loans of each branch is 22 days late, of its first instalment; nothing was paid or written off yet.
    const mombasa = {
      clients: 2,
      active: 2,
      applications: 0,
      approved: 0,
      disbursed: 2,
      amount: 2400,
      principal: 2400,
      interest: 144,
      fees: 0,
      penalties: 0,
      overdue: 424,
      par1: 1200,
      par30: 0,
      par90: 0,
      writtenOff: 0,
      average: 1200,
      officers: 1,
      perOfficer: 2,
    }
    const westlands = { ...mombasa, fees: 60, penalties: 50, overdue: 484 }
    const shown = await preview('tenantLoansReport', { startDate: dayFrom(-110), endDate: dayFrom(-50) })
    expect(figuresOf(shown)).toEqual({
      Sunrise: {
        ...mombasa,
        ...Object.fromEntries(
          (['clients', 'active', 'disbursed', 'amount', 'principal', 'interest', 'fees', 'penalties', 'overdue', 'par1'] as const).map(
            (key) => [key, mombasa[key] + westlands[key]],
          ),
        ),
        perOfficer: 4,
      },
      Mombasa: mombasa,
      Nairobi: westlands,
      Westlands: westlands,
    })
    expect(Object.keys(shown.opens?.[0] ?? {})).toEqual(['disbursed'])
  })
})

describe('what is printed with them', () => {
  it('says the definition and the filters, has a value in every column, and opens the loans that a number counts', async () => {
    for (const [report, parameters, filters, words] of [
      ['parVarThirtyReport', {}, ['As of', 'Compared with', 'Rows'], 'more than x days past due'],
      ['collectionsSummaryReport', period(), ['From', 'To', 'Rows'], 'Opening arrears + due - collected - written off = closing arrears'],
      ['tenantLoansReport', period(), ['From', 'To', 'Rows'], 'A branch counts with all below it'],
    ] as const) {
      const shown = await preview(report, parameters)
      expect([report, shown.filters.map(({ label }) => label)]).toEqual([report, filters])
      expect(shown.filters.every(({ value }) => value !== '')).toBe(true)
      expect(shown.definition).toContain(words)
      expect([report, shown.rows.length]).toEqual([report, 4])
      for (const row of shown.rows)
        for (const { key } of shown.columns) expect([report, key, row[key] === null]).toEqual([report, key, false])
    }
    const { rows, opens = [] } = await preview('tenantLoansReport', period())
    const counted: string[] = []
    for (const [place, row] of rows.entries())
      for (const key of ['active', 'disbursed']) {
        const asked = new URL(opens[place]?.[key] ?? '', 'http://x').searchParams
        const filter = asked.get('filter') ?? asked.get('f') ?? ''
        const { loans: found } = (await as.admin.get<{ loans: Row[] }>(`/api/loans?filter=${encodeURIComponent(filter)}`)).body.data
        counted.push(`${String(row['name']).trim()} ${key} ${Number(row[key]) - found.length}`)
      }
    expect(counted.filter((line) => !line.endsWith(' 0'))).toEqual([])
    expect(counted).toHaveLength(8)
  })
})

describe('rows by officer and by product', () => {
  const added = {
    parVarThirtyReport: [
      'loans',
      'outstanding',
      'par1',
      'par30',
      'late',
      'par60',
      'par90',
      'par180',
      'par30Before',
      'writtenOff',
      'restructured',
    ],
    collectionsSummaryReport: [
      'opening',
      'due',
      'collected',
      'advance',
      'writtenOff',
      'closing',
      'recovered',
      'sold',
      'promised',
      'kept',
      'broken',
      'contacts',
    ],
    tenantLoansReport: [
      ...['active', 'applications', 'approved', 'disbursed', 'amount', 'principal', 'interest', 'fees', 'penalties'],
      ...['overdue', 'par1', 'par30', 'par90', 'writtenOff'],
    ],
  }
  // Two officers with loans in both branches, a third with an application alone; two products and loans of none.
  beforeAll(async () => {
    const { manager } = lending.world.people
    await lending.rows(`update loan set "officerUserId" = $1, "productName" = 'Boda' where id = any($2::uuid[])`, manager.id, [
      loans.away,
      loans.gone,
      loans.partly,
    ])
    await lending.rows(`update loan set "productName" = 'Kilimo' where id = $1`, loans.late)
  })

  it('add up to all that is in the reader’s reach, at every figure that is a sum, and hold nothing from beyond it', async () => {
    for (const [who, root] of [
      ['admin', 'Sunrise'],
      ['manager', 'Nairobi'],
    ] as const)
      for (const [report, keys] of Object.entries(added)) {
        const parameters = report === 'parVarThirtyReport' ? {} : period()
        const whole = figuresOf(await preview(report, parameters, who))[root] ?? {}
        for (const by of ['officer', 'product']) {
          const rows = Object.values(figuresOf(await preview(report, { ...parameters, by }, who)))
          const sums = keys.map((key) => [key, Number(rows.reduce((sum, row) => sum + (row[key] ?? NaN), 0).toFixed(2))])
          expect([who, report, by, Object.fromEntries(sums)]).toEqual([
            who,
            report,
            by,
            Object.fromEntries(keys.map((key) => [key, whole[key]])),
          ])
        }
      }
  })

  it('of the tenant loans report say whose they are: officers with an application alone too, and no officer count of an officer', async () => {
    const officers = await preview('tenantLoansReport', { ...period(), by: 'officer' })
    expect(officers.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['–', 'Chidi Officer']))
    expect(officers.columns.map(({ key }) => key)).not.toContain('officers')
    expect(figuresOf(officers)).toMatchObject({ 'Chidi Officer': { active: 3, clients: 3 } })
    const products = figuresOf(await preview('tenantLoansReport', { ...period(), by: 'product' }))
    expect(products).toMatchObject({
      Boda: { active: 2, principal: 2000, officers: 1, perOfficer: 2, writtenOff: 1272 },
      Kilimo: { active: 1, officers: 1 },
      '–': { active: 2 },
    })
    for (const row of [...Object.values(products), ...Object.values(figuresOf(officers))]) {
      const { par90 = 0, par30 = 0, par1 = 0, principal = 0 } = row
      expect([par90 <= par30, par30 <= par1, par1 <= principal]).toEqual([true, true, true])
    }
    // A number opens the loans that it counts.
    for (const [place, row] of officers.rows.entries()) {
      if (Number(row['active']) === 0) continue
      const asked = new URL(officers.opens?.[place]?.['active'] ?? '', 'http://x').searchParams
      const filter = asked.get('filter') ?? asked.get('f') ?? ''
      const { loans: found } = (await as.admin.get<{ loans: Row[] }>(`/api/loans?filter=${encodeURIComponent(filter)}`)).body.data
      expect([row['name'], found.length]).toEqual([row['name'], Number(row['active'])])
    }
  })

  it('hold at a day that is over, before and after a snapshot', async () => {
    const past = { startDate: dayFrom(-110), endDate: dayFrom(-50) }
    const whole = figuresOf(await preview('tenantLoansReport', past))['Sunrise'] ?? {}
    for (const by of ['officer', 'product']) {
      const rows = Object.values(figuresOf(await preview('tenantLoansReport', { ...past, by })))
      for (const key of added.tenantLoansReport)
        expect([by, key, Number(rows.reduce((sum, row) => sum + (row[key] ?? NaN), 0).toFixed(2))]).toEqual([by, key, whole[key]])
    }
  })
})
