import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/** The columns that a COPY may write: those that Postgres does not compute itself. */
export async function storedColumns(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  return rows[0]?.columns ?? '*'
}

/** Rows of a query as COPY writes them. */
export async function copyOut(client: pg.Client, query: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of client.query(copyTo(`copy (${query}) to stdout`))) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
