import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

/** A running transaction and its connection. */
export interface Running {
  client: pg.PoolClient
  isOpen: boolean
}

/** Passes the running transaction to Prisma, whose calls have no parameter for it. Set in context.ts only. */
export const running = new AsyncLocalStorage<Running>()
