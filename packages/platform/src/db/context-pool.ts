import pg from 'pg'
import { running, type Running } from './cluster/running.ts'

type Query = string | pg.QueryConfig
type Send = (query: Query) => Promise<pg.QueryResult>

/**
 * A pool without connections: forwards what Prisma's adapter sends to the connection of the running transaction. A transaction that
 * Prisma opens by itself (nested writes) becomes a savepoint there. Overlapping savepoints of one connection would close each other, so
 * such a transaction has the connection for itself until it ends.
 */
export class ContextPool extends pg.Pool {
  // Narrower than pg's overloads: the adapter calls query(config) and connect() only.
  override query = (async (query: Query) => {
    const transaction = current()
    await turns.get(transaction.client)
    return send(transaction, query)
  }) as unknown as pg.Pool['query']

  override connect = (async () => {
    const transaction = current()
    const endTurn = await takeTurn(transaction.client)
    return savepointClient(transaction, endTurn)
  }) as unknown as pg.Pool['connect']
}

const turns = new WeakMap<pg.PoolClient, Promise<void>>()

function current(): Running {
  const transaction = running.getStore()
  if (!transaction) throw new Error('Prisma was called outside a transaction: use ctx.transaction')
  if (!transaction.isOpen) throw new Error('Prisma was called after the end of its transaction')
  return transaction
}

function send(transaction: Running, query: Query): Promise<pg.QueryResult> {
  if (!transaction.isOpen) throw new Error('Prisma was called after the end of its transaction')
  return transaction.client.query(query as pg.QueryConfig)
}

/** Waits for the previous savepoint to end; returns a function that ends this one's turn. */
async function takeTurn(client: pg.PoolClient): Promise<() => void> {
  const before = turns.get(client)
  const { promise, resolve } = Promise.withResolvers<void>()
  turns.set(client, before ? before.then(() => promise) : promise)
  await before
  return resolve
}

/** The part of a client that Prisma's adapter uses in a transaction. One at a time (takeTurn): one name serves all. */
function savepointClient(transaction: Running, endTurn: () => void) {
  const query: Send = (given) => send(transaction, translate(given, 'prisma'))
  return { query, release: endTurn, on: () => undefined, removeListener: () => undefined }
}

function translate(query: Query, name: string): Query {
  const text = typeof query === 'string' ? query : query.text
  if (text === 'BEGIN') return `savepoint ${name}`
  if (text === 'COMMIT') return `release savepoint ${name}`
  if (text === 'ROLLBACK') return `rollback to savepoint ${name}`
  return query
}
