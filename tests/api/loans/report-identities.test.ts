import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending } from './lending.ts'

let lending: Lending
let world: Lending['world']
type Row = Record<string, unknown> & { name: string }
const days = [-200, -12, -9, -8, -5, -4, 0]
const of = (row: Row | undefined, key: string) => Number(row?.[key] ?? 0)

/** Puts what was booked of a loan on the day it belongs to: payouts on their value day, a write-off on the one given. */
async function bookedOn(id: string, writtenOff: number) {
  for (const table of ['ledger_entry', 'loan_transaction'])
    await lending.rows(
      `update ${table} set "bookedOn" = case when kind = 'writeOff' then $2::date else "valueOn" end where "loanId" = $1`,
      id,
      dayFrom(writtenOff),
    )
  await lending.rows(
    `update ledger_line l set "bookedOn" = e."bookedOn" from ledger_entry e where e."companyId" = l."companyId" and e.id = l."entryId" and l."loanId" = $1`,
    id,
  )
  await lending.rows(`update loan set "writtenOffOn" = $2 where id = $1 and "writtenOffOn" is not null`, id, dayFrom(writtenOff))
}

interface Way {
  /** Days from today on which it goes to Mombasa, is written off, and comes back. */
  moved?: number
  gone: number
  back?: number
  /** The office learns of the write-off before the transfer. */
  goneFirst?: boolean
}

/** A loan of an officer of its own, so that nothing else keeps a row of the report there. */
async function walk({ moved, gone, back, goneFirst = false }: Way): Promise<void> {
  const { make } = world.app
  const [from, to] = [
    await make.user({ tenant: world.team, role: 'officer', firstName: 'From', lastName: `${gone}/${moved}/${back}` }),
    await make.user({ tenant: world.other, role: 'officer', firstName: 'To', lastName: `${gone}/${moved}/${back}` }),
  ]
  const { Id } = await lending.running(dayFrom(-100))
  expect((await world.as.admin.put(`/api/loans/${Id}`, { officerUserId: from.id })).status).toBe(200)
  await lending.rows(`update record_transfer set "transferredOn" = $2 where "objectId" = $1`, Id, dayFrom(-100))
  const writeOff = async () =>
    expect((await world.as.admin.post(`/api/loans/${Id}/move`, { move: 'writeOff', reason: 'Gone' })).status).toBe(200)
  const go = async (day: number, tenantId: string, officerUserId: string) => {
    const { text, body } = await world.as.admin.post<{ results: { isDone: boolean }[] }>('/api/loans/transfer', {
      ids: [Id],
      tenantId,
      officerUserId,
      reason: 'Moved house',
    })
    expect(body.data?.results[0]?.isDone, text).toBe(true)
    await lending.rows(
      `update record_transfer set "transferredOn" = $2 where id = (select id from record_transfer where "objectId" = $1 order by "dateCreated" desc, id desc limit 1)`,
      Id,
      dayFrom(day),
    )
  }
  if (goneFirst) await writeOff()
  if (moved !== undefined) await go(moved, world.other.id, to.id)
  if (!goneFirst) await writeOff()
  if (back !== undefined) await go(back, world.team.id, from.id)
  await bookedOn(Id, gone)
}

const report = async (name: string, parameters: object, who: 'admin' | 'manager' = 'admin') => {
  const { status, text, body } = await world.as[who].post<{ preview: { rows: Row[] } }>('/api/reports/preview', {
    report: name,
    parameters,
  })
  expect(status, text).toBe(200)
  return body.data.preview.rows.map((row) => ({ ...row, name: row.name.trim() }))
}
const summed = (rows: Row[], key: string) => rows.reduce((sum, row) => sum + of(row, key), 0)

beforeAll(async () => {
  lending = await makeLending()
  world = lending.world
  for (const way of [
    { gone: -8 },
    { moved: -10, gone: -8 },
    { moved: -5, gone: -8, goneFirst: true },
    { moved: -8, gone: -8 },
    { moved: -10, gone: -8, back: -5 },
    { moved: -9, gone: -4, back: -4 },
  ])
    await walk(way)
})
afterAll(() => world.app.close())

describe('groupings of one report add up to the same, whatever was moved and written off since', () => {
  const keys = {
    parVarThirtyReport: ['loans', 'outstanding', 'par1', 'par30', 'late', 'par60', 'par90', 'par30Before', 'writtenOff', 'restructured'],
    tenantLoansReport: ['active', 'disbursed', 'amount', 'principal', 'interest', 'fees', 'penalties', 'overdue', 'par30', 'writtenOff'],
    collectionsSummaryReport: ['opening', 'due', 'collected', 'writtenOff', 'closing', 'recovered', 'sold', 'promised', 'contacts'],
  }
  const pairs = days.flatMap((from) => days.filter((to) => to > from).map((to) => [from, to] as const))
  const parametersOf = (name: string, [from, to]: readonly [number, number]) =>
    name === 'parVarThirtyReport' ? { before: dayFrom(from), asOf: dayFrom(to) } : { startDate: dayFrom(from), endDate: dayFrom(to) }

  it.each(Object.entries(keys))('%s', async (name, figures) => {
    for (const pair of pairs)
      for (const who of ['admin', 'manager'] as const) {
        const asked = (by: string) => report(name, { ...parametersOf(name, pair), by }, who)
        const [tree, officers, products] = [await asked('tenant'), await asked('officer'), await asked('product')]
        const whole = tree.find((row) => row.name === (who === 'admin' ? 'Sunrise' : 'Nairobi'))
        for (const key of figures) {
          const said = [name, who, ...pair, key]
          expect([...said, summed(officers, key), summed(products, key)]).toEqual([...said, of(whole, key), of(whole, key)])
          if (who === 'admin')
            expect([
              ...said,
              summed(
                tree.filter((row) => ['Mombasa', 'Nairobi'].includes(row.name)),
                key,
              ),
            ]).toEqual([...said, of(whole, key)])
        }
      }
  })

  it('a write-off counts once, for the officer and branch of its day, in both reports', async () => {
    const par = (by: string, who?: 'manager') => report('parVarThirtyReport', { before: dayFrom(-12), asOf: dayFrom(0), by }, who)
    const tenants = (by: string, who?: 'manager') => report('tenantLoansReport', { startDate: dayFrom(-11), endDate: dayFrom(0), by }, who)
    const places = {
      'From -8/undefined/undefined': 1,
      'To -8/-10/undefined': 1,
      'To -8/-10/-5': 1,
      'From -8/-5/undefined': 1,
      'To -8/-8/undefined': 1,
      'From -4/-9/-4': 1,
    }
    for (const [rows, each] of [
      [await par('officer'), 1200],
      [await tenants('officer'), 1200],
    ] as const)
      expect(
        Object.fromEntries(rows.filter((row) => of(row, 'writtenOff') > 0).map((row) => [row.name, of(row, 'writtenOff') / each])),
      ).toEqual(places)
    // The manager reached three of them on their day; one of those has left since.
    for (const [rows, all] of [
      [await par('tenant', 'manager'), 3 * 1200],
      [await tenants('tenant', 'manager'), 3 * 1200],
    ] as const)
      expect(
        of(
          rows.find((row) => row.name === 'Nairobi'),
          'writtenOff',
        ),
      ).toBe(all)
  })
})
