import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNightly } from '../../../apps/server/src/areas/loans/loan.nightly.ts'
import { reconcile } from '../../../apps/server/src/areas/reconciliation/reconcile.ts'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import type { Ctx } from '../../../apps/server/src/kernel/types.ts'
import type { MadeTenant } from '../../support/make.ts'
import { fieldsOf, type World } from '../world.ts'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
let world: World
let program: Ctx
/** Who decides in Mombasa, where loans go to, and sees nothing else. */
let coast: World['as']['admin']

beforeAll(async () => {
  lending = await makeLending()
  world = lending.world
  program = await makeJobCtx(world.app.services, { companyId: world.company.id, userId: null })
  coast = await world.app.as(await world.app.make.user({ tenant: world.other, role: 'branch', firstName: 'Coast' }))
})
afterAll(() => world.app.close())

const own = ['portfolio', 'interestReceivable', 'feeReceivable', 'insuranceReceivable', 'penaltyReceivable', 'overpayments']
type Sums = Record<string, number>
/** Sums of a loan in a branch by the purpose of the account, debit less credit; of days up to one. */
async function sumsIn({ id }: MadeTenant, loanId: string | null, upTo = dayFrom(0)): Promise<Sums> {
  const found = await lending.rows(
    `select a.purpose, sum(l.debit - l.credit)::float8 as sum from ledger_line l join ledger_account a on a."companyId" = l."companyId" and a.id = l."accountId"
     where l."tenantId" = $1 and ($2::uuid is null or l."loanId" = $2) and l."bookedOn" <= $3 group by 1 having sum(l.debit - l.credit) <> 0`,
    id,
    loanId,
    upTo,
  )
  return Object.fromEntries(found.map(({ purpose, sum }) => [String(purpose), Number(sum)]))
}
const ofLoan = (sums: Sums) => Object.fromEntries(Object.entries(sums).filter(([purpose]) => own.includes(purpose)))
const total = (sums: Sums) => Object.values(sums).reduce((sum, amount) => sum + Math.round(amount * 100), 0)
const transfer = (ids: string[], to: MadeTenant, who = world.as.admin) =>
  who.post<{ results: { isDone: boolean; message?: string }[] }>('/api/loans/transfer', {
    ids,
    tenantId: to.id,
    officerUserId: to === world.other ? world.people.elsewhere.id : world.people.officer.id,
    reason: 'Moved house',
  })
const move = async (id: string, to: MadeTenant) => {
  const { body, text } = await transfer([id], to)
  expect(body.data?.results, text).toEqual([expect.objectContaining({ isDone: true })])
}
/** Lays everything that was booked on a loan so far some days back: as if it had been done then. */
async function backdate(loanId: string, day: string): Promise<void> {
  for (const table of ['ledger_entry', 'ledger_line', 'loan_transaction'])
    await lending.rows(`update ${table} set "bookedOn" = $2 where "loanId" = $1`, loanId, day)
}
/** Each branch balances, what the loan owes is where it is and nowhere else, and the night finds nothing. */
async function expectWhole(loanId: string, at: MadeTenant): Promise<void> {
  const [home, away] = [await sumsIn(world.team, loanId), await sumsIn(world.other, loanId)]
  expect([total(home), total(away)]).toEqual([0, 0])
  expect(ofLoan(at === world.team ? away : home)).toEqual({})
  expect((home['interBranch'] ?? 0) + (away['interBranch'] ?? 0)).toBe(0)
  const whole = await lending.balances(loanId)
  expect(ofLoan(at === world.team ? home : away)).toEqual(ofLoan(whole))
  expect(await found(loanId)).toEqual([])
}
const compare = () => program.transaction(reconcile)
async function found(loanId: string): Promise<unknown[]> {
  await compare()
  const rows = await lending.rows(
    `select what, booked::float8 as booked from money_difference where "loanId" = $1 and status = 'Open' order by what`,
    loanId,
  )
  return rows.map(({ what, booked }) => [what, booked])
}
const withPenalty = { terms: { penalty: { kind: 'flat' as const, amount: '50', per: 'instalment' as const, graceDays: 3 } } }

describe('balances of a loan that goes to another branch', () => {
  it('move in balanced entries of both branches, and back; money and income stay where they were', async () => {
    const { Id } = await lending.running(dayFrom(-70), withPenalty)
    await lending.pay(Id, 250, dayFrom(-20))
    await runNightly(program)
    const before = await sumsIn(world.team, Id)
    expect(before).toMatchObject({ cash: 250, penaltyIncome: expect.any(Number) })
    await move(Id, world.other)
    const [left, moved] = [await sumsIn(world.team, Id), await sumsIn(world.other, Id)]
    expect({ ...moved, interBranch: undefined }).toEqual(ofLoan(before))
    expect({ ...left, interBranch: undefined }).toEqual(
      Object.fromEntries(Object.entries(before).filter(([purpose]) => !own.includes(purpose))),
    )
    expect(moved['interBranch']).toBeCloseTo(-Object.values(ofLoan(before)).reduce((sum, amount) => sum + amount, 0), 6)
    await expectWhole(Id, world.other)
    const texts = await lending.rows(`select "tenantId" as place, text from ledger_entry where "loanId" = $1 and kind = 'transfer'`, Id)
    expect(texts).toEqual(
      expect.arrayContaining([
        { place: world.team.id, text: expect.stringMatching(/^Balances of loan L-\d{6} to Mombasa$/) },
        { place: world.other.id, text: expect.stringMatching(/^Balances of loan L-\d{6} from Westlands$/) },
      ]),
    )
    await move(Id, world.team)
    expect(await sumsIn(world.team, Id)).toEqual(before)
    expect(await sumsIn(world.other, Id)).toEqual({})
    await expectWhole(Id, world.team)
  })

  it('leave a past day as it was: accounts and export show each branch its own, whoever asks', async () => {
    const { Id } = await lending.running(dayFrom(-60))
    await backdate(Id, dayFrom(-30))
    const past = await sumsIn(world.team, Id, dayFrom(-1))
    const read = async (who: World['as']['admin']) => {
      const { body } = await who.get<{ ledgerAccounts: Row[] }>('/api/ledger/accounts?size=200')
      return Object.fromEntries(body.data.ledgerAccounts.map(({ purpose, balance }) => [String(purpose), Number(balance)]))
    }
    const exported = async (who: World['as']['admin'], day: string) =>
      (await who.post('/api/ledger/export', { day })).text.split('\r\n').filter((line) => line.includes(Id)).length
    const [near, far] = [await read(world.as.manager), await read(coast)]
    await move(Id, world.other)
    expect(await sumsIn(world.team, Id, dayFrom(-1))).toEqual(past)
    expect(await sumsIn(world.other, Id, dayFrom(-1))).toEqual({})
    const [nearNow, farNow] = [await read(world.as.manager), await read(coast)]
    expect(nearNow['portfolio']).toBeCloseTo((near['portfolio'] ?? 0) - 1200, 6)
    expect(farNow['portfolio']).toBeCloseTo((far['portfolio'] ?? 0) + 1200, 6)
    // Money that Westlands paid out is not on the books of Mombasa.
    expect([nearNow['provider'], farNow['provider']]).toEqual([near['provider'], far['provider'] ?? 0])
    expect((nearNow['interBranch'] ?? 0) - (near['interBranch'] ?? 0)).toBeCloseTo(1200, 6)
    expect([await exported(world.as.manager, dayFrom(-30)), await exported(coast, dayFrom(-30))]).toEqual([2, 0])
    expect([await exported(world.as.manager, dayFrom(0)), await exported(coast, dayFrom(0))]).toEqual([2, 2])
    expect(await exported(world.as.foreign, dayFrom(0))).toBe(0)
    // A balance opens into as many lines as make it.
    const { body } = await coast.get<{ ledgerAccounts: Row[] }>('/api/ledger/accounts?size=200')
    for (const { Id: accountId, balance } of body.data.ledgerAccounts) {
      const filter = encodeURIComponent(JSON.stringify([{ field: 'accountId', op: 'eq', value: accountId }]))
      const { ledgerLines } = (await coast.get<{ ledgerLines: Row[] }>(`/api/ledger/lines?size=1000&filter=${filter}`)).body.data
      expect(ledgerLines.reduce((sum, { debit, credit }) => sum + Number(debit) - Number(credit), 0)).toBeCloseTo(Number(balance), 6)
    }
  })
})

describe('what is booked about a day before the transfer', () => {
  it('ends in the same books whether it was captured before or after, and money stays in the branch that took it', async () => {
    const make = async (order: 'before' | 'after') => {
      const { Id } = await lending.running(dayFrom(-70), withPenalty)
      await lending.pay(Id, 100, dayFrom(-10))
      const late = () => lending.pay(Id, 450, dayFrom(-40))
      if (order === 'before') await late()
      await move(Id, world.other)
      if (order === 'after') await late()
      await runNightly(program)
      await expectWhole(Id, world.other)
      const lines = await lending.rows(
        `select p."paidOn"::text, a.number, a.part, a.amount::text from payment_allocation a join payment p on p."companyId" = a."companyId" and p.id = a."paymentId"
         where a."loanId" = $1 and a."supersededAt" is null order by 1, 2, 3`,
        Id,
      )
      return { lines, owed: ofLoan(await sumsIn(world.other, Id)), home: await sumsIn(world.team, Id), away: await sumsIn(world.other, Id) }
    }
    const [first, second] = [await make('before'), await make('after')]
    expect(second.lines).toEqual(first.lines)
    expect(second.owed).toEqual(first.owed)
    // What Westlands took stays with Westlands; what came in later is in Mombasa.
    expect([first.home['cash'], first.away['cash']]).toEqual([550, undefined])
    expect([second.home['cash'], second.away['cash']]).toEqual([100, 450])
  })

  it('is taken back where it was booked, by somebody who sees the new branch alone', async () => {
    const { Id } = await lending.running(dayFrom(-70), withPenalty)
    const [wrong, kept] = [await lending.pay(Id, 300, dayFrom(-60)), await lending.pay(Id, 200, dayFrom(-5))]
    await move(Id, world.other)
    const answer = await coast.post(`/api/payments/${wrong.Id}/reverse`, { reason: 'Bounced' })
    expect(answer.status, answer.text).toBe(200)
    await expectWhole(Id, world.other)
    expect((await sumsIn(world.team, Id))['cash']).toBe(200)
    const release = await coast.post(`/api/payments/${kept.Id}/release`, { reason: 'Other client' })
    expect(release.status, release.text).toBe(200)
    await expectWhole(Id, world.other)
    const again = await coast.post(`/api/payments/${kept.Id}/allocate`, { loanId: Id })
    expect(again.status, again.text).toBe(200)
    await expectWhole(Id, world.other)
    expect((await lending.read(Id))['principalOwed']).toBeGreaterThan(1_000)
    // Westlands sees its part of it, and no more of the loan.
    expect((await world.as.manager.get(`/api/loans/${Id}`)).status).toBe(404)
  })

  it('is topped up in the new branch once its client is there too', async () => {
    const { Id, clientId } = await lending.running(dayFrom(-40))
    await move(Id, world.other)
    const ask = () => coast.post<{ loan: Row }>(`/api/loans/${Id}/top-up`, { principal: 3000, annualRate: null, instalments: null })
    const early = await ask()
    expect([early.status, early.body]).toEqual([
      409,
      expect.objectContaining({ message: 'The client is filed in another branch. Transfer the client here first.' }),
    ])
    const along = { ids: [clientId], tenantId: world.other.id, assignedUserId: world.people.elsewhere.id, reason: 'Moved house' }
    expect((await world.as.admin.post('/api/clients/transfer', along)).status).toBe(200)
    const opened = await ask()
    expect(opened.status, opened.text).toBe(200)
    expect(opened.body.data.loan).toMatchObject({
      tenantId: world.other.id,
      officerUserId: world.people.elsewhere.id,
      annualRate: '24',
      instalments: 3,
    })
    const asked = await coast.post<{ disbursement: Row }>('/api/disbursements', { loanId: opened.body.data.loan.Id, channel: 'cash' })
    expect(asked.status, asked.text).toBe(200)
    for (const [name, more] of [
      ['approve', {}],
      ['send', {}],
      ['confirm', { providerReference: 'TU9', paidOn: dayFrom(0) }],
    ] as const)
      expect((await lending.move(asked.body.data.disbursement.Id, name, more)).status).toBe(200)
    expect(await lending.read(Id)).toMatchObject({ status: 'Closed', owed: 0 })
    await expectWhole(Id, world.other)
    expect((await sumsIn(world.other, null))['topUps']).toBeUndefined()
  })

  it('brings a payout to a client out of reach only where somebody says to which phone', async () => {
    const made = await lending.loan()
    await move(made.Id, world.other)
    const ask = (over: object) =>
      coast.post<{ disbursement: Row }>('/api/disbursements', { loanId: made.Id, channel: 'mobileMoney', ...over })
    expect(fieldsOf(await ask({}))).toEqual(['payTo'])
    const asked = await ask({ payTo: '254700000001' })
    expect([asked.status, asked.body.data?.disbursement['payTo']]).toEqual([200, '254700000001'])
  })

  it('is written off, and paid too much, where the loan is', async () => {
    const [lost, over] = [await lending.running(dayFrom(-70)), await lending.running(dayFrom(-70))]
    await lending.pay(over.Id, 1_500, dayFrom(-2))
    for (const { Id } of [lost, over]) await move(Id, world.other)
    expect((await sumsIn(world.other, over.Id))['overpayments']).toBeLessThan(0)
    await expectWhole(over.Id, world.other)
    const off = await world.as.admin.post(`/api/loans/${lost.Id}/move`, { move: 'writeOff', reason: 'Gone' })
    expect(off.status, off.text).toBe(200)
    await expectWhole(lost.Id, world.other)
    expect((await sumsIn(world.other, lost.Id))['writeOffs']).toBe(1_200)
    await move(lost.Id, world.team)
    await expectWhole(lost.Id, world.team)
  })
})

describe('money that waits in one branch and is for a loan of another', () => {
  /** Sums of a payment in a branch, by the purpose of the account. */
  const sumsOf = async ({ id }: { id: string }, paymentId: string): Promise<Sums> =>
    Object.fromEntries(
      (
        await lending.rows(
          `select a.purpose, sum(l.debit - l.credit)::float8 as sum from ledger_entry e join ledger_line l on l."companyId" = e."companyId" and l."entryId" = e.id
             join ledger_account a on a."companyId" = l."companyId" and a.id = l."accountId"
           where e."paymentId" = $1 and l."tenantId" = $2 group by 1 having sum(l.debit - l.credit) <> 0`,
          paymentId,
          id,
        )
      ).map(({ purpose, sum }) => [String(purpose), Number(sum)]),
    )
  const differences = async (paymentId: string) => {
    await compare()
    return lending.rows(
      `select what, booked::float8 as booked from money_difference where "paymentId" = $1 and status = 'Open' order by what`,
      paymentId,
    )
  }
  const waits = async () => {
    const answer = await world.as.manager.post<{ payment: Row }>('/api/payments', { amount: 300, method: 'cash', paidOn: dayFrom(-1) })
    expect(answer.status, answer.text).toBe(200)
    const { Id } = answer.body.data.payment
    await lending.rows('update payment set "tenantId" = $2 where id = $1', Id, world.team.id)
    for (const table of ['ledger_line', 'ledger_entry'])
      await lending.rows(
        `update ${table} set "tenantId" = $2 where ${table === 'ledger_line' ? `"entryId" in (select id from ledger_entry where "paymentId" = $1)` : '"paymentId" = $1'}`,
        Id,
        world.team.id,
      )
    return Id
  }
  const act = async (who: World['as']['admin'], path: string, body: object) => {
    const answer = await who.post(`/api/payments/${path}`, body)
    expect(answer.status, answer.text).toBe(200)
  }

  it('is owed by the first branch to the second, until it is taken back, by whoever sees the second alone', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-40))
    await move(loanId, world.other)
    const Id = await waits()
    expect(await sumsOf(world.team, Id)).toEqual({ cash: 300, suspense: -300 })
    await act(world.as.admin, `${Id}/allocate`, { loanId })
    expect(await sumsOf(world.team, Id)).toEqual({ cash: 300, interBranch: -300 })
    expect(await sumsOf(world.other, Id)).toEqual({ portfolio: -300 + 24, interestReceivable: -24, interBranch: 300 })
    await expectWhole(loanId, world.other)
    expect(await differences(Id)).toEqual([])
    await act(coast, `${Id}/release`, { reason: 'Other client' })
    expect([await sumsOf(world.team, Id), await sumsOf(world.other, Id)]).toEqual([
      { cash: 300, interBranch: -300 },
      { interBranch: 300, suspense: -300 },
    ])
    await act(coast, `${Id}/allocate`, { loanId })
    await act(coast, `${Id}/reverse`, { reason: 'Bounced' })
    expect([await sumsOf(world.team, Id), await sumsOf(world.other, Id)]).toEqual([{}, {}])
    expect(await differences(Id)).toEqual([])
    await expectWhole(loanId, world.other)
  })

  it('is put right by the night where an earlier version left it, and the comparison names it until then', async () => {
    const { Id: loanId } = await lending.running(dayFrom(-40))
    await move(loanId, world.other)
    const Id = await waits()
    await act(world.as.admin, `${Id}/allocate`, { loanId })
    await lending.rows(`alter table ledger_line disable trigger all`)
    await lending.rows(`alter table ledger_entry disable trigger all`)
    await lending.rows(
      `delete from ledger_line where "entryId" in (select id from ledger_entry where "paymentId" = $1 and kind = 'transfer')`,
      Id,
    )
    await lending.rows(`delete from ledger_entry where "paymentId" = $1 and kind = 'transfer'`, Id)
    await lending.rows(`alter table ledger_line enable trigger all`)
    await lending.rows(`alter table ledger_entry enable trigger all`)
    expect(await differences(Id)).toEqual([{ what: 'In suspense in a branch where the payment is not', booked: -300 }])
    await runNightly(program)
    expect(await sumsOf(world.team, Id)).toEqual({ cash: 300, interBranch: -300 })
    expect(await differences(Id)).toEqual([])
    const entries = async () => (await lending.rows(`select from ledger_entry where "paymentId" = $1`, Id)).length
    const before = await entries()
    await runNightly(program)
    expect(await entries()).toBe(before)
  })
})

describe('transfers at once', () => {
  it('five are one, beside payments on the same loan, back and forth', async () => {
    const { Id } = await lending.running(dayFrom(-70), withPenalty)
    const pays = () => Array.from({ length: 5 }, (_, index) => lending.pay(Id, 10 + index, dayFrom(-index - 1)))
    const moves = await Promise.all([...Array.from({ length: 5 }, () => transfer([Id], world.other)), ...pays()])
    const done = moves.flatMap((answer) =>
      'body' in answer ? (answer.body as { data: { results: { isDone: boolean }[] } }).data.results : [],
    )
    expect(done.filter(({ isDone }) => isDone)).toHaveLength(1)
    await expectWhole(Id, world.other)
    await Promise.all([transfer([Id], world.team), ...pays(), transfer([Id], world.other), ...pays()])
    const [{ tenantId }] = (await lending.rows(`select "tenantId" from loan where id = $1`, Id)) as [{ tenantId: string }]
    await expectWhole(Id, tenantId === world.team.id ? world.team : world.other)
  })

  it('in the middle of the night leave every loan whole in one branch', async () => {
    const loans: string[] = []
    for (let count = 0; count < 6; count += 1) loans.push((await lending.running(dayFrom(-70), withPenalty)).Id)
    const [answer] = await Promise.all([
      transfer(loans, world.other),
      runNightly(program),
      runNightly(program),
      transfer(loans.slice(0, 3), world.other),
    ])
    expect(answer.status).toBe(200)
    await runNightly(program)
    for (const id of loans) await expectWhole(id, world.other)
  })
})

it('the night names a loan whose balances stayed behind, and takes along what an earlier version left', async () => {
  const [torn, older] = [await lending.running(dayFrom(-20)), await lending.running(dayFrom(-20))]
  await lending.rows(`update loan set "tenantId" = $2 where id = any($1)`, [torn.Id, older.Id], world.other.id)
  expect(await found(torn.Id)).toEqual([['Left in a branch where the loan is not: Loan portfolio', 1200]])
  await lending.rows(
    `insert into record_transfer ("companyId", "id", "objectType", "objectId", "fromTenantId", "toTenantId", "transferredByUserId", "realUserId", "transferredOn")
     values ($1, uuidv7(), 'loan', $2, $3, $4, $5, $5, current_date - 1)`,
    world.company.id,
    older.Id,
    world.team.id,
    world.other.id,
    world.people.admin.id,
  )
  await runNightly(program)
  await expectWhole(older.Id, world.other)
  expect(await found(torn.Id)).toEqual([['Left in a branch where the loan is not: Loan portfolio', 1200]])
  await lending.rows(`update loan set "tenantId" = $2 where id = $1`, torn.Id, world.team.id)
})
