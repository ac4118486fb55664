import { geoReportCalls, type GeoReportName } from '@outpost/contract/geo-reports'
import { handler, type Handler } from '../api/types.ts'
import { parametersOf, assertReadable, inputOf } from './parameters.ts'
import { begun, linesOf, withPulse } from './lines.ts'
import { withPlaces } from './places.ts'
import { reports } from './reports.ts'
import { createTurns } from './turns.ts'

export interface ReportOptions {
  /** Reports that are written at a time. */
  most: number
  /** After so long without a row an empty line says that work goes on. */
  pulseMs?: number
}

/** What answers each call of contract/geo-reports.ts. */
export function createReportHandlers({ most, pulseMs = 5_000 }: ReportOptions): Readonly<Record<GeoReportName, Handler>> {
  const turns = createTurns(most)
  const answer = (name: GeoReportName): Handler => handler(inputOf(name), async (ctx, { places: wantsPlaces, ...given }) => {
    const { columns, places, arePlacesNamed = true, rows } = reports[name]
    const asked = parametersOf(given, ctx.caller, ctx.now())
    await assertReadable(ctx, asked)
    const found = rows(ctx, asked)
    const told = places && (wantsPlaces ?? arePlacesNamed) ? withPlaces(ctx, found, places) : found
    return { lines: await begun(withPulse(linesOf(columns, turns.inTurn(told)), pulseMs)) }
  })
  return Object.fromEntries(Object.keys(geoReportCalls).map((name) => [name, answer(name as GeoReportName)])) as Record<GeoReportName, Handler>
}
