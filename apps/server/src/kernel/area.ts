import type { Access, Permission } from '@outpost/contract/permissions'
import type { Area, Operation, PublicOperation, Route, RouteOptions } from './types.ts'

/** An area: what mount() and the console learn of one part of the business. Lists left out are empty. */
export function defineArea(area: Partial<Area> & { name: string }): Area {
  return {
    routes: [],
    screens: [],
    menu: [],
    resources: [],
    jobs: [],
    messages: [],
    reports: [],
    errors: [],
    settings: [],
    notifications: [],
    palette: [],
    metrics: [],
    counted: [],
    tiles: [],
    widgets: [],
    listeners: [],
    panels: [],
    actions: [],
    timeline: [],
    ...area,
  }
}

/** Asks for at least one of the permissions. */
export function may(...anyOf: [Permission, ...Permission[]]): Access {
  return { kind: 'permission', anyOf }
}

/** Asks for a signed-in user only. */
export const anySession: Access = { kind: 'session' }

/** Asks for nothing; says why, for the reader of the API document. */
export function open(why: string): Access {
  return { kind: 'public', why }
}

/** One call: `name` is area.verb, `path` a Fastify path (`{id}` of the specification is `:id`). */
export function route<Input>(
  name: string,
  method: Route['method'],
  path: string,
  access: Access,
  operation: Operation<Input> | PublicOperation<Input>,
  options: RouteOptions = {},
): Route {
  return { name, method, path, access, operation, options }
}
