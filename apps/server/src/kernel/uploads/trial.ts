import type { Failure, FieldError } from '@outpost/contract/errors'
import type { Ctx } from '../types.ts'

/** Takes back what a trial has done. */
class Undone extends Error {}

/**
 * Writes in a transaction that is taken back at its end where `isUndone` says so of what was written: the verdicts of a trial are those
 * of the commit.
 */
export async function runTrial<Result>(
  ctx: Ctx,
  write: (inner: Ctx) => Promise<Result>,
  isUndone: (result: Result) => boolean,
): Promise<Result> {
  let done: { result: Result } | undefined
  try {
    return await ctx.transaction(async (inner) => {
      done = { result: await write(inner) }
      if (isUndone(done.result)) throw new Undone()
      return done.result
    })
  } catch (error) {
    if (!(error instanceof Undone) || !done) throw error
    return done.result
  }
}

/** What a refusal says of a row: of its fields, or of the row as a whole. */
export const problemsOf = ({ message, more }: Failure): FieldError[] =>
  more.fields && more.fields.length > 0
    ? more.fields.map((one) => ({ field: one.field, message: one.message }))
    : [{ field: 'row', message }]
