import pg from 'pg'

/** What of pg's connection is spoken to here. */
interface Wire {
  parse(message: { name: string, text: string, types: never[] }): void
  bind(message: { portal: string, statement: string, values: never[] }): void
  execute(message: { portal: string }): void
  sync(): void
}

interface Inherited {
  prepare(connection: Wire): void
  handleCommandComplete(message: unknown, connection: Wire): void
}
const inherited = pg.Query.prototype as unknown as Inherited

const commit = 'commit'
/** Connections on which the statement is prepared. */
const prepared = new WeakSet<Wire>()

/**
 * The only statement of a transaction, with its COMMIT in the same breath: Postgres answers both at once instead of one
 * after the other, which is one packet, and one turn of either program, less. When the statement fails the COMMIT is
 * passed over, and the transaction is still to be ended.
 */
class LastQuery extends pg.Query {
  private isDone = false

  prepare(connection: Wire): void {
    // Before the statement, which may fail and take all after it along.
    if (!prepared.has(connection)) {
      connection.parse({ name: commit, text: commit, types: [] })
      prepared.add(connection)
    }
    inherited.prepare.call(this, connection)
  }

  /** pg's name for what ends the messages of a prepared statement. */
  _getRows(connection: Wire): void {
    connection.execute({ portal: '' })
    connection.bind({ portal: '', statement: commit, values: [] })
    connection.execute({ portal: '' })
    connection.sync()
  }

  handleCommandComplete(message: unknown, connection: Wire): void {
    // The second is that of the COMMIT.
    if (!this.isDone) inherited.handleCommandComplete.call(this, message, connection)
    this.isDone = true
  }
}

/** Sends a statement and the COMMIT of the transaction that was begun for it. */
export function queryAndCommit<Row extends pg.QueryResultRow>(client: pg.PoolClient, config: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
  return new Promise((done, refuse) => {
    const query = new LastQuery({ ...config, queryMode: 'extended' } as pg.QueryConfig)
    Object.assign(query, { callback: (error: Error | null, result: pg.QueryResult<Row>) => (error ? refuse(error) : done(result)) })
    client.query(query)
  })
}
