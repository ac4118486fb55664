import { statementsOf, tableName } from './statements.ts'

/** What makes a migration unsafe while the version before still serves. */
export interface Problem {
  rule: keyof typeof rules
  statement: string
  words: string
}

/** Each rule by its name, which an exception repeats: `-- lint-ok <rule>: <reason>`. */
const rules = {
  index: 'create index locks the table against writes: use `create index concurrently`, alone in its migration',
  alone: 'concurrently works outside a transaction only: give it a migration of its own',
  'not-null-column':
    'a new column that is not null and has no default fails on rows that are there, and on the version before, which does not write it',
  rewrite: 'this writes the whole table anew under a lock: add a new column, fill it in portions, and change over',
  'set-not-null':
    'this reads the whole table under a lock: add a check (… is not null) not valid, validate it in a later migration, then set not null',
  'validate-later': 'this reads the whole table under a lock: add it `not valid`, and `validate constraint` in a later migration',
  'unique-constraint': 'this builds an index under a lock: create the unique index concurrently, then add the constraint `using index`',
  contract:
    'the version before still uses it: drop or rename only what no running version reads or writes (expand first, contract a version later)',
  lock: 'this locks the table against everybody for as long as it takes',
  'whole-table': 'this writes every row in one transaction: fill in portions, from a job',
} as const

/** Migrations before this one were made when there was no installation that is upgraded while it serves. */
export const lintedFrom = '20261204000000'

/** Functions whose value differs from row to row, so that a default of them is written into each. */
const volatile =
  /default\s+\(?(?:uuidv7|uuidv4|gen_random_uuid|random|clock_timestamp|nextval)\s*\(|\b(?:small|big)?serial\b|generated (?:always|by default) as/i

/**
 * Looks for statements that lock or rewrite a table that is in use, or take something away that the version before needs. Tables that the
 * migration makes itself are free. SQL inside functions and `do` blocks is not looked at.
 */
export function lintMigration(sql: string): Problem[] {
  const statements = statementsOf(sql)
  const made = new Set(
    statements.flatMap((one) => /^create (?:unlogged )?table (?:if not exists )?([\w".]+)/i.exec(one)?.[1] ?? []).map(tableName),
  )
  const excused = new Set([...sql.matchAll(/^-- lint-ok ([\w-]+): .{10,}$/gm)].map(([, rule]) => rule))
  const found = statements.flatMap((statement) => problemsOf(statement, { made, count: statements.length }))
  return found.filter(({ rule }) => !excused.has(rule)).map(({ rule, statement }) => ({ rule, statement, words: rules[rule] }))
}

type Found = Pick<Problem, 'rule' | 'statement'>
interface Around {
  made: ReadonlySet<string>
  count: number
}

function problemsOf(statement: string, { made, count }: Around): Found[] {
  const problem = (rule: Problem['rule']): Found[] => [{ rule, statement }]
  const index = /^create (?:unique )?index (concurrently )?.*?\bon (?:only )?([\w".]+)/i.exec(statement)
  if (index) {
    if (index[1]) return count > 1 ? problem('alone') : []
    return made.has(tableName(index[2] ?? '')) ? [] : problem('index')
  }
  if (/^(?:drop index|reindex)/i.test(statement)) {
    if (!/concurrently/i.test(statement)) return problem('lock')
    return count > 1 ? problem('alone') : []
  }
  const altered = /^alter table (?:if exists )?(?:only )?([\w".]+) (.*)$/i.exec(statement)
  if (altered)
    return made.has(tableName(altered[1] ?? ''))
      ? []
      : actionsOf(altered[2] ?? '').flatMap((action) => problemsOfAction(action).map((rule) => ({ rule, statement })))
  if (/^drop (?:table|view|materialized view|function|schema|type|column)/i.test(statement)) return problem('contract')
  if (/^(?:lock table|vacuum full|cluster|truncate|refresh materialized view (?!concurrently))/i.test(statement)) return problem('lock')
  const written = /^(?:update (?:only )?([\w".]+)|delete from (?:only )?([\w".]+))/i.exec(statement)
  if (written && !made.has(tableName(written[1] ?? written[2] ?? '')) && !/\bwhere\b/i.test(statement)) return problem('whole-table')
  return []
}

/** The actions of an alter table, cut at commas outside brackets. */
function actionsOf(text: string): string[] {
  const actions: string[] = []
  let [depth, start] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth -= 1
    else if (text[at] === ',' && depth === 0) {
      actions.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  return [...actions, text.slice(start).trim()]
}

function problemsOfAction(action: string): Problem['rule'][] {
  if (/^add constraint/i.test(action)) {
    if (/\b(?:unique|primary key)\b(?! using index)/i.test(action) && !/using index/i.test(action)) return ['unique-constraint']
    return /\b(?:foreign key|check)\b/i.test(action) && !/not valid/i.test(action) ? ['validate-later'] : []
  }
  if (/^add (?:unique|primary key)/i.test(action)) return ['unique-constraint']
  if (/^add (?:foreign key|check)/i.test(action)) return /not valid/i.test(action) ? [] : ['validate-later']
  if (/^add (?:column )?/i.test(action)) return problemsOfColumn(action)
  if (/^alter (?:column )?[\w"]+ (?:set data )?type/i.test(action)) return ['rewrite']
  if (/^alter (?:column )?[\w"]+ set not null/i.test(action)) return ['set-not-null']
  return /^(?:drop (?!constraint|not null|default)|rename)/i.test(action) ? ['contract'] : []
}

function problemsOfColumn(action: string): Problem['rule'][] {
  const found: Problem['rule'][] = []
  if (volatile.test(action)) found.push('rewrite')
  else if (/not null/i.test(action) && !/default/i.test(action)) found.push('not-null-column')
  if (/\breferences\b/i.test(action) && !/\bdefault null\b/i.test(action) && /default/i.test(action)) found.push('validate-later')
  if (/\b(?:unique|primary key)\b/i.test(action)) found.push('unique-constraint')
  return found
}
