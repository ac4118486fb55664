import pg from 'pg'

/**
 * Inserts many rows in one statement and returns how many. The columns are those of the first row; what it does not
 * name takes the column's default. Postgres converts each value to its column's type.
 */
export async function insertRows(client: pg.ClientBase, table: string, rows: readonly object[]): Promise<number> {
  const first = rows[0]
  if (!first) return 0
  const name = pg.escapeIdentifier(table)
  const columns = Object.keys(first)
    .map((column) => pg.escapeIdentifier(column))
    .join(', ')
  const text = `insert into ${name} (${columns}) select ${columns} from json_populate_recordset(null::${name}, $1::json)`
  const { rowCount } = await client.query(text, [JSON.stringify(rows)])
  return rowCount ?? 0
}

/** Bytes as JSON carries them to Postgres. */
export const bytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`
