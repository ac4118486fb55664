import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

/** A transaction that is going on, and the connection it goes on in. */
export interface Running {
  client: pg.PoolClient
  isOpen: boolean
}

/** Carries the running transaction to Prisma, whose calls have no parameter for it. Set in context.ts only. */
export const running = new AsyncLocalStorage<Running>()
