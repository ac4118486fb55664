/** What the kernel and the areas talk in, by subject: who asks, what a route does, what a record is, what an area has. */
export type * from './types/ctx.ts'
export type * from './types/operation.ts'
export type * from './types/resource.ts'
export type * from './types/named.ts'
export type * from './types/area.ts'
export type { RouteOptions } from './route-options.ts'
export type { JobDefinition, RunningJob } from './jobs/types.ts'
