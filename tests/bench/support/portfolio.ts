import pg from 'pg'
import { companyId } from './rows.ts'

/** Tables of a portfolio, in no order that matters: walls and references are checked by nobody while they are filled. */
const tables = [
  'client',
  'loan',
  'loan_instalment',
  'disbursement',
  'payment',
  'ledger_entry',
  'ledger_line',
  'loan_transaction',
  'payment_allocation',
  'loan_penalty',
  'payment_promise',
] as const
type Table = (typeof tables)[number]
const snapshots = ['loan_snapshot', 'loan_snapshot_stale', 'loan_snapshot_day'] as const

/** An id of the copy n, beside $3 loans before: ids of one copy lie side by side in an index, as those do that are drawn by the time. */
const idOf = (column: string) => `(lpad(to_hex(n.n + $3::int), 8, '0') || substr(md5(t."${column}"::text || (n.n + $3::int)), 9))::uuid`
const counted = (column: string) => `t."${column}" + n.n * s.most`
const digits = (start: string) => `'${start}' || lpad((n.n * s.most + s.place)::text, 8, '0')`

/** What a copy has of its own; `s.most` is how many rows there are of the table, `s.place` which one it is. */
const own: Partial<Record<Table, Record<string, string>>> = {
  client: {
    lastName: `left(t."lastName", 40) || ' ' || initcap(translate(left(md5(n.n::text), 6), '0123456789', 'ghijklmnop'))`,
    phonenumber: digits('+2541'),
    trimmedPhonenumber: digits('2541'),
    emailAddress: `(n.n + $3::int) || '.' || t."emailAddress"`,
    idNumber: digits('5'),
    leadId: 'null',
    ussdPinHash: 'null',
    ussdDevice: 'null',
    ussdSecuredAt: 'null',
    syncSeq: '0',
    searchText: `upper(concat_ws(' ', t."firstName", t."lastName", ${digits('2541')}))`,
  },
  loan: {
    number: counted('number'),
    applicationId: 'null',
    searchText: `'L-' || lpad((${counted('number')})::text, 6, '0') || ' ' || upper(t."productName")`,
    // What runs is to be accrued anew, by the run that is measured.
    interestAccrued: `case when t."status" = 'Active' then 0 else t."interestAccrued" end`,
    accruedTo: `case when t."status" = 'Active' then null else t."accruedTo" end`,
  },
  disbursement: { number: counted('number'), providerReference: `t."providerReference" || 'C' || (n.n + $3::int)` },
  payment: { number: counted('number'), providerReference: `t."providerReference" || 'C' || (n.n + $3::int)` },
  payment_promise: { number: counted('number') },
  ledger_entry: { key: `t."key" || ':' || (n.n + $3::int)` },
}
const ids = ['id', 'loanId', 'clientId', 'paymentId', 'entryId', 'reversesId']
const numbered: Readonly<Record<string, string>> = {
  loan: 'loan',
  disbursement: 'disbursement',
  payment: 'payment',
  payment_promise: 'paymentPromise',
}

/**
 * Fills Sunrise Credit up to about so many loans (a whole number of copies of its demo portfolio), each with its client, schedule, payments, penalties and
 * ledger, all in line with one another; those that run are not accrued. Indexes are built anew at the end. Gives how many there are.
 */
export async function addLoans(admin: pg.Pool, count: number): Promise<number> {
  await restNights(admin)
  const client = await admin.connect()
  try {
    const have = await countOf(client, 'loan')
    const copies = Math.ceil(count / have) - 1
    if (copies < 1) return have
    const begun = performance.now()
    await takeTables(client)
    for (const table of tables) await copyRows(client, { table, copies, have })
    for (const [table, objectType] of Object.entries(numbered))
      await client.query(
        `update record_counter set "last" = (select max("number") from ${table} where "companyId" = $1) where "companyId" = $1 and "objectType" = $2`,
        [companyId, objectType],
      )
    await client.query(`delete from record_number where "companyId" = $1`, [companyId])
    // What is written with triggers off marks no snapshot: they are taken anew.
    for (const table of snapshots) await client.query(`delete from ${table}`)
    await client.query('commit')
    for (const table of tables) await client.query(`vacuum analyze ${table}`)
    const made = await countOf(client, 'loan')
    console.log(`${made - have} loans made in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    return made
  } finally {
    client.release()
  }
}

export async function countOf(db: pg.Pool | pg.PoolClient, table: Table): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from ${table} where "companyId" = $1`, [companyId])
  return rows[0]?.count ?? 0
}

/** Has the nights of the portfolio wait until after the bench, and waits for what has begun: it reads and locks the very tables that are filled and measured. */
export async function restNights(admin: pg.Pool): Promise<void> {
  for (;;) {
    await admin.query(
      `update outbox set "runAt" = now() + interval '2 days' where "companyId" = $1 and "type" like 'loans.%' and "status" = 'new' and "runAt" < now() + interval '1 day'`,
      [companyId],
    )
    const { rowCount } = await admin.query(`select from outbox where "companyId" = $1 and "status" in ('sent', 'running') limit 1`, [
      companyId,
    ])
    if (rowCount === 0) return
    await new Promise((done) => setTimeout(done, 200))
  }
}

/** Takes all tables before anything is written: whoever holds one meanwhile is waited for, and where each waits for the other the fill begins anew. */
async function takeTables(client: pg.PoolClient): Promise<void> {
  for (;;) {
    await client.query(`begin; set local session_replication_role = 'replica'; set local synchronous_commit = off; set local work_mem = '256MB';
      set local maintenance_work_mem = '512MB'`)
    try {
      await client.query(`lock table ${[...tables, ...snapshots].join(', ')} in access exclusive mode`)
      return
    } catch (error) {
      await client.query('rollback')
      if (!(error instanceof pg.DatabaseError) || error.code !== deadlock) throw error
    }
  }
}
const deadlock = '40P01'

async function copyRows(client: pg.PoolClient, { table, copies, have }: { table: Table; copies: number; have: number }): Promise<void> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.indexname as name, i.indexdef as definition from pg_indexes i where i.tablename = $1 and i.schemaname = 'public' and i.indexname <> $1 || '_pkey'`,
    [table],
  )
  for (const { name } of indexes) await client.query(`drop index ${pg.escapeIdentifier(name)}`)
  const values = columns.map(({ name }) => own[table]?.[name] ?? (ids.includes(name) ? idOf(name) : `t.${pg.escapeIdentifier(name)}`))
  const skipped =
    table === 'ledger_entry'
      ? `and not (t."kind" = 'accrual' and exists (select from loan l where l."companyId" = t."companyId" and l."id" = t."loanId" and l."status" = 'Active'))`
      : table === 'ledger_line'
        ? `and not exists (select from ledger_entry e join loan l on l."companyId" = e."companyId" and l."id" = e."loanId" and l."status" = 'Active'
            where e."companyId" = t."companyId" and e."id" = t."entryId" and e."kind" = 'accrual')`
        : ''
  // The demo's own rows are those that the copies are made of: nothing is written meanwhile.
  await client.query(
    `insert into ${table} (${columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ')})
    select ${values.join(', ')} from generate_series(1, $2::int) n(n)
      cross join lateral (select t.*, row_number() over () as own_place from ${table} t where t."companyId" = $1 ${skipped}) t
      cross join lateral (select t.own_place as place, (select count(*) from ${table} c where c."companyId" = $1) as most) s
    order by n.n`,
    [companyId, copies, have],
  )
  for (const { definition } of indexes) await client.query(definition)
}
