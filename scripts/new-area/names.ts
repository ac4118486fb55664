import { parseArgs } from 'node:util'
import { upperFirst } from 'es-toolkit/string/upperFirst'
import { permissionHierarchies } from '@outpost/contract/permissions'

export const usage =
  'npm run new:area -- <area> <record> [PERMISSION] [--kind public|approval|board|remote], e.g. npm run new:area -- surveys survey SALES/CASES'

/**
 * plain: records of the office. public: also links to them for people outside, with the page that they open. approval: with lines, and
 * decided on by a second person. board: with a status among the company's own rows, and a board by it. remote: records that the geo service keeps, by its calls of the area's name or of --calls.
 */
const kinds = ['plain', 'public', 'approval', 'board', 'remote'] as const

/** The names of a new area in each spelling that its files need. */
export interface AreaNames {
  /** Folder and path: field-visits. */
  area: string
  /** The resource's `one`: fieldVisit. */
  one: string
  /** Prisma's model: FieldVisit. */
  model: string
  /** Its plural, for names of functions: FieldVisits. */
  models: string
  /** The array in data: fieldVisits. */
  many: string
  /** Table: field_visit. */
  table: string
  /** First part of the routes' names, and of the area's constant: fieldVisits. */
  name: string
  kind: (typeof kinds)[number]
  /** Of kind remote: the first part of the service's calls (drivers of drivers.list). */
  calls: string
  /** For people: Field visit. */
  label: string
  labelMany: string
  /** The readers' permission. */
  permission: string
  /** The writers' permission: /CREATE, /EDIT or /DELETE of it where that exists. */
  to: (action: 'CREATE' | 'EDIT' | 'DELETE') => string
}

const hierarchies = new Set<string>(permissionHierarchies)

/** Reads and validates the names from the command line; throws with the usage. */
export function readNames(args: readonly string[]): AreaNames {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { kind: { type: 'string', default: 'plain' }, calls: { type: 'string' } },
  })
  const [area = '', one = '', wanted = 'ADMIN/SETTINGS'] = positionals
  const kind = kinds.find((known) => known === values.kind)
  if (!kind) throw new Error(`There is no kind ${values.kind}: ${kinds.join(', ')}. Usage: ${usage}`)
  const permission = wanted.toUpperCase()
  if (!/^[a-z][a-z-]*$/.test(area)) throw new Error(`The area "${area}" needs small letters and hyphens, as field-visits. Usage: ${usage}`)
  if (!/^[a-z][A-Za-z]*$/.test(one)) throw new Error(`The record "${one}" needs camel case, as fieldVisit. Usage: ${usage}`)
  if (!hierarchies.has(permission)) throw new Error(`${wanted} is not a permission: see packages/contract/src/permissions.ts`)
  const model = upperFirst(one)
  const label = model.replace(/(.)([A-Z])/g, (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`)
  const name = area.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return {
    area,
    one,
    kind,
    name,
    calls: values.calls ?? name,
    model,
    permission,
    label,
    models: plural(model),
    many: plural(one),
    labelMany: plural(label),
    table: one.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    to: (action) => (hierarchies.has(`${permission}/${action}`) ? `${permission}/${action}` : permission),
  }
}

const plural = (word: string) =>
  word.endsWith('y') && !/[aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`
