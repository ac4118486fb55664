import type { Socket } from 'node:net'
import type pg from 'pg'
import type { DbContext, Sql, Statement } from '../types.ts'
import { passFence } from '../fence.ts'
import { pgErrorKind } from './errors.ts'
import { mayBeImplicit, queryInContext, type ContextValues } from './implicit.ts'
import { running, type Running } from './cluster/running.ts'
import { clientSql, firstText, queryConfig, readCursor, single, atMostOne } from './statements.ts'

const retries = 3
const connectionTries = 3

export interface TransactionOptions {
  /** Retries (at most three times) after a deadlock or serialization failure: run must then be repeatable. */
  retry?: boolean
}

/**
 * Runs one statement in a READ ONLY transaction of its own that carries the context, in a single round trip. This file (and implicit.ts
 * on its behalf) is the only place that sets a context; the context always ends with the transaction.
 */
export async function readIn<Row extends object = Record<string, unknown>>(
  pool: pg.Pool,
  context: DbContext,
  statement: Statement,
): Promise<Row[]> {
  return (await readResult<Row>(pool, context, queryConfig(statement))).rows
}

/** Reads outside a transaction: every statement is a readIn of its own. Streams, which last long, may use a pool of their own. */
export function readerIn(pool: pg.Pool, context: DbContext, forStreams: pg.Pool = pool): Sql {
  const query = <Row extends object>(statement: Statement) => readIn<Row>(pool, context, statement)
  return {
    query,
    one: async <Row extends object>(statement: Statement) => single(await query<Row>(statement)),
    maybe: async <Row extends object>(statement: Statement) => atMostOne(await query<Row>(statement)),
    exec: async (statement) => (await readResult(pool, context, queryConfig(statement))).rowCount ?? 0,
    text: async (statement) => firstText(await readResult(pool, context, queryConfig(statement, 'unparsed'))),
    stream: (statement) => streamIn(forStreams, context, statement),
  }
}

/**
 * Runs a function in one transaction that carries the context; commits when it returns, rolls back when it throws. Its sql fails
 * afterwards. Prisma calls inside use the same connection.
 */
export async function transactionIn<Result>(
  pool: pg.Pool,
  context: DbContext,
  run: (sql: Sql) => Promise<Result>,
  { retry = false }: TransactionOptions = {},
): Promise<Result> {
  const once = () => runTransaction(pool, context, run)
  return retry ? repeatOnConflict(once) : once()
}

/** Repeats, at most three times, what a deadlock or a serialization failure rolled back; run must be repeatable. */
export async function repeatOnConflict<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      const kind = pgErrorKind(error)
      const isRepeatable = kind === 'deadlock' || kind === 'serialization'
      if (!isRepeatable || attempt > retries) throw error
      await new Promise((done) => setTimeout(done, Math.random() * 20 * 2 ** attempt))
    }
  }
}

/** A read changes nothing, so it is sent again on another connection when its connection turns out to be dead. */
async function readResult<Row extends object>(pool: pg.Pool, context: DbContext, config: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
  const values = contextValues(context)
  const read = mayBeImplicit(pool) ? queryInContext<Row> : queryBetween<Row>
  return withLiveClient(pool, async (client) => {
    const answer = await read(client, values, config)
    releaseClient(client)
    return answer
  })
}

/** For roles that may not call set_config: begin with the context in its text, the statement and commit, in one write. */
async function queryBetween<Row extends object>(
  client: pg.PoolClient,
  values: ContextValues,
  config: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const begin = beginText(values, 'read only')
  const answers = await inOneWrite(client, () =>
    Promise.allSettled([client.query(begin), client.query<Row>(config), client.query('commit')]),
  )
  const failed = answers.find((answer) => answer.status === 'rejected')
  const [, answer] = answers
  if (failed || answer.status === 'rejected') throw failed?.reason
  return answer.value
}

/** Sends the statements queued by send in one write of the socket; each would otherwise be a system call of its own on both sides. */
function inOneWrite<Result>(client: pg.PoolClient, send: () => Result): Result {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}

/**
 * Connections that died in the pool (a restart, a firewall) fail at their first statement. use must be repeatable; when it fails the
 * connection is released here, else use keeps it.
 */
async function withLiveClient<Result>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const client = await pool.connect()
    try {
      return await use(client)
    } catch (error) {
      releaseClient(client, error)
      if (pgErrorKind(error) !== 'unreachable' || attempt === connectionTries) throw error
      // Gives the pool time to notice the other connections that died.
      await new Promise((done) => setTimeout(done, 10 * attempt))
    }
  }
}

const openTransaction = (pool: pg.Pool, begin: string) =>
  withLiveClient(pool, async (client) => {
    await client.query(begin)
    return client
  })

async function* streamIn<Row extends object>(pool: pg.Pool, context: DbContext, statement: Statement): AsyncGenerator<Row> {
  const client = await openTransaction(pool, beginText(contextValues(context), 'read only'))
  try {
    yield* readCursor<Row>(client, statement)
  } finally {
    // Also reached when the reader leaves early: nothing was written, so there is nothing to commit.
    await client.query('rollback').catch(() => undefined)
    releaseClient(client)
  }
}

async function runTransaction<Result>(pool: pg.Pool, context: DbContext, run: (sql: Sql) => Promise<Result>) {
  await passFence()
  const client = await openTransaction(pool, beginText(contextValues(context), 'read write'))
  const transaction: Running = { client, isOpen: true }
  let failure: unknown
  try {
    // Awaited inside: a Prisma call starts only when it is awaited.
    const result = await running.run(transaction, async () => await run(clientSql(transaction)))
    transaction.isOpen = false
    await commit(client)
    return result
  } catch (error) {
    transaction.isOpen = false
    // Fails only when the connection is lost, and the transaction with it.
    await client.query('rollback').catch(() => undefined)
    failure = error
    throw error
  } finally {
    releaseClient(client, failure)
  }
}

/** After a failed statement, Postgres answers COMMIT with a rollback and no error: a swallowed error must not count as saved. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('commit')
  if (command === 'ROLLBACK') throw new Error('The transaction was rolled back: one of its statements had failed')
}

/** Only a connection that is certainly outside a transaction is returned to the pool; any other is closed. */
function releaseClient(client: pg.PoolClient, failure?: unknown): void {
  // A connection that never answers still has its old state.
  const isSilent = ['unreachable', 'statementTimeout'].includes(pgErrorKind(failure) ?? '')
  client.release(isSilent || client.getTransactionStatus() !== 'I')
}

/**
 * Begins and sets the context in one message. SET LOCAL rather than set_config(..., true), which means the same,
 * because reports run as a role that may not call set_config.
 */
function beginText(values: ContextValues, mode: 'read only' | 'read write'): string {
  const sets = ['company', 'scope', '"user"', 'tenant'].map((name, index) => `set local app.${name} = '${values[index]}'`)
  return `begin ${mode};${sets.join(';')}`
}

function contextValues({ company, scope, user, tenant }: DbContext): ContextValues {
  const reach = scope === '*' ? '*' : `{${scope.map((id) => uuid('scope', id)).join(',')}}`
  return [uuid('company', company), reach, uuid('user', user), uuid('tenant', tenant)]
}

/** These values are part of a statement's text, so only a uuid is accepted. */
function uuid(field: keyof DbContext, value: string | null): string {
  if (value === null) return ''
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) throw new TypeError(`${field}: is not a uuid`)
  return value
}
