import { createHash } from 'node:crypto'
import { named } from '@outpost/platform/db/sql'
import type { Sql, Statement } from '@outpost/platform/types'

const names = new Map<string, string>()
/** Postgres keeps each in every connection; a text that is never the same is none of these. */
const most = 300

/**
 * Statements of a door that are few and run for ever, each planned once a connection: for one device, planning took
 * longer than running. Their texts must be stable, values apart.
 */
export function prepared(db: Sql): Sql {
  return {
    query: (statement) => db.query(byText(statement)), one: (statement) => db.one(byText(statement)), maybe: (statement) => db.maybe(byText(statement)),
    exec: (statement) => db.exec(byText(statement)), text: (statement) => db.text(byText(statement)), stream: (statement) => db.stream(statement),
  }
}

function byText(statement: Statement): Statement {
  const { text } = statement
  if (!names.has(text) && names.size >= most) return statement
  const name = names.get(text) ?? `geo ${createHash('sha256').update(text).digest('base64url')}`
  names.set(text, name)
  return named(name, statement)
}
