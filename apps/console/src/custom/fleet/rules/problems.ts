import { ApiError } from '../../../data/api.ts'

interface Problems {
  /** What the server said about a part of the body: `conditions.0` has what is wrong within it too. */
  problemAt: (path: string) => string | undefined
  /** Every problem is shown at a part of the form that this names. */
  isShown: boolean
}

/** The fields that a refusal names, for the parts of a form that show them. */
export function problemsOf(error: unknown, shownAt: readonly string[]): Problems {
  const fields = error instanceof ApiError ? (error.fields ?? []) : []
  const isWithin = (field: string, path: string) => field === path || field.startsWith(`${path}.`)
  return {
    problemAt: (path) => {
      const words = fields.filter(({ field }) => isWithin(field, path)).map(({ message }) => message)
      return words.length > 0 ? words.join('; ') : undefined
    },
    isShown: fields.length > 0 && fields.every(({ field }) => shownAt.some((path) => isWithin(field, path))),
  }
}
