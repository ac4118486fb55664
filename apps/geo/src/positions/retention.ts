import { readIn, transactionIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { identifier, sql } from '@outpost/platform/db/sql'
import type { DbContext, Sql } from '@outpost/platform/types'

/** A company's retention, in days; 0 for ever. */
export interface Retention {
  companyId: string
  keepDays: number
  keepTripDays: number
}

const day = 86_400_000
const week = 7 * day
/** Maximum rows of one statement. */
const maxRows = 5_000

/** Reads the retention of each company with devices; `usual` is the default. */
export async function readRetention(pool: GeoPools['ingest'], usual: number): Promise<Retention[]> {
  const { rows } = await pool.query<Retention>(
    `
    select c."companyId", coalesce(s."keepDays", $1)::int as "keepDays", coalesce(s."keepTripDays", 0) as "keepTripDays"
    from (select distinct "companyId" from geo.device) c left join geo.company_setting s on s."companyId" = c."companyId" order by 1`,
    [usual],
  )
  return rows
}

/** Days after which no company needs a position any more: weeks before that are dropped as a whole. 0: some company keeps them for ever. */
export function longestRetention(keeping: readonly Retention[], usual: number): number {
  if (keeping.length === 0) return usual
  return keeping.some(({ keepDays }) => keepDays === 0) ? 0 : Math.max(...keeping.map(({ keepDays }) => keepDays))
}

export interface DeletedRows {
  positions: number
  others: number
}

/**
 * Deletes what companies keep for a shorter time than others: positions a week of a device at a time, the rest some thousand rows at a
 * time, so that no statement is long and nobody waits. May be stopped at any time and repeated.
 */
export async function deleteExpiredRows(
  pool: GeoPools['geo'],
  { keeping, longest, now, signal }: { keeping: readonly Retention[]; longest: number; now: number; signal?: AbortSignal },
): Promise<DeletedRows> {
  const forgotten: DeletedRows = { positions: 0, others: 0 }
  for (const { companyId, keepDays, keepTripDays } of keeping) {
    if (signal?.aborted) break
    const context: DbContext = { company: companyId, scope: '*', user: null, tenant: null }
    if (keepDays > 0 && keepDays !== longest)
      forgotten.positions += await deletePositions(pool, context, new Date(now - keepDays * day), signal)
    if (keepTripDays > 0) forgotten.others += await deleteOthers(pool, context, new Date(now - keepTripDays * day), signal)
  }
  return forgotten
}

async function deletePositions(pool: GeoPools['geo'], context: DbContext, before: Date, signal?: AbortSignal): Promise<number> {
  const devices = await readIn<{ id: string }>(pool, context, sql`select "id" from geo.device where "companyId" = ctx.company()`)
  let count = 0
  for (const { id } of devices) {
    for (let rows = 1; rows > 0 && !signal?.aborted; count += rows)
      rows = await exclusively(pool, context, (db) => deleteWeek(db, id, before))
  }
  return count
}

/** Deletes the oldest week of a device, as far as it has expired. */
async function deleteWeek(db: Sql, deviceId: string, before: Date): Promise<number> {
  const { oldest } = await db.one<{ oldest: Date | null }>(sql`
    select min("fixTime") as "oldest" from geo.position where "companyId" = ctx.company() and "deviceId" = ${deviceId} and "fixTime" < ${before}`)
  if (oldest === null) return 0
  const until = new Date(Math.min(oldest.getTime() + week, before.getTime()))
  return db.exec(
    sql`delete from geo.position where "companyId" = ctx.company() and "deviceId" = ${deviceId} and "fixTime" >= ${oldest} and "fixTime" < ${until}`,
  )
}

/** Rows made from positions, by their end time: what is still open stays. Reactions are deleted with their events. */
const others = [
  ['trip', 'startTime', 'endTime'],
  ['stop', 'startTime', 'endTime'],
  ['engine_session', 'startTime', 'endTime'],
  ['episode', 'startTime', 'endTime'],
  ['visit', 'enterTime', 'exitTime'],
  ['event', 'eventTime', 'eventTime'],
] as const

async function deleteOthers(pool: GeoPools['geo'], context: DbContext, before: Date, signal?: AbortSignal): Promise<number> {
  let count = 0
  for (const [table, start, end] of others) {
    for (let rows = maxRows; rows === maxRows && !signal?.aborted; count += rows) {
      rows = await exclusively(pool, context, (db) =>
        db.exec(sql`
        delete from ${identifier('geo', table)} where ctid = any(array(select t.ctid from ${identifier('geo', table)} t
          where t."companyId" = ctx.company() and t.${identifier(start)} < ${before} and t.${identifier(end)} < ${before} limit ${maxRows}))`),
      )
    }
  }
  return count
}

/** Runs in a transaction, unless another process is deleting for this company: then it does nothing. */
function exclusively(pool: GeoPools['geo'], context: DbContext, run: (db: Sql) => Promise<number>): Promise<number> {
  return transactionIn(
    pool,
    context,
    async (db) => {
      const { isMine } = await db.one<{ isMine: boolean }>(
        sql`select pg_try_advisory_xact_lock(hashtextextended(${`geo retention ${context.company}`}, 0)) as "isMine"`,
      )
      return isMine ? run(db) : 0
    },
    { retry: true },
  )
}
