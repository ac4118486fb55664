import { createHash } from 'node:crypto'
import { named } from '@outpost/platform/db/sql'
import type { Sql, Statement } from '@outpost/platform/types'

const names = new Map<string, string>()
/** Postgres stores each of them in every connection; a text that always differs must not be among them. */
const maxStatements = 300

/**
 * Names statements so that each is planned once per connection: for one device, planning took longer than running. Their texts must be
 * stable, with values as parameters.
 */
export function prepared(db: Sql): Sql {
  return {
    query: (statement) => db.query(byText(statement)),
    one: (statement) => db.one(byText(statement)),
    maybe: (statement) => db.maybe(byText(statement)),
    exec: (statement) => db.exec(byText(statement)),
    text: (statement) => db.text(byText(statement)),
    stream: (statement) => db.stream(statement),
  }
}

function byText(statement: Statement): Statement {
  const { text } = statement
  if (!names.has(text) && names.size >= maxStatements) return statement
  const name = names.get(text) ?? `geo ${createHash('sha256').update(text).digest('base64url')}`
  names.set(text, name)
  return named(name, statement)
}
