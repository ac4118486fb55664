import { geoReportCalls, type GeoReportName } from '@outpost/contract/geo/reports'
import { handler, type Handler } from '../api/types.ts'
import { parametersOf, assertReadable, inputOf } from './parameters.ts'
import { startedLines, linesOf, withKeepAlive } from './parts/lines.ts'
import { withPlaces } from './places.ts'
import { reports } from './reports.ts'
import { pageHandler } from './page.ts'
import type { Limiter } from './limiter.ts'

export interface ReportOptions {
  /** Bounds how many are read concurrently. */
  turns: Limiter
  /** After this long without a row an empty line shows that the report is still running. */
  pulseMs?: number
}

/** The handler of each call of contract/geo-reports.ts. */
export function createReportHandlers({ turns, pulseMs = 5_000 }: ReportOptions): Readonly<Record<GeoReportName, Handler>> {
  const answer = (name: GeoReportName): Handler =>
    handler(inputOf(name), async (ctx, { places: wantsPlaces, ...given }) => {
      const { columns, places, arePlacesNamed = true, rows } = reports[name]
      const asked = parametersOf(given, ctx.caller, ctx.now())
      await assertReadable(ctx, asked)
      const found = rows(ctx, asked)
      const told = places && (wantsPlaces ?? arePlacesNamed) ? withPlaces(ctx, found, places) : found
      return { lines: await startedLines(withKeepAlive(linesOf(columns, turns.inTurn(told)), pulseMs)) }
    })
  return Object.fromEntries(Object.keys(geoReportCalls).map((name) => [name, answer(name as GeoReportName)])) as Record<
    GeoReportName,
    Handler
  >
}

/** The handler of one page of a report, in the same turns. */
export const createReportPages = ({ turns }: Pick<ReportOptions, 'turns'>): Handler => pageHandler(turns)
