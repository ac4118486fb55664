import type pg from 'pg'
import { until } from './until.ts'

/**
 * Ends the connections that a condition of pg_stat_activity names, and waits until they are gone: one that dies late would be another cut.
 * Not for a client within a transaction, in which pg_stat_activity never changes.
 */
export async function endConnections(pool: pg.Pool, where: string, values: readonly unknown[] = []): Promise<void> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from (select pid, pg_terminate_backend(pid) from pg_stat_activity where ${where}) ended`,
    [...values],
  )
  const pids = rows.map(({ pid }) => pid)
  await until(async () => (await pool.query('select from pg_stat_activity where pid = any($1::int[])', [pids])).rowCount === 0)
}
