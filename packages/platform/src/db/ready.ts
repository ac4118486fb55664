import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../log.ts'
import { pgErrorCode, pgErrorKind } from './errors.ts'
import { assertSafeRole } from './pool.ts'

export interface ReadyOptions {
  /** URL of the database; its login and password are never shown. */
  url: string
  pools: readonly pg.Pool[]
  /** How long to wait for a database that does not answer. */
  waitMs: number
  log: Log
}

const pauseMs = 500
const logEveryMs = 10_000

/**
 * Waits until the database answers every role. Throws when a role bypasses row-level security. Throws one line: at once when the
 * database refuses (password, name), after waitMs when it does not answer.
 */
export async function awaitSafeRoles({ url, pools, waitMs, log }: ReadyOptions): Promise<void> {
  const { host, pathname } = new URL(url)
  const began = performance.now()
  for (let saidAt = -logEveryMs; ;) {
    try {
      for (const pool of pools) await assertSafeRole(pool)
      return
    } catch (error) {
      const cause = error instanceof AggregateError ? (error.errors[0] as unknown) : error
      const reason = cause instanceof Error ? cause.message : String(cause)
      const passed = performance.now() - began
      if (!isAbsent(cause) || passed >= waitMs) throw new Error(`DATABASE_URL: cannot use ${host}${pathname}: ${reason}`, { cause: error })
      if (passed - saidAt >= logEveryMs) {
        saidAt = passed
        log.warn({ reason, database: `${host}${pathname}` }, 'waiting for the database')
      }
      await wait(pauseMs)
    }
  }
}

/** True when nothing answers yet, as opposed to a refusal. */
function isAbsent(error: unknown): boolean {
  const kind = pgErrorKind(error)
  if (kind === 'unreachable' || kind === 'busy') return true
  const { syscall } = error as { syscall?: unknown }
  return pgErrorCode(error) === undefined && typeof syscall === 'string'
}
