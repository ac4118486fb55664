import { z } from 'zod'
import { deepestGroup, filterOperators, maxConditions } from '@outpost/contract/envelope'
import type { FilterPart, FilterTerm } from '@outpost/contract/envelope'

const filterTerm = z.strictObject({
  field: z.string().max(60),
  op: z.enum(filterOperators),
  value: z.union([z.string().max(500), z.number(), z.boolean(), z.array(z.union([z.string().max(500), z.number()])).max(500)]).optional(),
})

/** The filter of a list call, JSON text: conditions and groups of them. What is wrong is named by its place, as `filter.0.any.1.op`. */
export const filterText = z
  .string()
  .max(20_000)
  .transform((text, context): FilterPart[] => {
    const given = readJson(text)
    if (given === undefined) context.addIssue({ code: 'custom', message: 'is not JSON' })
    else if (Array.isArray(given)) return readFilter(given, context)
    else context.addIssue({ code: 'custom', message: 'is not a list of conditions' })
    return z.NEVER
  })

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Path = (string | number)[]
type Context = z.core.$RefinementCtx<string>

/** Reads the parts of one filter, and counts them: what is wrong is added to `context` as an issue. */
function readFilter(given: unknown[], context: Context): FilterPart[] {
  let conditions = 0
  const refuse = (path: Path, message: string): [] => {
    context.addIssue({ code: 'custom', path, message })
    return []
  }
  const readTerm = (part: unknown, path: Path): FilterTerm[] => {
    conditions += 1
    if (conditions === maxConditions + 1) refuse([], `may hold ${maxConditions} conditions at most`)
    const read = filterTerm.safeParse(part)
    if (read.success) return [read.data]
    for (const issue of read.error.issues) context.addIssue({ ...issue, path: [...path, ...issue.path] } as never)
    return []
  }
  const readGroup = (part: object, path: Path, depth: number): FilterPart[] => {
    const [[kind, parts] = [], ...more] = Object.entries(part)
    if ((kind !== 'all' && kind !== 'any') || more.length > 0) return refuse(path, 'is a group of "all" or of "any", and nothing else')
    if (depth >= deepestGroup) return refuse(path, `is nested too deep: groups may lie in ${deepestGroup - 1} other at most`)
    if (!Array.isArray(parts) || parts.length === 0) return refuse([...path, kind], 'needs a list of conditions')
    const read = readParts(parts, [...path, kind], depth + 1)
    return [kind === 'all' ? { all: read } : { any: read }]
  }
  const readParts = (parts: unknown[], path: Path, depth: number): FilterPart[] =>
    parts.flatMap((part, index) => (isGroupLike(part) ? readGroup(part, [...path, index], depth) : readTerm(part, [...path, index])))
  return readParts(given, [], 0)
}

const isGroupLike = (part: unknown): part is object =>
  typeof part === 'object' && part !== null && (Object.hasOwn(part, 'all') || Object.hasOwn(part, 'any'))
