import { randomUUID } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { demoId } from '../../prisma/seed/random.ts'
import { copyOut, storedColumns } from './support/copy.ts'
import { interleaved, median, ratios, rounded, rounds, spread, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { againstPouch } from './support/pouch.ts'
import { pusher, batch } from './support/push.ts'
import { companyId } from './support/rows.ts'

const batches = 10

/** What devices send and fetch, against what Postgres can do with the same rows at best and at worst. */
export const bench: Bench = {
  name: 'sync',
  leads: 50_000,
  run: async (house) => [...(await pushFigures(house)), ...(await pullFigures(house))],
}

async function pushFigures(house: House): Promise<Figure[]> {
  const headers = await house.signIn('officer@sunrise.test')
  const before = await lastSeq(house)
  const push = pusher(house, headers)
  await push()
  const pushed: number[] = []
  for (let index = 0; index < batches; index += 1) pushed.push(await push())
  const client = new pg.Client({ connectionString: house.databaseUrl })
  await client.connect()
  try {
    const copied = await copyRate(client, before)
    const rates = median(copied)
    const all = pushed.map((rate) => rate / rates)
    const copy: Figure = {
      name: 'sync push / COPY of the same rows',
      value: rounded(median(all)),
      unit: 'x',
      target: '>= 0.35',
      detail: `${spread(all, ' x')}; ${Math.round(median(pushed))} / ${Math.round(rates)} rows a second, batches of ${batch}, one client`,
    }
    return [
      copy,
      await againstPouch(house, push),
      await againstSingle(house, push, client),
      await withSlowCommits(house, () => againstSingle(house, push, client, '>= 10')),
    ]
  } finally {
    await client.end()
  }
}

const commitDelay = 5

/** What batches save is commits, so the promise is made where a commit costs something: a disk that is far away, 5 ms a flush. */
async function withSlowCommits(house: House, run: () => Promise<Figure>): Promise<Figure> {
  const set = async (delay: number, siblings: number) => {
    await house.admin.query(`alter system set commit_delay = ${delay * 1000}`)
    await house.admin.query(`alter system set commit_siblings = ${siblings}`)
    await house.admin.query('select pg_reload_conf()')
    // Each connection reads it before its next statement.
    await new Promise((done) => setTimeout(done, 300))
  }
  await set(commitDelay, 0)
  try {
    const figure = await run()
    return { ...figure, name: `${figure.name}, commits of ${commitDelay} ms` }
  } finally {
    await set(0, 5)
  }
}

async function againstSingle(house: House, push: () => Promise<number>, client: pg.Client, target?: string): Promise<Figure> {
  const rates = await interleaved({ push, single: () => singleRate(client) })
  const all = ratios(rates.push, rates.single)
  return {
    name: 'sync push / one transaction a change',
    value: rounded(median(all)),
    unit: 'x',
    ...(target ? { target } : {}),
    detail: `${spread(all, ' x')}; ${Math.round(median(rates.push))} / ${Math.round(median(rates.single))} rows a second`,
  }
}

const tables = [
  ['lead', '"syncSeq"'],
  ['sync_feed', '"seq"'],
  ['sync_receipt', '"seq"'],
] as const

/** Takes the pushed rows out and puts the very same back by COPY, in batches of the same size and as durable. */
async function copyRate(client: pg.Client, after: number): Promise<number[]> {
  const columns = await Promise.all(tables.map(([table]) => storedColumns(client, table)))
  const texts: Buffer[][] = []
  for (let index = 1; index <= batches; index += 1) {
    const first = after + index * batch
    const parts: Buffer[] = []
    for (const [at, [table, seq]] of tables.entries()) {
      parts.push(
        await copyOut(
          client,
          `select ${columns[at]} from ${table} where "companyId" = '${companyId}' and ${seq} > ${first} and ${seq} <= ${first + batch} order by ${seq}`,
        ),
      )
    }
    texts.push(parts)
  }
  await client.query(`begin; ${streamContext}`)
  for (const [table, seq] of tables)
    await client.query(
      `delete from ${table} where "companyId" = '${companyId}' and ${seq} > ${after + batch} and ${seq} <= ${after + (batches + 1) * batch}`,
    )
  await client.query('commit')
  const rates: number[] = []
  for (const parts of texts) {
    const begun = performance.now()
    await client.query(`begin; ${streamContext}`)
    for (const [at, [table]] of tables.entries())
      await pipeline(Readable.from([parts[at]]), client.query(copyFrom(`copy ${table} (${columns[at]}) from stdin`)))
    await client.query('commit')
    rates.push((batch * 1000) / (performance.now() - begun))
  }
  return rates
}

const streamContext = `select set_config('app.company', '${companyId}', true), set_config('app.stream', '${companyId}', true)`

let singles = 0

/** Counter, lead, feed, receipt, commit: change by change, as a server does that knows no batches. */
async function singleRate(client: pg.Client): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < 40; index += 1) {
    const begun = performance.now()
    singles += 1
    const values = [companyId, randomUUID(), demoId('NBO-W'), demoId('sunrise officer')]
    await client.query('begin')
    await client.query(streamContext)
    const { rows } = await client.query<{ seq: string }>('select "seq" + 1 as seq from sync_stream where "companyId" = $1 for update', [
      companyId,
    ])
    const seq = rows[0]?.seq
    await client.query({ name: 'single lead', text: singleLead, values: [...values, `2547${40_000_000 + singles}`, seq] })
    await client.query({ name: 'single feed', text: singleFeed, values: [...values.slice(0, 3), seq] })
    await client.query({ name: 'single receipt', text: singleReceipt, values: [companyId, values[1], values[3], seq] })
    await client.query('update sync_stream set "seq" = $2 where "companyId" = $1', [companyId, seq])
    await client.query('commit')
    times.push(performance.now() - begun)
  }
  return 1000 / median(times)
}

const singleLead = `insert into lead ("companyId", "id", "tenantId", "createdByUserId", "firstName", "lastName", "phonenumber", "trimmedPhonenumber", "leadCreatedBy", "syncSeq")
  values ($1, $2, $3, $4, 'Njeri', 'Mwangi', $5, $5, 'Bench', $6)`
const singleFeed = `insert into sync_feed ("companyId", "entityType", "entityId", "tenantId", "seq", "op") values ($1, 'lead', $2, $3, $4, 'put')`
const singleReceipt = `insert into sync_receipt ("companyId", "changeId", "seq", "entityType", "entityId", "userId", "changeType", "result") values ($1, gen_random_uuid(), $4, 'lead', $2, $3, 'INSERT', 'applied')`

/** A device's first sync, page by page, and then its polls when nothing is new. */
async function pullFigures(house: House): Promise<Figure[]> {
  await feedAll(house)
  const headers = await house.signIn('md@sunrise.test')
  const rates: number[] = []
  let [cursor, total] = ['', 0]
  for (let round = 0; round < rounds; round += 1) {
    const { rows, perSecond, end } = await pullAll(house, headers)
    rates.push(perSecond)
    ;[cursor, total] = [end, rows]
  }
  const polls: number[] = []
  for (let index = 0; index < 300; index += 1)
    polls.push((await house.call({ path: `/api/sync/pull?limit=2000&cursor=${encodeURIComponent(cursor)}`, headers })).ms)
  return [
    {
      name: 'sync pull',
      value: Math.round(median(rates)),
      unit: 'rows/s',
      target: '>= 30000',
      detail: `${spread(rates)}; ${total} rows, one client, pages of 2,000`,
    },
    { name: 'empty poll, p50', value: rounded(median(polls.slice(50))), unit: 'ms', target: '<= 2' },
  ]
}

async function pullAll(house: House, headers: Record<string, string>): Promise<{ rows: number; perSecond: number; end: string }> {
  let [rows, took, cursor, isMore] = [0, 0, '', true]
  while (isMore) {
    const { status, text, ms } = await house.call({
      path: `/api/sync/pull?limit=2000${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      headers,
    })
    if (status !== 200) throw new Error(`pull: ${status} ${text.slice(0, 300)}`)
    const answer = JSON.parse(text) as { changes: unknown[]; cursor: string; more: boolean }
    rows += answer.changes.length
    took += ms
    cursor = answer.cursor
    isMore = answer.more
  }
  return { rows, perSecond: (rows * 1000) / took, end: cursor }
}

/** Puts the rows that the bench made into the feed, as if devices had sent them. */
async function feedAll(house: House): Promise<void> {
  await house.admin.query(`begin; ${streamContext};
    with missing as (
      select l."companyId", l."id", l."tenantId", (select "seq" from sync_stream where "companyId" = l."companyId") + row_number() over () as seq
      from lead l where l."companyId" = '${companyId}' and not exists (select from sync_feed f where f."companyId" = l."companyId" and f."entityType" = 'lead' and f."entityId" = l."id")
    ), numbered as (
      update lead set "syncSeq" = seq from missing m where lead."companyId" = m."companyId" and lead."id" = m."id"
    )
    insert into sync_feed ("companyId", "entityType", "entityId", "tenantId", "seq", "op") select "companyId", 'lead', "id", "tenantId", seq, 'put' from missing;
    update sync_stream set "seq" = (select max("seq") from sync_feed f where f."companyId" = sync_stream."companyId") where "companyId" = '${companyId}'; commit`)
  await house.admin.query('vacuum analyze sync_feed, lead')
}

async function lastSeq(house: House): Promise<number> {
  const { rows } = await house.admin.query<{ seq: string }>('select "seq" from sync_stream where "companyId" = $1', [companyId])
  return Number(rows[0]?.seq)
}
