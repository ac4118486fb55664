import { Agent } from 'node:http'
import { machineLoad, percentile, rounded, spread, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { callOnce, type Call, type Reply } from './support/load.ts'
import { addLoans, countOf, restNights } from './support/portfolio.ts'
import { companyId } from './support/rows.ts'

/** BENCH_LOANS makes the portfolio smaller, for a look while something is mended. */
const size = Number(process.env.BENCH_LOANS ?? 100_000)
const [lookSeconds, callbackRate, ussdSessionRate] = [20, 50, 5]

/** A company with 100,000 loans and a million instalments: its lists, reports and statements, callbacks and USSD beside one another, and a night. */
export const bench: Bench = {
  name: 'loans',
  leads: 0,
  run: async (house) => {
    const loans = await addLoans(house.admin, size)
    const of = `${thousands(loans)} loans, ${thousands(await countOf(house.admin, 'loan_instalment'))} instalments`
    const headers = await house.signIn('admin@sunrise.test')
    // The job that each night has run; the first one takes the snapshots of all months.
    const taken = await runJob(house, 'loans.snapshots')
    const figures = [
      ...(await lists(house, headers, of)),
      snapshotFigure(taken, of),
      ...(await risk(house, headers, of)),
      ...(await statements(house, headers)),
    ]
    const told = [await posted(house, headers), await once(house, headers), await dialled(house, headers)]
    return [...figures, ...told, ...(await night(house, of))]
  },
}

const thousands = (count: number) => count.toLocaleString('en-GB')
const milliseconds = (times: readonly number[]) =>
  `median ${rounded(percentile(times, 0.5))} ms, ${spread(times, ' ms')}, ${times.length} calls; ${machineLoad()}`

async function asked(house: House, call: Omit<Call, 'url'> & { path: string }): Promise<Reply> {
  const reply = await house.call(call)
  if (reply.status !== 200) throw new Error(`${call.path}: ${reply.status} ${reply.text.slice(0, 300)}`)
  return reply
}
/** Times of calls after one another; each is made once before. */
async function timesOf(house: House, calls: readonly (Omit<Call, 'url'> & { path: string })[]): Promise<number[]> {
  const times: number[] = []
  for (const call of calls.slice(0, 3)) await asked(house, call)
  for (const call of calls) times.push((await asked(house, call)).ms)
  return times
}
const repeated = <One>(count: number, make: (turn: number) => One): One[] => Array.from({ length: count }, (_, turn) => make(turn))

async function lists(house: House, headers: Record<string, string>, of: string): Promise<Figure[]> {
  const officer = await house.signIn('officer@sunrise.test')
  const filter = (terms: object[]) => `&filter=${encodeURIComponent(JSON.stringify(terms))}`
  const kinds = {
    'loan list of 25': { headers, more: '' },
    'loan list of 25, an officer': { headers: officer, more: '' },
    'loan list of 25, late by 31 days and more': {
      headers,
      more: filter([{ field: 'daysPastDue', op: 'gte', value: 31 }]),
    },
    'loan list of 25, a search': { headers, more: '&search=L-0000' },
  }
  const figures: Figure[] = []
  for (const [name, { headers: own, more }] of Object.entries(kinds)) {
    const path = (turn: number) => `/api/loans?page=${1 + (turn % 5)}&size=25${more}`
    const times = await timesOf(
      house,
      repeated(100, (turn) => ({ path: path(turn), headers: own })),
    )
    figures.push({
      name,
      value: rounded(percentile(times, 0.95)),
      unit: 'ms p95',
      target: '<= 60',
      detail: `${milliseconds(times)}; ${of}`,
    })
  }
  return figures
}

const snapshotFigure = (seconds: number, of: string): Figure => ({
  name: 'snapshots of all months, taken once',
  value: rounded(seconds / 60),
  unit: 'minutes',
  target: '<= 10',
  detail: `${rounded(seconds)} s; ${of}; ${machineLoad()}`,
})

/** The report compares two days: each figure is of both. */
async function risk(house: House, headers: Record<string, string>, of: string): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const back of [0, 45, 200]) {
    const asOf = new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
    const times = await timesOf(
      house,
      repeated(5, (turn) => ({
        path: '/api/reports/preview',
        method: 'POST',
        headers,
        body: JSON.stringify({ report: 'parVarThirtyReport', parameters: { asOf, by: ['tenant', 'officer', 'product'][turn % 3] } }),
      })),
    )
    figures.push({
      name: `PAR as of ${back === 0 ? 'today' : `${back} days ago`}, beside 30 days before`,
      value: rounded(percentile(times, 0.5) / 1000),
      unit: 's',
      target: '<= 1.5',
      detail: `${milliseconds(times)}; ${of}`,
    })
  }
  const ofTenants = await timesOf(
    house,
    repeated(6, (turn) => ({
      path: '/api/reports/preview',
      method: 'POST',
      headers,
      body: JSON.stringify({
        report: 'tenantLoansReport',
        parameters: { startDate: '2026-01-01', endDate: new Date(Date.now() - (turn % 2) * 45 * 86_400_000).toISOString().slice(0, 10) },
      }),
    })),
  )
  figures.push({
    name: 'loans of all branches, as of today and 45 days ago',
    value: rounded(percentile(ofTenants, 0.5) / 1000),
    unit: 's',
    target: '<= 2',
    detail: `${milliseconds(ofTenants)}; ${of}`,
  })
  return figures
}

async function statements(house: House, headers: Record<string, string>): Promise<Figure[]> {
  const { rows } = await house.admin.query<{ id: string }>(
    `select "id" from loan where "companyId" = $1 and "status" = 'Active' order by md5("id"::text) limit 100`,
    [companyId],
  )
  const figures: Figure[] = []
  for (const [name, path] of [
    ['transactions', 'transactions'],
    ['schedule', 'schedule'],
    ['statement as PDF', 'statement'],
  ] as const) {
    const times = await timesOf(
      house,
      rows.map(({ id }) => ({ path: `/api/loans/${id}/${path}`, headers })),
    )
    // The paper is drawn by one processor for whoever asks: its usual time counts, for what people look at all day the worst of twenty.
    const isPaper = path === 'statement'
    figures.push({
      name: `${name} of one loan`,
      value: rounded(percentile(times, isPaper ? 0.5 : 0.95)),
      unit: isPaper ? 'ms' : 'ms p95',
      target: '<= 50',
      detail: milliseconds(times),
    })
  }
  return figures
}

interface Payable {
  id: string
  number: string
}
/** Running loans, others at each call. */
async function payable(house: House, { count, from }: { count: number; from: number }): Promise<Payable[]> {
  const { rows } = await house.admin.query<Payable>(
    `select "id", 'L-' || lpad("number"::text, 6, '0') as number from loan where "companyId" = $1 and "status" = 'Active' order by md5("id"::text) limit $2 offset $3`,
    [companyId, count, from],
  )
  return rows
}

async function openDoor(house: House, headers: Record<string, string>, path: string): Promise<string> {
  const { text } = await asked(house, { path, method: 'POST', headers, body: JSON.stringify({ addresses: ['127.0.0.1', '::1'] }) })
  return (JSON.parse(text) as { data: { key: string } }).data.key
}
const c2b = (TransID: string, BillRefNumber: string, TransAmount = '150.00') =>
  JSON.stringify({
    TransactionType: 'Pay Bill',
    TransID,
    TransTime: `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}000001`,
    TransAmount,
    BusinessShortCode: '600638',
    BillRefNumber,
    MSISDN: '254708374149',
    FirstName: 'Joan',
  })
const confirmation = (house: House, key: string, body: string): Call => ({
  url: `${house.url}/hooks/mpesa/confirmation/${key}`,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
})

/** Callbacks come by the clock, whether the one before is answered or not; the answer says that it is booked. */
async function posted(house: House, headers: Record<string, string>): Promise<Figure> {
  const key = await openDoor(house, headers, '/api/money-connections')
  const loans = await payable(house, { count: lookSeconds * callbackRate + 50, from: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const tell = ({ number }: Payable, turn: number) => callOnce(confirmation(house, key, c2b(`BENCH${turn}`, number)), agent)
  const warm = loans.splice(0, 50)
  for (const [turn, loan] of warm.entries()) await tell(loan, turn)
  const begun = performance.now()
  const replies = await Promise.all(
    loans.map(async (loan, turn) => {
      const due = begun + (turn * 1000) / callbackRate
      await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())))
      // As M-Pesa does: what a busy server did not take is told again.
      for (let told = 1; ; told += 1) {
        const { status, text } = await tell(loan, turn + warm.length)
        if (status < 500 || told === 50) return { status, text, told, ms: performance.now() - due }
        await new Promise((done) => setTimeout(done, 500))
      }
    }),
  )
  const took = (performance.now() - begun) / 1000
  agent.destroy()
  const refused = replies.find(({ status }) => status !== 200)
  if (refused) throw new Error(`a callback: ${refused.status} ${refused.text.slice(0, 300)}`)
  const { rows } = await house.admin.query<{ count: number }>(
    `select count(*)::int as count from payment p where p."companyId" = $1 and p."providerReference" like 'BENCH%' and p."status" = 'Posted'
      and exists (select from ledger_entry e where e."companyId" = p."companyId" and e."paymentId" = p."id")`,
    [companyId],
  )
  if (rows[0]?.count !== loans.length + warm.length) throw new Error(`${rows[0]?.count} of ${loans.length + warm.length} are posted`)
  const times = replies.map(({ ms }) => ms)
  return {
    name: `M-Pesa callback to posted, ${callbackRate} a second`,
    value: rounded(percentile(times, 0.99)),
    unit: 'ms p99',
    target: '<= 300',
    detail: `${milliseconds(times)}; ${rounded(replies.length / took)} a second, all in the ledger, ${replies.filter(({ told }) => told > 1).length} told again`,
  }
}

/** 100 payments, each told by five at once. */
async function once(house: House, headers: Record<string, string>): Promise<Figure> {
  const key = await openDoor(house, headers, '/api/money-connections')
  const loans = await payable(house, { count: 100, from: 5_000 })
  const agent = new Agent({ keepAlive: true, maxSockets: 500 })
  const begun = performance.now()
  const replies = await Promise.all(
    repeated(5, () => loans.map(({ number }, turn) => callOnce(confirmation(house, key, c2b(`TWICE${turn}`, number)), agent))).flat(),
  )
  const took = performance.now() - begun
  agent.destroy()
  const { rows } = await house.admin.query<{ count: number; entries: number }>(
    `select count(*)::int as count, coalesce(sum((select count(*) from ledger_entry e where e."companyId" = p."companyId" and e."paymentId" = p."id")), 0)::int as entries
    from payment p where p."companyId" = $1 and p."providerReference" like 'TWICE%'`,
    [companyId],
  )
  const answered = replies.filter(({ status }) => status === 200).length
  const isOnce = rows[0]?.count === 100 && rows[0].entries === 100
  return {
    name: 'payments posted of 500 callbacks of 100 at once',
    value: isOnce ? 100 : Number.NaN,
    unit: 'payments',
    target: '>= 100',
    detail: `${rows[0]?.count} payments, ${rows[0]?.entries} entries; ${answered} of 500 answered with 200 in ${rounded(took / 1000)} s; ${machineLoad()}`,
  }
}

/** Sessions that set a PIN and hear a balance: five hops, two of them hash. They begin by the clock, whether those before have ended or not. */
async function dialled(house: House, headers: Record<string, string>): Promise<Figure> {
  const key = await openDoor(house, headers, '/api/ussd/connections')
  const { rows } = await house.admin.query<{ phone: string; idNumber: string }>(
    `select c."phonenumber" as phone, c."idNumber" from client c join loan l on l."companyId" = c."companyId" and l."clientId" = c."id" and l."status" = 'Active'
    where c."companyId" = $1 and c."ussdPinHash" is null and c."idNumber" is not null order by md5(c."id"::text) limit 4000`,
    [companyId],
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const times: number[] = []
  const begun = performance.now()
  const session = async (who: (typeof rows)[number], turn: number) => {
    await new Promise((done) => setTimeout(done, Math.max(0, begun + (turn * 1000) / ussdSessionRate - performance.now())))
    for (const text of ['', '1', `1*${who.idNumber}`, `1*${who.idNumber}*7391`, `1*${who.idNumber}*7391*7391`]) {
      const body = new URLSearchParams({
        sessionId: `bench ${turn}`,
        serviceCode: '*384*1#',
        phoneNumber: who.phone,
        networkCode: '63902',
        text,
      }).toString()
      const hop: Call = {
        url: `${house.url}/hooks/ussd/${key}`,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      }
      const { status, text: said, ms } = await callOnce(hop, agent)
      const isLast = text.split('*').length === 4
      if (status !== 200 || isLast !== said.startsWith('END L-')) throw new Error(`${text}: ${status} ${said}`)
      times.push(ms)
      // As long as a quick thumb takes.
      await new Promise((done) => setTimeout(done, 500))
    }
  }
  const callers = rows.slice(0, lookSeconds * ussdSessionRate)
  await Promise.all(callers.map(session))
  const took = (performance.now() - begun) / 1000
  agent.destroy()
  return {
    name: `USSD step, ${ussdSessionRate} sessions begun a second`,
    value: rounded(percentile(times, 0.99)),
    unit: 'ms p99',
    target: '< 300',
    detail: `${milliseconds(times)}; ${callers.length} sessions, ${rounded(times.length / took)} steps a second`,
  }
}

/** The job of every night over the whole company: penalties, accruals, promises, and the books compared with themselves; then once more, with nothing to do. */
async function night(house: House, of: string): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const name of ['accrual run of a night', 'the same again, nothing to book']) {
    // A night has snapshots taken after it: they are not to run beside the next one.
    await restNights(house.admin)
    const before = await countOf(house.admin, 'ledger_entry')
    const seconds = await runJob(house, 'loans.nightly')
    const entries = (await countOf(house.admin, 'ledger_entry')) - before
    figures.push({
      name,
      value: rounded(seconds / 60),
      unit: 'minutes',
      target: '<= 10',
      detail: `${rounded(seconds)} s, ${thousands(entries)} entries; ${of}; ${machineLoad()}`,
    })
  }
  return figures
}

async function runJob({ admin }: House, type: string): Promise<number> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into outbox ("companyId", "id", "userId", "type", "payload", "runAt") values ($1, uuidv7(), null, $2, '{}', now()) returning "id"`,
    [companyId, type],
  )
  await admin.query(`select pg_notify('outbox', '')`)
  const begun = performance.now()
  for (;;) {
    const { rows: found } = await admin.query<{ status: string; lastError: string | null }>(
      `select "status", "lastError" from outbox where "companyId" = $1 and "id" = $2`,
      [companyId, rows[0]?.id],
    )
    const { status, lastError } = found[0] ?? { status: 'gone', lastError: null }
    if (status === 'done') return (performance.now() - begun) / 1000
    // A worker that was lost, as on a machine that stood still for a while, is followed by another try.
    if (status === 'dead') throw new Error(`${type}: ${status} ${lastError ?? ''}`)
    await new Promise((done) => setTimeout(done, 100))
  }
}
