import { fail } from '@outpost/contract/errors'
import { geoReportCalls, type GeoReportName } from '@outpost/contract/geo/reports'
import { z } from 'zod'
import { handler, type GeoCtx, type Handler } from '../api/types.ts'
import type { Limiter } from './limiter.ts'
import { assertReadable, inputOf, parametersOf } from './parameters.ts'
import { withPlaces } from './places.ts'
import type { GeoReport, Row } from './report.ts'
import { reports } from './reports.ts'

/** Rows that are sorted or counted at once; a report beyond that is a file. */
const maxRows = 50_000
const pageShape = {
  name: z.enum(Object.keys(geoReportCalls) as [GeoReportName, ...GeoReportName[]]),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  size: z.coerce.number().int().min(1).max(10_000).default(100),
  sortField: z.string().max(60).optional(),
  sortOrder: z
    .string()
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(['ASC', 'DESC']))
    .optional(),
}
const paging = z.object(pageShape)

/** Builds the call that gives one page of a report: {rows, columns}, with how many rows there are. Places are named for the page alone. */
export const pageHandler = (turns: Limiter): Handler =>
  handler(z.looseObject(pageShape), async (ctx, given) => {
    const { name, page, size, sortField, sortOrder } = paging.parse(given)
    const asked = Object.fromEntries(Object.entries(given).filter(([key]) => !Object.hasOwn(pageShape, key)))
    const { places: wantsPlaces, ...parameters } = inputOf(name).parse(asked)
    const chosen = parametersOf(parameters, ctx.caller, ctx.now())
    await assertReadable(ctx, chosen)
    const report = reports[name]
    const rows = sorted(report, await collect(turns, report.rows(ctx, chosen)), sortField, sortOrder)
    const shown = rows.slice((page - 1) * size, page * size)
    const told = wantsPlaces === false ? shown : await placed(ctx, report, shown)
    const names = report.columns.map((column) => column.name)
    return {
      data: {
        columns: report.columns,
        rows: told.map((row) => Object.fromEntries(names.map((column) => [column, row[column] ?? null]))),
      },
      meta: { page, size, total: rows.length },
    }
  })

async function collect(turns: Limiter, found: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of turns.inTurn(found)) {
    rows.push(row)
    if (rows.length > maxRows) fail('TOO_LARGE', { message: `More than ${maxRows} rows: choose fewer days, or take the report as a file.` })
  }
  return rows
}

async function placed(ctx: GeoCtx, { places }: GeoReport, rows: readonly Row[]): Promise<Row[]> {
  if (!places) return [...rows]
  const told: Row[] = []
  for await (const row of withPlaces(ctx, iterate(rows), places)) told.push(row)
  return told
}

async function* iterate(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows
}

/** Without a field the report's own order stays; rows without a value come last either way. */
function sorted({ columns }: GeoReport, rows: Row[], field: string | undefined, order: 'ASC' | 'DESC' = 'ASC'): Row[] {
  if (field === undefined) return rows
  if (!columns.some(({ name }) => name === field))
    return fail('INVALID', { fields: [{ field: 'sortField', message: `must be one of ${columns.map(({ name }) => name).join(', ')}` }] })
  const factor = order === 'ASC' ? 1 : -1
  const keyed = rows.map((row) => ({ row, key: keyOf(row[field]) }))
  return keyed
    .toSorted((a, b) => {
      if (a.key === null || b.key === null) return a.key === b.key ? 0 : a.key === null ? 1 : -1
      return factor * (typeof a.key === 'number' && typeof b.key === 'number' ? a.key - b.key : String(a.key).localeCompare(String(b.key)))
    })
    .map(({ row }) => row)
}

function keyOf(value: unknown): string | number | null {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'number') return value
  return value === null || value === undefined ? null : String(value)
}
