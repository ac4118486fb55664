import type { GivenValue } from '@outpost/contract/kept-kinds'
import type { AnyResource, Ctx } from '../types.ts'

/** What a new record gets by itself, by its fields' `given`. */
export function givenValues(ctx: Ctx, { fields }: AnyResource): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).flatMap(([key, { given }]) => (given === undefined ? [] : [[key, valueOf(ctx, given)]])))
}

function valueOf({ user }: Ctx, given: GivenValue): unknown {
  if (typeof given === 'string') return given
  if (given.of === 'now') return new Date()
  return given.of === 'userId' ? user.id : `${user.firstName} ${user.lastName}`
}
