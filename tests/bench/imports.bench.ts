import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { copyOut, storedColumns } from './support/copy.ts'
import { median, rounded, spread, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { companyId } from './support/rows.ts'

const [rows, rounds, portion] = [10_000, 3, 500]
const path = '/api/clients/import/runs'

/** A file of 10,000 clients, from the call that means it to the last row: every rule of the form, duplicates, references, feed and an audit row each. */
export const bench: Bench = {
  name: 'imports',
  leads: 50_000,
  run: async (house) => {
    const headers = await house.signIn('admin@sunrise.test')
    const client = new pg.Client({ connectionString: house.databaseUrl })
    await client.connect()
    try {
      const [trials, rates, copies]: [number[], number[], number[]] = [[], [], []]
      for (let round = 0; round <= rounds; round += 1) {
        const { trial, rate, from } = await importFile(house, headers)
        const copied = await copyRate(client, from)
        if (round === 0) continue
        trials.push(trial)
        rates.push(rate)
        copies.push(copied)
      }
      return figuresOf(trials, rates, copies)
    } finally {
      await client.end()
    }
  },
}

function figuresOf(trials: number[], rates: number[], copies: number[]): Figure[] {
  const shares = rates.map((rate, index) => rate / (copies[index] ?? 1))
  const detail = `portions of ${portion} by the job, HTTP and queue included`
  return [
    {
      name: 'import of 10,000 clients',
      value: Math.round(median(rates)),
      unit: 'rows/s',
      target: '>= 2000',
      detail: `${spread(rates)}; ${detail}`,
    },
    { name: 'trial of 10,000 clients', value: Math.round(median(trials)), unit: 'rows/s', detail: spread(trials) },
    {
      name: 'import of clients / COPY of the same rows',
      value: rounded(median(shares)),
      unit: 'x',
      detail: `${spread(shares, ' x')}; ${Math.round(median(rates))} / ${Math.round(median(copies))} rows a second, client and feed, indexes and triggers as they are`,
    },
  ]
}

let phone = 80_000_000
const person = (row: number) => ({
  row,
  cells: [
    'Achieng',
    'Odhiambo',
    `07${(phone += 1)}`,
    `imports${phone}@mail.test`,
    String(phone + 19_000_000),
    'Kisumu',
    'County of Kisumu',
  ],
})

interface Run {
  Id: string
  status: string
  counts: Record<string, number>
}

/** Rows a second of the trial and of the import; `from`: the place in the feed before it. */
async function importFile(house: House, headers: Record<string, string>) {
  const send = async (method: string, address: string, body?: object): Promise<Run> => {
    const ask = () => house.call({ path: address, method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    let { status, text } = await ask()
    // A server that is busy with the very import asks for patience.
    while (status === 503) {
      await new Promise((done) => setTimeout(done, 200))
      ;({ status, text } = await ask())
    }
    if (status !== 200) throw new Error(`${method} ${address}: ${status} ${text.slice(0, 300)}`)
    return (JSON.parse(text) as { data: { run: Run } }).data.run
  }
  const over = async (id: string): Promise<Run> => {
    for (;;) {
      const run = await send('GET', `${path}/${id}`)
      if (run.status === 'done') return run
      if (run.status !== 'queued' && run.status !== 'running') throw new Error(`the import is ${run.status}`)
      await new Promise((done) => setTimeout(done, 50))
    }
  }
  const perSecond = (begun: number) => (rows * 1000) / (performance.now() - begun)
  const file = {
    fileName: 'bench.csv',
    headings: ['First name', 'Last name', 'Phone', 'E-mail', 'ID number', 'Town', 'Employer'],
    mapping: ['firstName', 'lastName', 'phonenumber', 'emailAddress', 'idNumber', 'city', 'employer'],
    options: {},
    rows: Array.from({ length: rows }, (_, index) => person(index + 2)),
  }
  const tried = performance.now()
  const { Id } = await send('POST', path, file)
  await over(Id)
  const trial = perSecond(tried)
  const { rows: feed } = await house.admin.query<{ seq: string }>(
    'select coalesce(max(seq), 0)::text as seq from sync_feed where "companyId" = $1',
    [companyId],
  )
  const begun = performance.now()
  await send('POST', `${path}/${Id}/commit`)
  const { counts } = await over(Id)
  const rate = perSecond(begun)
  if (counts['make'] !== rows) throw new Error(`made ${JSON.stringify(counts)}`)
  return { trial, rate, from: Number(feed[0]?.seq ?? 0) }
}

/** Tables that an import fills, their places in the feed, and which rows are ours: other benches put clients there past the feed. */
const tables = [
  ['client', '"syncSeq"', `"emailAddress" like 'imports%@mail.test'`],
  ['sync_feed', '"seq"', 'true'],
] as const

/** Takes the imported rows out and puts the very same back by COPY, in portions of the same size and as durable. */
async function copyRate(client: pg.Client, after: number): Promise<number> {
  const context = `select set_config('app.company', '${companyId}', true), set_config('app.stream', '${companyId}', true)`
  const columns = await Promise.all(tables.map(([table]) => storedColumns(client, table)))
  const texts: Buffer[][] = []
  for (let first = after; first < after + rows; first += portion) {
    const within = (seq: string, isOurs: string) =>
      `"companyId" = '${companyId}' and ${isOurs} and ${seq} > ${first} and ${seq} <= ${first + portion} order by ${seq}`
    const parts: Buffer[] = []
    for (const [at, [table, seq, isOurs]] of tables.entries())
      parts.push(await copyOut(client, `select ${columns[at]} from ${table} where ${within(seq, isOurs)}`))
    texts.push(parts)
  }
  await client.query(`begin; ${context}`)
  for (const [table, seq, isOurs] of tables)
    await client.query(
      `delete from ${table} where "companyId" = '${companyId}' and ${isOurs} and ${seq} > ${after} and ${seq} <= ${after + rows}`,
    )
  await client.query('commit')
  const begun = performance.now()
  for (const parts of texts) {
    await client.query(`begin; ${context}`)
    for (const [at, [table]] of tables.entries())
      await pipeline(Readable.from([parts[at]]), client.query(copyFrom(`copy ${table} (${columns[at]}) from stdin`)))
    await client.query('commit')
  }
  return (rows * 1000) / (performance.now() - begun)
}
