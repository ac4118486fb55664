import { fail } from '@outpost/contract/errors'
import { reportFormats } from '@outpost/contract/report-view'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { bus } from '../../kernel/realtime/bus.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import type { ReportDefinition } from '../../kernel/reports/definition.ts'
import { fileLink } from './link.ts'
import { mayRun, ownRuns, requestReport } from './request.ts'
import type { ReportTools } from './tools.ts'

export const parameterValues = z.record(z.string().max(60), z.union([z.string().max(20_000), z.number(), z.boolean(), z.null()]))

/** Body of POST /api/reports/run; the same as the socket's messages. */
export const runInput = z.strictObject({
  report: z.string().max(60),
  parameters: parameterValues.default({}),
  format: z.enum(reportFormats).default('xlsx'),
})
export const runIdInput = z.strictObject({ id: idSchema })

/** Reports that the caller may run from a screen. */
export const runnable = ({ reports }: ReportTools, ctx: Ctx): ReportDefinition[] =>
  [...reports.values()].filter((definition) => definition.anyOf.length > 0 && mayRun(ctx, definition))

/** The same as a list, each with its parameters and its screen. */
export function listReports(tools: ReportTools, ctx: Ctx): Answer {
  const shown = runnable(tools, ctx).map(({ name, title, description, fields }) => ({
    Id: name,
    name,
    title,
    description,
    parameters: fields,
    formats: [...reportFormats],
    screen: `/reports/standard/${name}`,
  }))
  return { data: { reports: shown }, meta: { page: 1, size: shown.length, total: shown.length } }
}

export async function startRun(tools: ReportTools, ctx: Ctx, input: z.infer<typeof runInput>): Promise<Answer> {
  return { data: { runId: await requestReport(tools, ctx, input) }, message: 'Report requested', status: 202 }
}

const runColumns = sql`"id" as "Id", "report", "parameters", "format", "status", "rows", "totalRows", "fileName", "error", "dateCreated", "startedAt", "finishedAt",
  "storageKey" is not null as "hasFile"`

/** The caller's own runs, newest first, at most 100. */
export async function listRuns(ctx: Ctx): Promise<Answer> {
  const reportRuns = await ctx.sql.query(
    sql`select ${runColumns} from report_run where ${ownRuns(ctx)} order by "dateCreated" desc limit 100`,
  )
  return { data: { reportRuns }, meta: { page: 1, size: 100, total: reportRuns.length } }
}

export async function getRun(ctx: Ctx, { id }: z.infer<typeof runIdInput>): Promise<Answer> {
  const reportRun = await ctx.sql.maybe(sql`select ${runColumns} from report_run where ${ownRuns(ctx)} and "id" = ${id}::uuid`)
  return reportRun ? { data: { reportRun } } : fail('NOT_FOUND')
}

/** A fresh link to the file of a finished run. */
export async function linkRun(ctx: Ctx, { id }: z.infer<typeof runIdInput>): Promise<Answer> {
  const run = await ctx.sql.maybe(
    sql`select from report_run where ${ownRuns(ctx)} and "id" = ${id}::uuid and "status" = 'done' and "storageKey" is not null`,
  )
  if (!run) return fail('NOT_FOUND')
  return { data: { filePath: await fileLink(ctx, { runId: id, sessionId: ctx.sessionId }) } }
}

/** Cancels a waiting or running run of the caller. Stops with NOT_FOUND, or CONFLICT when it is over. */
export async function cancelRun(ctx: Ctx, runId: string): Promise<void> {
  const touched = await ctx.transaction((inner) =>
    inner.sql.maybe<{ status: string }>(sql`
    update report_run set "status" = case when "status" in ('queued', 'running') then 'cancelled' else "status" end,
      "finishedAt" = coalesce("finishedAt", now())
    where ${ownRuns(inner)} and "id" = ${runId}::uuid returning "status"`),
  )
  if (!touched) fail('NOT_FOUND')
  if (touched.status !== 'cancelled') fail('CONFLICT', { message: 'The report is finished already.' })
  bus()?.publish('report.cancel', { companyId: ctx.company.id, runId })
}
