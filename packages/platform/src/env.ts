import type { z } from 'zod'

/**
 * Reads the settings a program declares. All wrong ones are told at once, one line each, so that an operator
 * mends them in one go. An empty variable counts as one that is not set. The only place that looks at process.env.
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
