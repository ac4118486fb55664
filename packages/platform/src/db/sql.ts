import pg from 'pg'
import type { SqlValue, Statement } from '../types.ts'

/** A placeholder of the tag: a value (sent apart from the text) or another statement (inserted as text). */
export type SqlPart = SqlValue | undefined | Statement

interface Source {
  strings: readonly string[]
  parts: readonly SqlPart[]
}

// Only registered statements are inserted as text. An object of the same shape that came in as data stays a value.
const sources = new WeakMap<object, Source>()

/**
 * Builds a statement from text and values: sql`select * from lead where "id" = ${id} ${order}`. Values become $1, $2...; undefined
 * becomes null; nested statements are renumbered.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly SqlPart[]): Statement {
  return make({ strings, parts })
}

/** A quoted identifier, dotted when there are several: identifier('l', 'firstName') is "l"."firstName". */
export function identifier(...names: readonly string[]): Statement {
  return trusted(names.map((name) => pg.escapeIdentifier(name)).join('.'))
}

/** Unescaped text. For constants of the program only: never for anything a caller sent. */
export function trusted(text: string): Statement {
  return make({ strings: [text], parts: [] })
}

/** Joins statements or values with a separator; nothing for an empty list. */
export function join(parts: readonly SqlPart[], separator = ', '): Statement {
  if (parts.length === 0) return empty
  const between = Array.from({ length: parts.length - 1 }, () => separator)
  return make({ strings: ['', ...between, ''], parts })
}

/** Combines conditions with and; true when there is none. */
export function every(conditions: readonly Statement[]): Statement {
  if (conditions.length === 0) return trusted('true')
  return join(
    conditions.map((condition) => sql`(${condition})`),
    ' and ',
  )
}

/** Combines conditions with or; false when there is none. */
export function some(conditions: readonly Statement[]): Statement {
  if (conditions.length === 0) return trusted('false')
  return sql`(${join(
    conditions.map((condition) => sql`(${condition})`),
    ' or ',
  )})`
}

export const empty: Statement = trusted('')

/** The same statement, prepared once per connection under this name: for hot statements with stable text. */
export function named(name: string, statement: Statement): Statement {
  const copy = { text: statement.text, values: statement.values, name }
  const source = sources.get(statement)
  if (source) sources.set(copy, source)
  return copy
}

/** Escapes %, _ and \ for a LIKE pattern. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

function make(source: Source): Statement {
  let flat: { text: string; values: SqlValue[] } | undefined
  const flatten = () => (flat ??= flattenSource(source))
  const statement: Statement = {
    get text() {
      return flatten().text
    },
    get values() {
      return flatten().values
    },
  }
  sources.set(statement, source)
  return statement
}

function flattenSource(source: Source): { text: string; values: SqlValue[] } {
  const values: SqlValue[] = []
  return { text: appendPart(source, values), values }
}

function appendPart({ strings, parts }: Source, values: SqlValue[]): string {
  let text = strings[0] ?? ''
  parts.forEach((part, index) => {
    const nested = typeof part === 'object' && part !== null ? sources.get(part) : undefined
    text += nested ? appendPart(nested, values) : `$${values.push((part ?? null) as SqlValue)}`
    text += strings[index + 1] ?? ''
  })
  return text
}
