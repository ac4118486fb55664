import type { z } from 'zod'

/**
 * Reads the settings that a program declares. All invalid ones are reported at once, one line each, so that an operator can fix them
 * together. An empty variable counts as unset. The only place that reads process.env.
 */
export function readEnv<Schema extends z.ZodType>(
  schema: Schema,
  source: Record<string, string | undefined> = process.env,
): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`Wrong settings:\n${lines.join('\n')}`)
}
