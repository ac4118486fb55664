import type { Sql } from '../types.ts'
import { sql } from './sql.ts'

/**
 * Waits until no other transaction holds the turn of this name, and holds it until the end of its own: what is asked before a write is still
 * true when it is written. Names that hold an id of a company are that company's.
 */
export async function takeTurn(db: Pick<Sql, 'exec'>, name: string): Promise<void> {
  await db.exec(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}
