import pg from 'pg'

/**
 * Context and statement as ONE implicit transaction of the extended protocol: Bind and Execute of the prepared statement that sets the
 * context, then the statement, then one Sync. No BEGIN, no COMMIT, no text to parse. Everything up to the Sync is one transaction, so
 * what `set_config(..., true)` set ends with it, whether the statement succeeds, fails or is cancelled.
 */
const contextName = 'set context'
const contextText = `select set_config('transaction_read_only', 'on', true), set_config('app.company', $1, true), set_config('app.scope', $2, true),
  set_config('app.user', $3, true), set_config('app.tenant', $4, true)`

/** Values of app.company, app.scope, app.user and app.tenant. */
export type ContextValues = readonly [company: string, scope: string, user: string, tenant: string]

/** Pools of roles that may call set_config; reports and the geo service may not and set their context in the text of BEGIN. */
const settablePools = new WeakSet<pg.Pool>()
export const allowImplicit = (pool: pg.Pool): void => void settablePools.add(pool)
export const mayBeImplicit = (pool: pg.Pool): boolean => settablePools.has(pool)

/** Runs a reading statement in a context on a connection without a transaction. */
export async function queryInContext<Row extends object>(
  client: pg.PoolClient,
  values: ContextValues,
  config: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  // Once per connection; it runs in a transaction of its own, so what it sets ends at once.
  if (!Object.hasOwn(wireOf(client).parsedStatements, contextName))
    await client.query({ name: contextName, text: contextText, values: ['', '', '', ''] })
  return new Promise<pg.QueryResult<Row>>((resolve, reject) => {
    const done: Done = (error, result) => (error ? reject(error) : resolve(result as pg.QueryResult<Row>))
    client.query(new ContextQuery(values, config, done) as unknown as pg.Submittable)
  }).catch((error: unknown) => {
    // Without this the stack trace shows the socket instead of the caller.
    if (error instanceof Error) Error.captureStackTrace(error, queryInContext)
    throw error
  })
}

type Done = (error: Error | null, result: pg.QueryResult) => void

/** The parts of pg's Query and Connection that are used here and missing in its types. */
interface Wire {
  parsedStatements: Record<string, string>
  bind(of: { portal: string; statement: string; values: readonly string[] }): void
  execute(of: { portal: string }): void
}
interface WireQuery {
  prepare(wire: Wire): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, wire: Wire): void
}
const Query = pg.Query as unknown as new (config: object, values: undefined, done: Done) => WireQuery

const wireOf = (client: pg.PoolClient) => (client as unknown as { connection: Wire }).connection

/** A query that ignores its first result, that of the context. */
class ContextQuery extends Query {
  readonly #context: ContextValues
  #isSet = false

  constructor(context: ContextValues, config: pg.QueryConfig, done: Done) {
    super({ ...config, queryMode: 'extended' }, undefined, done)
    this.#context = context
  }

  // Called once the statement is known to be valid, so that a Sync always follows.
  override prepare(wire: Wire): void {
    wire.bind({ portal: '', statement: contextName, values: this.#context })
    wire.execute({ portal: '' })
    super.prepare(wire)
  }

  override handleDataRow(message: unknown): void {
    if (this.#isSet) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#isSet) super.handleCommandComplete(message, wire)
    this.#isSet = true
  }
}
