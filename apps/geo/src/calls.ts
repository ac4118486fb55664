import { geoCalls, type GeoCallDefinition } from '@outpost/contract/geo/calls'
import { geoReportCalls, geoReportPage } from '@outpost/contract/geo/reports'
import type { FastifyInstance } from 'fastify'
import { handlers } from './api/handlers.ts'
import { mountCalls, type AnsweredCall, type ApiOptions } from './api/mount.ts'
import type { Handler } from './api/types.ts'
import { createLimiter } from './reports/limiter.ts'
import { createReportHandlers, createReportPages } from './reports/handlers.ts'

/** Registers all calls for the server: those of the specification, and the rows of its reports. */
export async function addApi(app: FastifyInstance, options: ApiOptions): Promise<void> {
  // A report holds its connection while it is read, so half of the pool is reserved for calls.
  const turns = createLimiter(Math.max(1, Math.floor(options.pool.options.max / 2)))
  const reports = createReportHandlers({ turns })
  const pages: AnsweredCall = { call: geoReportPage, handler: createReportPages({ turns }) }
  await mountCalls(app, [...pair(geoCalls, handlers), ...pair(geoReportCalls, reports), pages], options)
}

function pair<Name extends string>(calls: Readonly<Record<Name, GeoCallDefinition>>, by: Readonly<Record<Name, Handler>>): AnsweredCall[] {
  return Object.entries<GeoCallDefinition>(calls).map(([name, call]) => ({ call, handler: by[name as Name] }))
}
