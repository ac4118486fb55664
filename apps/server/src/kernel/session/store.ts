import { readerIn, transactionIn } from '@outpost/platform/db/context'
import type { Pools } from '@outpost/platform/db/pool'
import type { Sql } from '@outpost/platform/types'

/** The door of the role fx_auth: identities, sessions and secrets of every company, and nothing else. */
export interface AuthStore {
  /** Reads; each statement in a transaction of its own. */
  sql: Sql
  /** One transaction. The company is needed only to write its audit log or outbox. */
  write<Result>(companyId: string | null, run: (sql: Sql) => Promise<Result>): Promise<Result>
}

export function createAuthStore(pools: Pick<Pools, 'auth'>): AuthStore {
  const context = (company: string | null) => ({ company, scope: '*' as const, user: null, tenant: null })
  return {
    sql: readerIn(pools.auth, context(null)),
    write: (company, run) => transactionIn(pools.auth, context(company), run),
  }
}
