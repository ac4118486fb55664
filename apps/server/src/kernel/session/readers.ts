import { mayAccess } from '@outpost/rules/people/permission'
import type { Access } from '@outpost/contract/permissions'
import type { AnyResource, Ctx, Route } from '../types.ts'

/** What the calls ask for that show a resource's records. */
const readers = new WeakMap<AnyResource, Access[]>()

/** Learns from the routes who reads what; once, when they are mounted. */
export function registerReaders(routes: readonly Route[]): void {
  for (const { operation, access } of routes) {
    if (operation.kind === 'public' || !operation.resource || !['list', 'get'].includes(operation.kind)) continue
    readers.set(operation.resource, [...(readers.get(operation.resource) ?? []), access])
  }
}

/** True when the caller may see the resource's records by one of its calls: to others no answer shows one, not even a refusal. */
export function mayRead(ctx: Ctx, resource: AnyResource): boolean {
  return readers.get(resource)?.some((access) => mayAccess(ctx, access)) ?? false
}
