import { fail } from '@outpost/contract/errors'
import type { FilterTerm } from '@outpost/contract/envelope'
import type { ReportPreview } from '@outpost/contract/report-preview'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { readGeoReport } from '../../kernel/geo-client/report-stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import type { FromDatabase, FromGeo, ReportColumn } from '../../kernel/reports/definition.ts'
import { resourceNamed } from '../../kernel/resource/define.ts'
import { listAddress } from '../../kernel/screens/tiles.ts'
import { parameterValues } from './handlers.ts'
import { findReport, mayRun, readParameters } from './request.ts'
import type { ReportTools } from './tools.ts'
import { columnsFromGeo, withPeople } from './writer/geo-columns.ts'

export const previewInput = z.strictObject({ report: z.string().max(60), parameters: parameterValues.default({}) })

const shown = 50
type Row = Record<string, unknown>
interface Read {
  columns: ReportColumn[]
  rows: Row[]
  total?: number
}

/**
 * The first rows of a report under the rights of who asks: the same plan that the file is written by, read no further.
 * `chart` names the columns of a drawing where the report sums a measure. Errors as those of a run.
 */
export async function previewReport(
  { reports }: ReportTools,
  ctx: Ctx,
  { report, parameters }: z.infer<typeof previewInput>,
): Promise<Answer> {
  const definition = findReport(reports, report)
  if (!mayRun(ctx, definition)) fail('FORBIDDEN')
  const plan = await definition.plan(ctx, readParameters(definition, parameters))
  const { columns, rows, total } = 'geo' in plan ? await fromGeo(ctx, plan) : await fromDatabase(ctx, plan)
  const [label, measure] = [columns.find(({ kind }) => kind === 'text'), columns.find((column) => column.total)]
  const preview: ReportPreview = {
    title: plan.title,
    definition: plan.definition,
    filters: plan.filters,
    columns: columns.map(({ key, title, kind }) => ({ key, title, kind })),
    rows: rows.slice(0, shown).map((row) => Object.fromEntries(columns.map(({ key }) => [key, row[key] ?? null]))),
    ...(columns.some(({ opens }) => opens) ? { opens: rows.slice(0, shown).map((row) => addressesOf(ctx, columns, row)) } : {}),
    hasMore: rows.length > shown,
    ...(total === undefined ? {} : { total }),
    ...(label && measure ? { chart: { label: label.key, value: measure.key } } : {}),
  }
  return { data: { preview } }
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
async function fromDatabase(ctx: Ctx, { columns, statement, isJson, count }: FromDatabase): Promise<Read> {
  const found = await ctx.sql.query<Row>(sql`select * from (${statement}) x limit ${shown + 1}`)
  const rows = isJson ? found.map(({ row }) => JSON.parse(String(row)) as Row) : found
  const counted = count && rows.length > shown ? Number((await ctx.sql.one<{ count: number }>(count)).count) : undefined
  return { columns, rows, ...(counted === undefined ? {} : { total: counted }) }
}

async function fromGeo(ctx: Ctx, { geo }: FromGeo): Promise<Read> {
  const { columns, rows: all } = await readGeoReport(geo)
  const rows: Row[] = []
  // Leaving early ends the work on the other side.
  for await (const row of await withPeople(ctx.sql, ctx.company.id, columns, all)) if (rows.push(row) > shown) break
  return { columns: columnsFromGeo(columns), rows }
}
