import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Sql, Statement } from '../types.ts'
import type { Running } from './cluster/running.ts'

const batchSize = 500
const asText = { getTypeParser: () => (text: unknown) => text }

/** The Sql interface of one transaction; it throws once the transaction is over. */
export function clientSql(transaction: Running): Sql {
  const run = <Row extends object>(config: pg.QueryConfig) => {
    assertOpen(transaction)
    return transaction.client.query<Row>(config)
  }
  const query = async <Row extends object>(statement: Statement) => (await run<Row>(queryConfig(statement))).rows
  return {
    query,
    one: async <Row extends object>(statement: Statement) => single(await query<Row>(statement)),
    maybe: async <Row extends object>(statement: Statement) => atMostOne(await query<Row>(statement)),
    exec: async (statement) => (await run(queryConfig(statement))).rowCount ?? 0,
    text: async (statement) => firstText(await run(queryConfig(statement, 'unparsed'))),
    stream: (statement) => {
      assertOpen(transaction)
      return readCursor(transaction.client, statement)
    },
  }
}

function assertOpen(transaction: Running): void {
  if (!transaction.isOpen) throw new Error('This transaction is over: a statement came after its end')
}

/** pg's form of a statement; unparsed keeps every column as the text that Postgres sent. */
export function queryConfig({ text, values, name }: Statement, mode?: 'unparsed'): pg.QueryConfig {
  const config: pg.QueryConfig = { text, values }
  if (name !== undefined) config.name = name
  if (mode === 'unparsed') config.types = asText
  return config
}

/**
 * Reads rows through a cursor of the running transaction, one batch ahead of the reader, so that memory stays constant. A cursor in SQL,
 * because pg's own keeps a portal open, which a pipelined connection cannot.
 */
export async function* readCursor<Row extends object>(client: pg.PoolClient, statement: Statement): AsyncGenerator<Row> {
  const name = `stream_${randomUUID().replaceAll('-', '')}`
  await client.query({ text: `declare ${name} no scroll cursor for ${statement.text}`, values: statement.values })
  const fetchBatch = () => {
    const batch = client.query<Row>(`fetch ${batchSize} from ${name}`)
    // The reader may leave before it asks for this batch; an error in it then concerns nobody.
    batch.catch(() => undefined)
    return batch
  }
  let next = fetchBatch()
  for (;;) {
    const { rows } = await next
    if (rows.length === batchSize) next = fetchBatch()
    yield* rows
    if (rows.length < batchSize) break
  }
  await client.query(`close ${name}`)
}

/** The only row; an error when there is none or there are more. */
export function single<Row>(rows: readonly Row[]): Row {
  const row = rows[0]
  if (row === undefined || rows.length > 1) throw new Error(`Expected one row, got ${rows.length}`)
  return row
}

/** The only row, if any; an error when there are more. */
export function atMostOne<Row>(rows: readonly Row[]): Row | undefined {
  if (rows.length > 1) throw new Error(`Expected at most one row, got ${rows.length}`)
  return rows[0]
}

/** First column of the first row. */
export function firstText({ rows, fields }: pg.QueryResult): string {
  const value: unknown = rows[0]?.[fields[0]?.name ?? '']
  if (typeof value !== 'string') throw new Error('Expected a text in the first column of the first row')
  return value
}
