import { createHash } from 'node:crypto'
import { Mutex } from 'es-toolkit/promise/mutex'
import { LRUCache } from 'lru-cache'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { later } from '../../kernel/session/clock.ts'
import type { SessionServices } from '../../kernel/session/services.ts'

/** Wrong passwords that are free; each further one doubles the wait, up to a minute. Nobody is ever locked out for good. */
const freeFailures = 5
const longestWaitSeconds = 60

/** Seconds to wait after so many failures in a row. */
export function waitAfter(failures: number): number {
  return failures < freeFailures ? 0 : Math.min(longestWaitSeconds, 2 ** (failures - freeFailures + 1))
}

export interface Attempts {
  /** Runs one try of a name after the other: of many at once no more are made before the wait than one by one. */
  inTurn<Result>(name: string, run: () => Promise<Result>): Promise<Result>
  mayTry(name: string): boolean
  failed(name: string): void
  succeeded(name: string): void
}

const perProcess = new WeakMap<SessionServices, Attempts>()

/**
 * Counts by the name that was typed, whether or not there is such a user, so that the answer 429 reveals nothing.
 * Guesses spread over several processes meet the count in the database, see isHeld.
 */
export function attemptsOf(services: SessionServices): Attempts {
  const before = perProcess.get(services)
  if (before) return before
  const { clock } = services
  const known = new LRUCache<string, { failures: number; nextAt: number }>({ max: 20_000 })
  const turns = new Map<string, Mutex>()
  const keyOf = (name: string) => createHash('sha256').update(name.trim().toLowerCase()).digest('base64')
  const attempts: Attempts = {
    inTurn: async (name, run) => {
      const key = keyOf(name)
      const turn = turns.get(key) ?? new Mutex()
      turns.set(key, turn)
      await turn.acquire()
      try {
        return await run()
      } finally {
        turn.release()
        // Locked still where another one waited.
        if (!turn.isLocked) turns.delete(key)
      }
    },
    mayTry: (name) => (known.get(keyOf(name))?.nextAt ?? 0) <= clock.now(),
    failed: (name) => {
      const failures = (known.get(keyOf(name))?.failures ?? 0) + 1
      known.set(keyOf(name), { failures, nextAt: clock.now() + waitAfter(failures) * 1_000 })
    },
    succeeded: (name) => void known.delete(keyOf(name)),
  }
  perProcess.set(services, attempts)
  return attempts
}

interface Account {
  companyId: string
  id: string
}

/** True while the account waits after too many failures, counted over all processes. */
export function isHeld({ nextTryAt }: { nextTryAt: Date | null }, services: SessionServices): boolean {
  return nextTryAt !== null && nextTryAt.getTime() > services.clock.now()
}

/**
 * Writes a wrong password (or a passkey that did not prove anything: `detail`) down for each account it was tried on: the count that delays the next one, and a line in the
 * login report. For a name that nobody has the same statements touch no row, and no disk is waited for, so that the
 * time of the answer does not reveal which it was.
 */
export async function recordFailures(
  services: SessionServices,
  accounts: readonly Account[],
  from: { ip: string; userAgent: string },
  detail: string | null = null,
): Promise<void> {
  const now = later(services.clock)
  const tried = sql`unnest(${accounts.map(({ companyId }) => companyId)}::uuid[], ${accounts.map(({ id }) => id)}::uuid[]) tried("companyId", "userId")`
  await services.store.write(null, async (db) => {
    await db.exec(sql`set local synchronous_commit = off`)
    await db.exec(sql`
      update credential c set "failedCount" = c."failedCount" + 1,
        "nextTryAt" = case when c."failedCount" + 1 >= ${freeFailures}
          then ${now}::timestamptz + least(${longestWaitSeconds}, power(2, least(c."failedCount" + 2 - ${freeFailures}, 20))) * interval '1 second' end
      from ${tried} where c."companyId" = tried."companyId" and c."userId" = tried."userId"`)
    await db.exec(sql`
      insert into login_event ("companyId", "id", "userId", "kind", "ip", "userAgent", "detail", "dateCreated")
      select "companyId", uuidv7(), "userId", 'refused', ${from.ip}, ${from.userAgent.slice(0, 300)}, ${detail}, ${now} from ${tried}`)
  })
}

/** Who has proven who they are starts anew. */
export async function forgetFailures(db: Sql, { companyId, userId }: { companyId: string; userId: string }): Promise<void> {
  await db.exec(sql`
    update credential set "failedCount" = 0, "nextTryAt" = null
    where "companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid and "failedCount" > 0`)
}
