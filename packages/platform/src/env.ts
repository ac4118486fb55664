import { readFileSync } from 'node:fs'
import type { z } from 'zod'

/**
 * Reads the settings that a program declares. All invalid ones are reported at once, one line each, so that an operator can fix them
 * together. An empty variable counts as unset. `NAME_FILE` names a file that holds the value of `NAME`, as secrets of containers do; both
 * together are refused. The only place that reads process.env.
 */
export function readEnv<Schema extends z.ZodObject>(
  schema: Schema,
  source: Record<string, string | undefined> = process.env,
): z.output<Schema> {
  const set = Object.entries(source).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
  const { values, problems } = withFiles(new Map(set), (name) => Object.hasOwn(schema.shape, name))
  const result = schema.safeParse(Object.fromEntries(values))
  const lines = result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  // A value whose file cannot be read is missing only because of that.
  const missing = lines.filter((line) => !problems.some((problem) => problem.startsWith(`${line.split(':')[0]}_FILE:`)))
  if (result.success && problems.length === 0) return result.data
  throw new Error(`Wrong settings:\n${[...problems, ...missing].join('\n')}`)
}

const suffix = '_FILE'

/** Values of settings, those of `NAME_FILE` read from their files without the line break at the end. */
function withFiles(
  set: ReadonlyMap<string, string>,
  isKnown: (name: string) => boolean,
): { values: Map<string, string>; problems: string[] } {
  const values = new Map(set)
  const problems: string[] = []
  for (const [name, path] of set) {
    const own = name.slice(0, -suffix.length)
    if (!name.endsWith(suffix) || !isKnown(own)) continue
    if (set.has(own)) {
      problems.push(`${name}: ${own} is set too; only one of them may be`)
      continue
    }
    try {
      values.set(own, readFileSync(path, 'utf8').replace(/\r?\n$/, ''))
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { values, problems }
}
