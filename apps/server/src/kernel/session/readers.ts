import { mayAccess } from '@outpost/rules/people/permission'
import type { AnyResource, Ctx } from '../types.ts'

/** True when the caller may see the resource's records by one of its calls: to others no answer shows one, not even a refusal. */
export function mayRead(ctx: Ctx, { one }: AnyResource): boolean {
  return ctx.program.readers.get(one)?.some((access) => mayAccess(ctx, access)) ?? false
}
