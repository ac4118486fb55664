import { fail, Failure } from '@outpost/contract/errors'
import type { FilterTerm } from '@outpost/contract/envelope'
import type { ReportChart, ReportPreview } from '@outpost/contract/report-preview'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { readGeoReport, readGeoReportPage } from '../../kernel/geo-client/report-stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import type { FromDatabase, FromGeo, ReportColumn, ReportDefinition } from '../../kernel/reports/definition.ts'
import { resourceNamed } from '../../kernel/resource/define.ts'
import { listAddress } from '../../kernel/screens/tiles.ts'
import { formatsOf } from '../../kernel/settings/look.ts'
import { filtersInWords } from './filters.ts'
import { parameterValues } from './handlers.ts'
import { findReport, mayRun, readParameters } from './request.ts'
import type { ReportTools } from './tools.ts'
import { columnsFromGeo, withNames } from '../../kernel/reports/writer/geo-columns.ts'

export const previewInput = z.strictObject({
  report: z.string().max(60),
  parameters: parameterValues.default({}),
  page: z.number().int().min(1).max(10_000).default(1),
})

const size = 50
type Row = Record<string, unknown>
interface Read {
  columns: ReportColumn[]
  /** As many as are shown, and one more where there are further ones. */
  rows: Row[]
  /** The same rows as their source has them, ids included. */
  raw: Row[]
  total?: number
}

/**
 * A page of a report under the rights of who asks: the same plan that the file is written by, read no further.
 * `chart` names the columns of a drawing. Errors as those of a run.
 */
export async function previewReport(
  { reports }: ReportTools,
  ctx: Ctx,
  { report, parameters, page }: z.infer<typeof previewInput>,
): Promise<Answer> {
  const definition = findReport(reports, report)
  if (!mayRun(ctx, definition)) fail('FORBIDDEN')
  const input = readParameters(definition, parameters)
  const plan = await definition.plan(ctx, input)
  const { columns, rows: found, raw, total } = 'geo' in plan ? await fromGeo(ctx, plan, page) : await fromDatabase(ctx, plan, page)
  const rows = found.slice(0, size)
  const opens = rows.map((row, index) => ({ ...addressesOf(ctx, columns, row), ...definition.opens?.(ctx, input, raw[index] ?? row) }))
  const places = definition.places && rows.map((row, index) => placeOf(definition, columns, row, raw[index] ?? row))
  const chart = definition.chart ?? usualChart(columns)
  const preview: ReportPreview = {
    title: plan.title,
    definition: plan.definition,
    filters: filtersInWords(plan.filters, await formatsOf(ctx.company.id)),
    columns: columns.map(({ key, title, kind }) => ({ key, title, kind })),
    rows: rows.map((row) => Object.fromEntries(columns.map(({ key }) => [key, row[key] ?? null]))),
    ...(opens.some((one) => Object.keys(one).length > 0) ? { opens } : {}),
    ...(places?.some((place) => place !== null) ? { places } : {}),
    page,
    size,
    hasMore: found.length > size,
    ...(total === undefined ? {} : { total }),
    ...(chart ? { chart } : {}),
  }
  return { data: { preview } }
}

function usualChart(columns: readonly ReportColumn[]): ReportChart | undefined {
  const [label, measure] = [columns.find(({ kind }) => kind === 'text'), columns.find((column) => column.total)]
  return label && measure && { label: label.key, value: measure.key }
}

function placeOf(
  { places }: ReportDefinition,
  columns: readonly ReportColumn[],
  row: Row,
  raw: Row,
): NonNullable<ReportPreview['places']>[number] {
  const positions = places?.(raw) ?? []
  if (positions.length === 0) return null
  const words = columns
    .filter(({ kind }) => kind === 'text')
    .flatMap(({ key }) => (typeof row[key] === 'string' && row[key] !== '' ? [row[key]] : []))
  return { label: words.slice(0, 3).join(' · '), positions: positions.map(([lat, lng]) => [lat, lng]) }
}

/** Where the numbers of a row lead; a 0 leads nowhere. */
function addressesOf(ctx: Ctx, columns: readonly ReportColumn[], row: Row): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap(({ key, opens }) => {
      const resource = opens && resourceNamed(opens.resource)
      return resource && Number(row[key]) > 0
        ? [[key, listAddress(ctx, resource, opens.screen, row[opens.terms] as FilterTerm[])] as const]
        : []
    }),
  )
}

/** One more than is shown, to know that there are more. */
async function fromDatabase(ctx: Ctx, { columns, statement, isJson, count }: FromDatabase, page: number): Promise<Read> {
  const found = await ctx.sql.query<Row>(sql`select * from (${statement}) x limit ${size + 1} offset ${(page - 1) * size}`)
  const rows = isJson ? found.map(({ row }) => JSON.parse(String(row)) as Row) : found
  const isWhole = page === 1 && rows.length <= size
  const counted = count && !isWhole ? Number((await ctx.sql.one<{ count: number }>(count)).count) : undefined
  return { columns, rows, raw: rows, ...(counted === undefined ? {} : { total: counted }) }
}

async function fromGeo(ctx: Ctx, { geo, pages }: FromGeo, page: number): Promise<Read> {
  try {
    const { columns, rows, total } = await readGeoReportPage(pages, { page, size })
    const told = await all(await withNames(ctx.sql, ctx.company.id, columns, listed(rows)))
    // The page says how many there are: one row more says so here.
    return { columns: columnsFromGeo(columns), rows: page * size < total ? [...told, {}] : told, raw: rows, total }
  } catch (error) {
    if (!(error instanceof Failure) || error.failure !== 'TOO_LARGE') throw error
    return fromStream(ctx, geo, page)
  }
}

/** A report too long to be counted at once is read as far as the page. */
async function fromStream(ctx: Ctx, geo: FromGeo['geo'], page: number): Promise<Read> {
  const { columns, rows } = await readGeoReport(geo)
  const raw: Row[] = []
  let passed = 0
  for await (const row of rows) {
    passed += 1
    // Leaving early ends the work on the other side.
    if (passed > (page - 1) * size && raw.push(row) > size) break
  }
  return { columns: columnsFromGeo(columns), rows: await all(await withNames(ctx.sql, ctx.company.id, columns, listed(raw))), raw }
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* listed(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows
}

async function all(rows: AsyncIterable<Row>): Promise<Row[]> {
  const found: Row[] = []
  for await (const row of rows) found.push(row)
  return found
}
