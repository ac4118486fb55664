import { fail } from '@outpost/contract/errors'
import { geoReportCalls, geoReportPage, type GeoReportName } from '@outpost/contract/geo/reports'
import type { Ctx } from '../types.ts'
import { readGeoReport, type GeoReportTicket, type GeoRow } from './report-stream.ts'
import { serviceToken } from './service-token.ts'

/** The days of the company's calendar (YYYY-MM-DD, both included) and what else a report of the geo service is asked by. */
export interface GeoReportQuery {
  from: string
  to: string
  deviceIds?: readonly string[] | undefined
  assetIds?: readonly string[] | undefined
  /** Names of alarms, or types of event. */
  types?: readonly string[] | undefined
  /** Rows of next to nothing too. */
  zeros?: boolean | undefined
  /** Places in words; false is quicker. */
  places?: boolean | undefined
  /** Ids of drivers; `none` for nobody known. */
  driverIds?: readonly string[] | undefined
  geofenceIds?: readonly string[] | undefined
  tripId?: string | undefined
  /** Only trips whose fuel was measured. */
  isMeasured?: boolean | undefined
  /** Only stops of the hotspot here: latitude, a comma, longitude. */
  near?: string | undefined
  /** Only stops that began within the days. */
  isBegun?: boolean | undefined
  /** Only visits that last now. */
  isOpen?: boolean | undefined
  /** Only messages that report this battery: main, backup or level; or those at which it fell below a value, seen from a day on. */
  series?: string | undefined
  below?: string | undefined
  since?: string | undefined
}

/** Leave to read one report of the geo service for a caller within a minute; plain data, so that a thread may read it. Stops with GEO_UNAVAILABLE without a service. */
export function geoReportTicket(ctx: Ctx, url: string | undefined, name: GeoReportName, query: GeoReportQuery): GeoReportTicket {
  return ticketOf(ctx, url, geoReportCalls[name].path, queryOf(name, query))
}

/** The same to read the report page by page, with readGeoReportPage. */
export function geoPagesTicket(ctx: Ctx, url: string | undefined, name: GeoReportName, query: GeoReportQuery): GeoReportTicket {
  return ticketOf(ctx, url, geoReportPage.path.replace(':name', name), queryOf(name, query))
}

function queryOf(name: GeoReportName, query: GeoReportQuery): [string, string][] {
  const given = Object.entries(query) as [string, string | boolean | readonly string[] | undefined][]
  return given.flatMap(([key, value]) => (value !== undefined && geoReportCalls[name].query?.includes(key) ? [[key, String(value)]] : []))
}

function ticketOf(ctx: Ctx, url: string | undefined, path: string, query: [string, string][]): GeoReportTicket {
  if (url === undefined) return fail('GEO_UNAVAILABLE')
  const address = new URL(`${new URL(url).href.replace(/\/$/, '')}${path}`)
  for (const [key, value] of query) address.searchParams.set(key, value)
  return { url: address.href, token: serviceToken(ctx), requestId: ctx.requestId }
}

/** The rows of a report of the geo service, one by one as the reader takes them; leaving early ends the work there. Errors as readGeoReport has them. */
export async function* geoReportRows(
  ctx: Ctx,
  url: string | undefined,
  name: GeoReportName,
  query: GeoReportQuery,
): AsyncGenerator<GeoRow> {
  const { rows } = await readGeoReport(geoReportTicket(ctx, url, name, query))
  yield* rows
}
