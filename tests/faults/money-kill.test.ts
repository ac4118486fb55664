import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { seededRandom } from '../support/draws.ts'
import { createMake } from '../support/make.ts'
import { freePort } from '../support/port.ts'
import { killServers, startServer, type ServerProcess } from '../support/process.ts'
import { isNightly } from '../support/size.ts'
import { until } from '../support/until.ts'
import { insist, signIn, type Caller } from './field.ts'

/** Kills, loans that are paid back, loans that are paid out meanwhile, payments of each of the former. */
const [kills, running, waiting, payments] = isNightly ? [50, 60, 200, 40] : [5, 6, 8, 6]

/** A server that was killed comes up when a busy machine lets it: a provider repeats for longer than that. */
const patienceMs = 300_000

let database: TestDatabase
let dataDir: string
let server: ServerProcess

beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-money-kill-'))
})
afterAll(async () => {
  await killServers()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const day = (days: number) => new Date(Date.now() + 3 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const rows = async <Row>(text: string, ...values: unknown[]) => (await database.admin.query(text, values)).rows as Row[]

interface Account {
  loanId: string
  loanNumber: string
  disbursementId: string
}

it(
  `pays nothing twice and loses nothing while server and worker are killed ${kills} times during callbacks, payouts and accruals`,
  async () => {
    const random = seededRandom('money-kill')
    const PORT = String(await freePort())
    const start = () => startServer({ database, dataDir, env: { PORT } })
    server = await start()
    const make = createMake(database)
    const company = await make.company()
    const branch = await make.tenant({ company })
    const person = async (): Promise<Caller> => {
      const user = await make.user({ company, role: 'admin' })
      return { url: () => server.url, token: await signIn(server.url, user), user }
    }
    const [maker, decider] = [await person(), await person()]
    const say = async <Data>(who: Caller, path: string, body: object): Promise<Data> => {
      const told = await insist(who, path, body)
      if (told.status !== 200) throw new Error(`${path}: ${JSON.stringify(told.body)}`)
      return told.body['data'] as Data
    }
    const { key } = await say<{ key: string }>(maker, '/api/money-connections', { addresses: ['127.0.0.1'] })
    const sent = async (): Promise<Account> => {
      const { id: clientId } = await make.client({ tenant: branch })
      const { loan } = await say<{ loan: { Id: string; loanNumber: string } }>(maker, '/api/loans', {
        clientId,
        principal: 12_000,
        annualRate: 24,
        instalments: 12,
      })
      const { disbursement } = await say<{ disbursement: { Id: string } }>(maker, '/api/disbursements', {
        loanId: loan.Id,
        channel: 'mobileMoney',
      })
      for (const move of ['approve', 'send']) await say(decider, `/api/disbursements/${disbursement.Id}/move`, { move })
      return { loanId: loan.Id, loanNumber: loan.loanNumber, disbursementId: disbursement.Id }
    }
    const many = async (count: number) => {
      const made: Account[] = []
      for (let n = 0; n < count; n += 1) made.push(await sent())
      return made
    }
    const [paidBack, paidOut] = [await many(running), await many(waiting)]
    for (const { disbursementId } of paidBack)
      await say(decider, `/api/disbursements/${disbursementId}/move`, {
        move: 'confirm',
        providerReference: `OLD${disbursementId.slice(0, 8)}`,
        paidOn: day(-50),
      })

    // What the provider tells, each twice by callers who do not know of each other, until it is answered with 200.
    const provider: Caller = { url: () => server.url, token: '' }
    const callbacks = paidBack.flatMap(({ loanNumber }, index) =>
      Array.from({ length: payments }, (_, turn) => ({ id: `K${index}X${turn}`, loanNumber, amount: random.between(20, 400).toFixed(2) })),
    )
    let told = 0
    const tell = async (path: string, body: object) => {
      const answer = await insist(provider, path, body, { limitMs: patienceMs })
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      told += 1
    }
    const work = [
      ...callbacks.map(
        ({ id, loanNumber, amount }) =>
          () =>
            tell(`/hooks/mpesa/confirmation/${key}`, c2b(id, amount, loanNumber)),
      ),
      ...paidOut.map(
        ({ disbursementId }) =>
          () =>
            tell(`/hooks/mpesa/payout-result/${key}`, b2c(disbursementId)),
      ),
    ]
    const queue = [...work, ...work]
      .map((one) => ({ one, place: random.between(0, 1) }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ one }) => one)
    const all = queue.length
    const callers = Array.from({ length: 6 }, async () => {
      for (let next = queue.pop(); next; next = queue.pop()) await next()
    })
    let isOver = false
    // The books are brought to the day again and again, by the job of every night.
    const nights = (async () => {
      while (!isOver) {
        // What was looked at today is looked at anew.
        await rows(
          `update loan set "accruedTo" = "accruedTo" - 1 where "companyId" = $1 and "id" in (select "id" from loan where "companyId" = $1 order by "id" for update skip locked)`,
          company.id,
        )
        // Two at once at most: on a busy machine they would come faster than they are done.
        await rows(
          `insert into outbox ("companyId", "id", "userId", "type", "payload", "runAt") select $1, uuidv7(), null, 'loans.nightly', '{}', now()
          where (select count(*) from outbox where "type" = 'loans.nightly' and "status" in ('new', 'sent') and "runAt" <= now()) < 2`,
          company.id,
        )
        await new Promise((done) => setTimeout(done, 300))
      }
    })()
    let killed = 0
    for (; killed < kills; killed += 1) {
      const wanted = Math.floor(((killed + random.between(0.4, 1)) * all) / (kills + 1))
      await until(() => told >= Math.min(wanted, all), patienceMs)
      await server.kill()
      server = await start()
    }
    await Promise.all(callers)
    isOver = true
    await nights
    await until(
      async () =>
        (
          await rows<{ left: number }>(
            `select count(*)::int as left from outbox where "type" = 'loans.nightly' and "status" in ('new', 'sent', 'running') and "runAt" <= now()`,
          )
        )[0]?.left === 0,
      // One that was lost with its worker is begun again when its lease is over.
      180_000,
    )

    // What was stored before a kill, and answered, is done by a job of its own.
    await until(
      async () => (await rows(`select from provider_message where "companyId" = $1 and "doneAt" is null limit 1`, company.id)).length === 0,
      180_000,
    )
    expect({ killed, told }).toEqual({ killed: kills, told: all })
    const captured = await rows<{ id: string; amount: string }>(
      `select "providerReference" as id, "amount"::text from payment where "companyId" = $1 and "provider" = 'mpesa' and "status" = 'Posted' order by 1`,
      company.id,
    )
    const expected = callbacks.map(({ id, amount }) => ({ id, amount })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    expect(captured.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected)
    expect(
      await rows(
        `select d."status", count(*)::int as count, sum((select count(*) from ledger_entry e where e."companyId" = d."companyId" and e."kind" = 'disbursement' and e."loanId" = d."loanId"))::int as entries
         from disbursement d where d."companyId" = $1 group by 1`,
        company.id,
      ),
    ).toEqual([{ status: 'Confirmed', count: running + waiting, entries: running + waiting }])
    await expectSoundBooks(company.id)
    const [books] = await rows<{ entries: number; nights: number; lost: number }>(
      `select (select count(*)::int from ledger_entry where "companyId" = $1) as entries,
        (select count(*)::int from outbox where "companyId" = $1 and "type" = 'loans.nightly' and "status" = 'done') as nights,
        (select coalesce(sum("failures"), 0)::int from outbox where "companyId" = $1) as lost`,
      company.id,
    )
    console.log(
      `${killed} kills: ${callbacks.length} callbacks and ${paidOut.length} payouts told twice each (${told} answers), ${books?.entries} entries, ` +
        `${books?.nights} nights, ${books?.lost} tries of jobs lost with their worker; nothing twice, nothing lost, all in balance`,
    )
  },
  isNightly ? 3_600_000 : 900_000,
)

/** Every entry balances; schedule, ledger and loan agree on each loan; what was earned is booked once. */
async function expectSoundBooks(companyId: string): Promise<void> {
  expect(
    await rows(`select "entryId" from ledger_line where "companyId" = $1 group by 1 having sum("debit") <> sum("credit")`, companyId),
  ).toEqual([])
  expect(
    await rows(
      `select e."id" from ledger_entry e where e."companyId" = $1 and not exists (select from ledger_line l where l."entryId" = e."id")`,
      companyId,
    ),
  ).toEqual([])
  const balance = (
    purpose: string,
  ) => `coalesce((select sum(l."debit" - l."credit") from ledger_line l join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId"
      where l."companyId" = t."companyId" and l."loanId" = t."id" and a."purpose" = '${purpose}'), 0)`
  expect(
    await rows(
      `select t."number", t."principalOwed", ${balance('portfolio')} as portfolio from loan t where t."companyId" = $1 and (t."principalOwed" <> ${balance('portfolio')}
         or t."interestAccrued" <> -${balance('interestIncome')} or t."overpaid" <> -${balance('overpayments')}
         or t."principalOwed" <> (select sum(i."principal" - i."principalPaid") from loan_instalment i where i."companyId" = t."companyId" and i."loanId" = t."id"))`,
      companyId,
    ),
  ).toEqual([])
  const sums = await rows<{ provider: string; paid: string; out: string; suspense: string }>(
    `select coalesce(sum(l."debit" - l."credit") filter (where a."purpose" = 'provider'), 0)::text as provider,
       coalesce(sum(l."debit" - l."credit") filter (where a."purpose" = 'suspense'), 0)::text as suspense,
       (select sum("amount") from payment where "companyId" = $1)::text as paid, (select sum("amount") from disbursement where "companyId" = $1)::text as out
     from ledger_line l join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId" where l."companyId" = $1`,
    companyId,
  )
  const [{ provider, paid, out, suspense } = { provider: '', paid: '', out: '', suspense: '' }] = sums
  expect(Number(suspense)).toBe(0)
  expect(Number(provider)).toBeCloseTo(Number(paid) - Number(out), 6)
}

/** As M-Pesa writes a payment. */
const c2b = (TransID: string, TransAmount: string, BillRefNumber: string) => ({
  TransactionType: 'Pay Bill',
  TransID,
  TransTime: `${day(0).replaceAll('-', '')}000001`,
  TransAmount,
  BusinessShortCode: '600638',
  BillRefNumber,
  InvoiceNumber: '',
  OrgAccountBalance: '49197.00',
  ThirdPartyTransID: '',
  MSISDN: '254708374149',
  FirstName: 'John',
  MiddleName: '',
  LastName: 'Doe',
})
/** As M-Pesa tells of a payout. */
const b2c = (id: string) => ({
  Result: {
    ResultType: 0,
    ResultCode: 0,
    ResultDesc: 'The service request is processed successfully.',
    OriginatorConversationID: id,
    ConversationID: `C${id.slice(0, 18)}`,
    TransactionID: `T${id.slice(0, 18)}`,
  },
})
