import type { GeoPools } from '@outpost/platform/db/pool'

const day = 86_400_000
/** Nearly all late messages arrive within two days. */
const restMs = 2 * day
/** Regardless of the size of a week. */
const packTimeoutMs = 6 * 3_600_000

export interface PackOptions {
  /** Epoch milliseconds. */
  now: number
  /** Aborts the packing: it rejects, and the next run cleans up what it leaves. */
  signal: AbortSignal
}

/**
 * Packs ended weeks of positions: freezes their rows and rebuilds their index, half empty by then, beside the old one while everybody
 * goes on reading and writing. Returns the number of weeks; 0 also when another process is packing.
 */
export async function packWeeks(pool: GeoPools['ingest'], { now, signal }: PackOptions): Promise<number> {
  signal.throwIfAborted()
  const client = await pool.connect()
  const run = <Row extends object>(text: string, values: unknown[] = []) => {
    signal.throwIfAborted()
    const config = { text, values, query_timeout: packTimeoutMs }
    return client.query<Row>(config)
  }
  const {
    rows: [own],
  } = await run<{ pid: number; isMine: boolean }>(
    `select pg_backend_pid() as "pid", pg_try_advisory_lock(hashtext('geo packing')) as "isMine"`,
  )
  const cancel = () => void pool.query('select pg_cancel_backend($1)', [own?.pid]).catch(() => undefined)
  signal.addEventListener('abort', cancel)
  try {
    if (!own?.isMine) return 0
    const { rows: weeks } = await run<{ week: string; index: string }>('select "week", "index" from geo.loose_weeks($1)', [
      new Date(now - restMs),
    ])
    // Last resort: Postgres ends the work when its client is gone.
    for (const setting of ['statement_timeout = 0', 'lock_timeout = 0', `client_connection_check_interval = '2s'`])
      await run(`set ${setting}`)
    for (const { week, index } of weeks) {
      await run(`vacuum (freeze, analyze) ${week}`)
      await run(`reindex index concurrently ${index}`)
    }
    return weeks.length
  } finally {
    signal.removeEventListener('abort', cancel)
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined)
    // Never returned to the pool: it waits longer than the pool allows.
    client.release(true)
  }
}
