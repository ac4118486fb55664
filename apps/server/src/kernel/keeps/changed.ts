import { identifier, join, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { AnyResource, FieldDefinition } from '../types.ts'
import { columnOf, resourceNamed } from '../resource/define.ts'

/** Kept by the system with every change; no news to anybody. */
const silent = ['version', 'dateModified']

interface Telling {
  /** Values of the audit entry, jsonb. */
  before: Statement
  after: Statement
  company: { id: string; timeZone: string }
  /** Fields that are shown elsewhere. */
  except?: readonly string[]
  /** Labels of columns that are no fields; their values are not shown. */
  also?: Readonly<Record<string, string>>
}

/**
 * SQL text: what an audit entry changed, field by field with the old and the new value ("Town: Thika → Kisumu"); null
 * when nothing it changed is news. Sensitive and structured values are named only.
 */
export function describeChanges(resource: AnyResource, { before, after, company, except = [], also = {} }: Telling): Statement {
  const told = Object.entries(resource.fields).filter(([key]) => !silent.includes(key) && !except.includes(key))
  const labels = { ...Object.fromEntries(told.map(([key, { label }]) => [key, label])), ...also }
  const quiet = [...told.filter(([, field]) => isQuiet(field)).map(([key]) => key), ...Object.keys(also)]
  const word = (value: Statement) => wordOf(resource, told, { value, company })
  const asObject = (entry: Statement) => sql`case when jsonb_typeof(${entry}) = 'object' then ${entry} else '{}'::jsonb end`
  return sql`(select string_agg(w.label || case when w.key = any(${quiet}::text[]) then ' changed' else ': ' || ${word(sql`w.old`)} || ' → ' || ${word(sql`w.new`)} end, '; ' order by w.label)
    from (select l.key, l.value as label, nullif(${asObject(before)} ->> l.key, '') as old, nullif(${asObject(after)} ->> l.key, '') as new from jsonb_each_text(${JSON.stringify(labels)}::jsonb) l where ${asObject(after)} ? l.key) w
    where case when w.old ~ '^-?[0-9]+(\\.[0-9]+)?$' and w.new ~ '^-?[0-9]+(\\.[0-9]+)?$' then w.old::numeric <> w.new::numeric else w.old is distinct from w.new end)`
}

const isQuiet = ({ kind, sensitive }: FieldDefinition) =>
  sensitive === true || kind === 'json' || kind === 'multiReference' || kind === 'permissionTree' || kind === 'lines'

/** A value as people read it: the name of a record, the label of an option, a day in the company's time. */
function wordOf(
  resource: AnyResource,
  told: readonly (readonly [string, FieldDefinition])[],
  { value, company }: Pick<Telling, 'company'> & { value: Statement },
): Statement {
  const keysOf = (...kinds: string[]) => told.filter(([, { kind }]) => kinds.includes(kind)).map(([key]) => key)
  const options = Object.fromEntries(
    told.flatMap(([key, field]) =>
      field.options ? [[key, Object.fromEntries(field.options.map((option) => [option.value, option.label]))]] : [],
    ),
  )
  const names = told.flatMap(([key, { to }]) => {
    const target = to === undefined ? undefined : resourceNamed(to)
    if (!target || !columnOf(resource, key)) return []
    const field = target.fields[target.title]
    const title = field?.sql === undefined ? identifier('t', target.title) : trusted(`(${field.sql})`)
    return [
      sql`when w.key = ${key} then (select ${title}::text from ${identifier(target.table)} t where t."companyId" = ${company.id}::uuid and t."id"::text = ${value})`,
    ]
  })
  return sql`coalesce(case ${names.length > 0 ? join(names, ' ') : sql`when false then ''`}
    when w.key = any(${keysOf('dateTime')}::text[]) then to_char(${value}::timestamptz at time zone ${company.timeZone}, 'FMDD Mon YYYY HH24:MI')
    when w.key = any(${keysOf('date')}::text[]) then to_char(left(${value}, 10)::date, 'FMDD Mon YYYY')
    when w.key = any(${keysOf('boolean')}::text[]) then case ${value} when 'true' then 'yes' else 'no' end
    when ${JSON.stringify(options)}::jsonb ? w.key then ${JSON.stringify(options)}::jsonb -> w.key ->> ${value} end, ${value}, 'empty')`
}
