import { randomUUID } from 'node:crypto'
import { sql } from '@outpost/platform/db/sql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loansAsOf, loansOwing } from '../../../apps/server/src/areas/loans/loan.figures.ts'
import { loansOwed } from '../../../apps/server/src/areas/loans/loan.owed.ts'
import { snapshotJob } from '../../../apps/server/src/areas/loans/snapshots/snapshot.job.ts'
import type { Ctx } from '../../../apps/server/src/kernel/types.ts'
import { seededRandom } from '../../support/draws.ts'
import { dayFrom, makeLending, type Lending } from './lending.ts'

let lending: Lending
let program: Ctx
let loans: string[]
const oldest = 170

beforeAll(async () => {
  lending = await makeLending()
  program = await lending.program()
  loans = []
  for (let n = 0; n < 8; n += 1) {
    const tenant = n % 2 === 0 ? lending.world.team : lending.world.other
    const { Id } = await lending.running(dayFrom(n * 9 - oldest), {
      principal: String(1_200 + n),
      clientId: await lending.client(tenant),
      terms: { instalments: 6 },
    })
    loans.push(Id)
  }
  await lending.rows(`update loan_transaction set "bookedOn" = "valueOn"`)
})
afterAll(() => lending.world.app.close())

const takeSnapshots = () => snapshotJob.run(program, {}, { id: crypto.randomUUID(), attempt: 1, signal: new AbortController().signal })
const stale = async () => Number((await lending.rows('select count(*)::int as count from loan_snapshot_stale'))[0]?.['count'])
const taken = async () => Number((await lending.rows('select count(*)::int as count from loan_snapshot'))[0]?.['count'])

const told = sql`"tenantId", "officerUserId", "productName", principal::text, gone, dpd`
/** Loans that owe on a day: summed from the first transaction on, and as reports read them. */
const plainly = (day: string) =>
  program.sql.query(sql`select ${told} from (${loansAsOf(program, day)}) a where principal > 0 order by principal, dpd, "tenantId"`)
async function reported(asOf: string, before: string) {
  const { ctes, rows } = loansOwing(program, { asOf, before })
  const found = await program.sql.query<{ now: boolean }>(
    sql`with ${ctes} select now, ${told} from (${rows}) r order by now, principal, dpd, "tenantId"`,
  )
  const of = (wanted: boolean) => found.filter(({ now }) => now === wanted).map(({ now: _, ...row }) => row)
  return [of(true), of(false)]
}

const owed = sql`"loanId", "tenantId", principal::float8, interest::float8, fees::float8, penalties::float8, dpd, arrears::float8`
/** All that loans owe on a day, by the rows of their schedule of then and of what was booked. */
const owedPlainly = (day: string) =>
  program.sql.query(sql`
    select ${owed} from (
      select a."loanId", a."tenantId", a.principal, a.dpd, a.arrears, o.* from (${loansAsOf(program, day)}) a cross join lateral (
        select coalesce(sum(u.interest) filter (where not a.gone), 0) as interest, coalesce(sum(u.fees) filter (where not a.gone), 0) as fees, sum(u.penalties) as penalties from (
          select i.interest, i.fee + i.insurance as fees, 0 as penalties, i."replacedOn", i."changeId" from (
            select "loanId", interest, fee, insurance, '9999-01-01'::date as "replacedOn", null::uuid as "changeId" from loan_instalment union all
            select "loanId", interest, fee, insurance, "replacedOn", "changeId" from loan_instalment_past where "replacedOn" > ${day}::date) i
          where i."loanId" = a."loanId" and i."changeId" is not distinct from (
            select q."changeId" from loan_instalment_past q where q."loanId" = a."loanId" and q."replacedOn" > ${day}::date order by q."replacedOn", q."replacedAt" limit 1)
          union all
          select x.interest, x.fee + x.insurance, x.penalty, null, null from loan_transaction x where x."loanId" = a."loanId" and x."bookedOn" <= ${day}::date) u) o) r
    where principal + interest + fees + penalties > 0 order by "loanId"`)

async function book(
  loanId: string,
  day: string,
  { kind, principal, interest = 0, penalty = 0 }: { kind: string; principal: number; interest?: number; penalty?: number },
) {
  await lending.rows(
    `insert into loan_transaction ("companyId", id, "loanId", "entryId", kind, "bookedOn", "valueOn", principal, interest, penalty)
     select "companyId", uuidv7(), "loanId", "entryId", $2, $3::date, $3::date, $4::numeric, $5::numeric, $6::numeric from loan_transaction where "loanId" = $1 limit 1`,
    loanId,
    kind,
    day,
    principal,
    interest,
    penalty,
  )
}

/** A schedule with later and other rows from a day on; the former one is kept, as restructures do. */
async function replace(loanId: string, day: string, shift: number) {
  await lending.rows(
    `insert into loan_instalment_past ("companyId", "loanId", "changeId", number, "dueOn", principal, interest, fee, insurance, balance, "dueSoFar", "replacedOn")
     select i."companyId", i."loanId", $3::uuid, i.number, i."dueOn", i.principal, i.interest, i.fee, i.insurance, i.balance, i."dueSoFar", $2::date
     from loan_instalment i where i."loanId" = $1`,
    loanId,
    day,
    randomUUID(),
  )
  await lending.rows(
    `update loan_instalment set "dueOn" = "dueOn" + $2::int, "dueSoFar" = "dueSoFar" + $2::int where "loanId" = $1`,
    loanId,
    shift,
  )
}

describe('snapshots of loans', () => {
  it('give the figures of every day that the ledger gives, whatever is booked back in time, before and after they are taken anew', async () => {
    const random = seededRandom('loan snapshots')
    const day = () => dayFrom(-Math.floor(random.between(0, oldest)))
    const compare = async () => {
      for (let turn = 0; turn < 4; turn += 1) {
        const [before = '', asOf = ''] = [day(), day()].toSorted()
        expect(await reported(asOf, before), `${asOf} and ${before}`).toEqual([await plainly(asOf), await plainly(before)])
      }
    }
    await compare()
    await takeSnapshots()
    expect(await taken()).toBeGreaterThan(loans.length * 3)
    await compare()
    for (let turn = 0; turn < 14; turn += 1) {
      const loan = random.pick(loans) ?? ''
      const amount = Math.floor(random.between(1, 500))
      const what = random.next()
      if (what < 0.6) await book(loan, day(), { kind: 'payment', principal: -amount, interest: -Math.floor(amount / 10) })
      else if (what < 0.8) await book(loan, day(), { kind: 'reversal', principal: amount })
      else if (what < 0.9) await book(loan, day(), { kind: 'writeOff', principal: -amount })
      else await replace(loan, day(), Math.floor(random.between(1, 20)))
      await compare()
      if (random.chance(0.4)) {
        await takeSnapshots()
        expect(await stale()).toBe(0)
        await compare()
      }
    }
    // What they say is what is said without them.
    await takeSnapshots()
    const days = Array.from({ length: 12 }, day)
    const withThem = []
    for (const one of days) withThem.push(await reported(one, dayFrom(-oldest)))
    await lending.rows('delete from loan_snapshot')
    await lending.rows('delete from loan_snapshot_day')
    for (const [place, one] of days.entries()) expect(await reported(one, dayFrom(-oldest))).toEqual(withThem[place])
  })

  it('give all that is owed on a day, also where no principal is, as the schedule of that day and the transactions until then do', async () => {
    const gone = new Set((await lending.rows(`select "loanId" from loan_transaction where kind = 'writeOff'`)).map(({ loanId }) => loanId))
    const [noPrincipal = '', charged = ''] = loans.filter((loan) => !gone.has(loan))
    const sums = await lending.rows(
      'select sum(principal)::float8 as owes from loan_transaction where "loanId" = $1 and "bookedOn" <= $2',
      noPrincipal,
      dayFrom(-95),
    )
    await book(noPrincipal, dayFrom(-95), { kind: 'payment', principal: -Number(sums[0]?.['owes']) })
    await book(charged, dayFrom(-90), { kind: 'penalty', principal: 0, penalty: 7 })
    await replace(charged, dayFrom(-50), 3)
    await lending.rows('update loan_instalment set interest = interest + 2 where "loanId" = $1', charged)
    // As settling leaves a loan.
    await lending.rows(`
      update loan l set "interestOwed" = u.interest, "feesOwed" = u.fees, "penaltiesOwed" = u.penalties, "writtenOffOn" = u.gone from (
        select "loanId", sum(interest) as interest, sum(fees) as fees, sum(penalties) as penalties, max(gone) as gone from (
          select "loanId", interest, fee + insurance as fees, 0 as penalties, null::date as gone from loan_instalment union all
          select "loanId", interest, fee + insurance, penalty, case when kind = 'writeOff' then "bookedOn" end from loan_transaction) x group by 1) u where u."loanId" = l.id`)
    const random = seededRandom('owed beside principal')
    const days = Array.from({ length: 12 }, () => dayFrom(-Math.floor(random.between(0, oldest))))
    const owedOn = async (one: string) => {
      const { ctes, rows } = loansOwed(program, one)
      return program.sql.query(sql`with ${ctes} select ${owed} from (${rows}) r order by "loanId"`)
    }
    const [before, after] = [[] as unknown[], [] as unknown[]]
    await lending.rows('delete from loan_snapshot')
    await lending.rows('delete from loan_snapshot_day')
    for (const one of days) before.push(await owedOn(one))
    await takeSnapshots()
    for (const one of days) after.push(await owedOn(one))
    for (const [place, one] of days.entries()) {
      const plain = await owedPlainly(one)
      expect([before[place], after[place]], one).toEqual([plain, plain])
    }
    expect(await owedOn(dayFrom(-95))).toContainEqual(expect.objectContaining({ loanId: noPrincipal, principal: 0 }))
  })

  it('mark the one loan that a posting back in time changes, and no loan that is booked on today', async () => {
    await takeSnapshots()
    const [paid = '', other = ''] = loans
    await lending.pay(other, 10, dayFrom(-60))
    expect(await stale()).toBe(0)
    await book(paid, dayFrom(-60), { kind: 'payment', principal: -1 })
    expect(await lending.rows('select "loanId", "from"::text from loan_snapshot_stale')).toEqual([{ loanId: paid, from: dayFrom(-60) }])
    const rows = await taken()
    await takeSnapshots()
    expect([await stale(), await taken()]).toEqual([0, rows])
  })

  it('are taken once by five runs at once, and wait for a booking that was under way when they were announced', async () => {
    await lending.rows('delete from loan_snapshot')
    await lending.rows('delete from loan_snapshot_day')
    const client = await lending.world.app.database.admin.connect()
    const [loan = ''] = loans
    try {
      await client.query('begin')
      await client.query(
        `insert into loan_transaction ("companyId", id, "loanId", "entryId", kind, "bookedOn", "valueOn", principal)
         select "companyId", uuidv7(), "loanId", "entryId", 'payment', $2::date, $2::date, -7 from loan_transaction where "loanId" = $1 limit 1`,
        [loan, dayFrom(-80)],
      )
      const runs = Promise.all(Array.from({ length: 5 }, takeSnapshots))
      await new Promise((done) => setTimeout(done, 700))
      expect(await taken()).toBe(0)
      await client.query('commit')
      await runs
    } finally {
      client.release()
    }
    expect(await taken()).toBeGreaterThan(0)
    expect(await reported(dayFrom(-1), dayFrom(-70))).toEqual([await plainly(dayFrom(-1)), await plainly(dayFrom(-70))])
  })
})
