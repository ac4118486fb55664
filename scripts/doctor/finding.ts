/** What a check found: all is well, something to mend some day, or something that is broken now. */
export interface Finding {
  level: 'ok' | 'warning' | 'wrong'
  words: string
}

/** A check of an installation, by the name it is printed under. */
export interface Check {
  name: string
  run(): Promise<Finding | Finding[]>
}

export const ok = (words: string): Finding => ({ level: 'ok', words })
export const warning = (words: string): Finding => ({ level: 'warning', words })
export const wrong = (words: string): Finding => ({ level: 'wrong', words })

/** The reason in an error, without addresses' logins: errors of several addresses hide theirs. */
export function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const { cause } = first as { cause?: unknown }
  if (cause instanceof Error) return reasonOf(cause)
  return first instanceof Error ? first.message || first.name : String(first)
}
