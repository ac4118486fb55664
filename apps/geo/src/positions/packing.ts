import type { GeoPools } from '@outpost/platform/db/pool'

const day = 86_400_000
/** Late messages come within two days, nearly all of them. */
const restMs = 2 * day
/** However large a week is. */
const patienceMs = 6 * 3_600_000

export interface PackOptions {
  /** Epoch milliseconds. */
  now: number
  /** Ends it where it is: it rejects, and what it leaves is cleared away the next time. */
  signal: AbortSignal
}

/**
 * Packs the weeks of positions that have ended: their rows are frozen and their index, half empty by then, is built
 * anew beside the old one, while everybody goes on reading and writing. Returns how many weeks that were; 0 also when
 * another process is at it.
 */
export async function packWeeks(pool: GeoPools['ingest'], { now, signal }: PackOptions): Promise<number> {
  signal.throwIfAborted()
  const client = await pool.connect()
  const run = <Row extends object>(text: string, values: unknown[] = []) => {
    signal.throwIfAborted()
    const config = { text, values, query_timeout: patienceMs }
    return client.query<Row>(config)
  }
  const { rows: [own] } = await run<{ pid: number, isMine: boolean }>(`select pg_backend_pid() as "pid", pg_try_advisory_lock(hashtext('geo packing')) as "isMine"`)
  const cancel = () => void pool.query('select pg_cancel_backend($1)', [own?.pid]).catch(() => undefined)
  signal.addEventListener('abort', cancel)
  try {
    if (!own?.isMine) return 0
    const { rows: weeks } = await run<{ week: string, index: string }>('select "week", "index" from geo.loose_weeks($1)', [new Date(now - restMs)])
    // The last: Postgres ends the work of who has gone.
    for (const setting of ['statement_timeout = 0', 'lock_timeout = 0', `client_connection_check_interval = '2s'`]) await run(`set ${setting}`)
    for (const { week, index } of weeks) {
      await run(`vacuum (freeze, analyze) ${week}`)
      await run(`reindex index concurrently ${index}`)
    }
    return weeks.length
  } finally {
    signal.removeEventListener('abort', cancel)
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined)
    // Never given back: it waits longer than a connection of the pool may.
    client.release(true)
  }
}
