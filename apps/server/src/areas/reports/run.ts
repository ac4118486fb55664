import type { ReportComplete } from '@outpost/contract/events'
import { Failure } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { LostTry } from '@outpost/platform/fence'
import { enqueue } from '@outpost/platform/outbox'
import { sendToUser } from '../../kernel/realtime/bus.ts'
import type { Ctx, JobDefinition, RunningJob } from '../../kernel/types.ts'
import type { ReportPlan } from '../../kernel/reports/definition.ts'
import { formatsOf } from '../../kernel/settings/look.ts'
import { filtersInWords } from './filters.ts'
import { fileLink } from './link.ts'
import { findReport, mayRun, ownRuns, readParameters } from './request.ts'
import type { ReportTools } from './tools.ts'
import { Cancelled, watchRun, type RunRow } from './watch.ts'
import { localClock } from '../../kernel/reports/writer/cells.ts'
import { writeInThread } from '../../kernel/reports/writer/start.ts'

const keptMs = 24 * 3_600_000

/** Writes the report of a run, reports progress to the user, and at the end where the file is. */
export const runReport = (tools: ReportTools): JobDefinition => ({
  name: 'reports.run',
  ownTransaction: true,
  async run(ctx, { runId, sessionId }, job) {
    const run = await takeRun(ctx, String(runId))
    // Done or cancelled: an earlier try got so far, or the user changed her mind.
    if (!run) return
    const toSession = typeof sessionId === 'string' && sessionId !== '' ? sessionId : undefined
    try {
      await produce(tools, ctx, { run, sessionId: toSession, job })
    } catch (error) {
      if (job.signal.aborted) throw error
      await giveUp(tools, ctx, run, error)
    }
  },
  whenDead: (ctx, { runId }) => endDead(tools, ctx, String(runId)),
})

/** A run whose job died is taken again only when an administrator has the job tried anew. */
const died = 'The report could not be written: its work was interrupted again and again. Ask an administrator.'

async function takeRun(ctx: Ctx, runId: string): Promise<RunRow | undefined> {
  return ctx.transaction((inner) =>
    inner.sql.maybe<RunRow>(sql`
    update report_run set "status" = 'running', "startedAt" = coalesce("startedAt", now()), "finishedAt" = null, "error" = null
    where ${ownRuns(ctx)} and "id" = ${runId}::uuid
      and ("status" in ('queued', 'running') or ("status" = 'failed' and "error" = ${died}))
    returning "id", "report", "parameters", "format"`),
  )
}

interface Task {
  run: RunRow
  sessionId: string | undefined
  job: RunningJob
}

async function produce({ files, reports, databaseUrl, secret }: ReportTools, ctx: Ctx, { run, sessionId, job }: Task): Promise<void> {
  const definition = findReport(reports, run.report)
  // Asked again here: the right may have gone since.
  if (!mayRun(ctx, definition)) throw new Failure('FORBIDDEN')
  const formats = await formatsOf(ctx.company.id)
  const planned = await definition.plan(ctx, readParameters(definition, run.parameters))
  const plan = { ...planned, filters: filtersInWords(planned.filters, formats) }
  const draft = await files.draft()
  const watch = watchRun(ctx, run, job.signal)
  try {
    const rows = await writeInThread(
      {
        databaseUrl,
        secret,
        plan,
        format: run.format,
        path: draft.path,
        facts: { ...factsOf(ctx, plan), formats },
        context: { company: ctx.company.id, scope: ctx.scope, user: ctx.user.id, tenant: ctx.tenant.id },
      },
      watch,
      watch.signal,
    )
    const file = await draft.finish()
    const fileName = nameFile(plan.title, run.format, ctx.company.timeZone)
    const key = await file.keep()
    const isOurs = await finishRun(ctx, run, { key, rows, fileName, title: plan.title, sessionId }).catch(async (error: unknown) => {
      // Nobody else knows of the file.
      if (error instanceof LostTry) await files.remove(key)
      throw error
    })
    if (!isOurs) await files.remove(key)
  } finally {
    watch.stop()
    await draft.discard()
  }
}

const factsOf = ({ company, tenant, user }: Ctx, plan: ReportPlan) => ({
  reportName: plan.title,
  companyName: company.name,
  tenantName: tenant.name,
  currency: company.currency,
  timeZone: company.timeZone,
  generatedBy: `${user.firstName} ${user.lastName} (${user.userName})`,
  asOf: new Date().toISOString(),
})

interface Finished {
  key: string
  rows: number
  fileName: string
  title: string
  sessionId: string | undefined
}

/** Writes down where the file is and notifies the user once that is saved. False when the run was cancelled in its last moment. */
function finishRun(ctx: Ctx, run: RunRow, { key, rows, fileName, title, sessionId }: Finished): Promise<boolean> {
  return ctx.transaction(async (inner) => {
    const count = await inner.sql.exec(sql`
      update report_run set "status" = 'done', "rows" = ${rows}, "totalRows" = ${rows},
        "storageKey" = ${key}, "fileName" = ${fileName}, "finishedAt" = now()
      where "companyId" = ${ctx.company.id}::uuid and "id" = ${run.id}::uuid and "status" = 'running'`)
    if (count === 0) return false
    const runAt = new Date(Date.now() + keptMs)
    await enqueue(inner.sql, { companyId: ctx.company.id, userId: null, type: 'reports.expire', payload: { runId: run.id }, runAt })
    inner.afterCommit(async () => {
      const filePath = sessionId === undefined ? undefined : await fileLink(ctx, { runId: run.id, sessionId })
      const heading = run.format === 'csv' ? 'CSV Report generated successfully' : 'Report generated successfully'
      const body = `${fileName} generated successfully`
      complete(
        inner,
        { ...run, userId: ctx.user.id },
        { success: true, ...(filePath ? { filePath } : {}), reportName: title, heading, body },
      )
    })
    return true
  })
}

const trouble = 'The report could not be written. Try again, or ask an administrator.'

async function giveUp(tools: ReportTools, ctx: Ctx, run: RunRow, error: unknown): Promise<void> {
  const isCancelled = error instanceof Cancelled
  const body = isCancelled ? 'The report was cancelled.' : error instanceof Failure ? error.message : trouble
  if (!isCancelled) ctx.log.error({ err: error, runId: run.id, report: run.report }, 'report failed')
  await ctx.transaction((inner) => endBadly(tools, inner, run.id, { body, isCancelled }))
}

/** Ends the run of a job that will not be tried again. */
async function endDead(tools: ReportTools, ctx: Ctx, runId: string): Promise<void> {
  await endBadly(tools, ctx, runId, { body: died, isCancelled: false })
}

/** Writes down that there is no file, and why; notifies whoever asked for it once that is saved. Nothing when the run is over. */
async function endBadly(
  { reports }: ReportTools,
  ctx: Ctx,
  runId: string,
  { body, isCancelled }: { body: string; isCancelled: boolean },
): Promise<void> {
  const run = await ctx.sql.maybe<EndedRun>(sql`
    update report_run set "error" = ${body}, "finishedAt" = now(),
      "status" = case when "status" = 'cancelled' then 'cancelled' else ${isCancelled ? 'cancelled' : 'failed'} end
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${runId}::uuid and "status" in ('queued', 'running', 'cancelled')
    returning "id", "report", "format", "userId"`)
  if (!run) return
  const heading = isCancelled ? 'Report cancelled' : 'Report generated with Errors'
  ctx.afterCommit(() => complete(ctx, run, { success: false, reportName: reports.get(run.report)?.title ?? run.report, heading, body }))
}

type EndedRun = Pick<RunRow, 'id' | 'report' | 'format'> & { userId: string }

function complete({ company }: Ctx, { id, format, userId }: EndedRun, message: Omit<ReportComplete, 'runId'>): void {
  const event = format === 'csv' ? 'csvReportComplete' : 'reportComplete'
  sendToUser({ companyId: company.id, userId }, event, { runId: id, ...message })
}

/** Report name plus timestamp, as the specification names exports; on the clock of the company. */
function nameFile(title: string, format: string, timeZone: string): string {
  const time = localClock(timeZone)(new Date()).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  return `${title.replace(/[^\w -]/g, '').trim()} ${time}.${format}`
}

/** Removes the file of a run a day after it was written. */
export const expireReport = ({ files }: ReportTools): JobDefinition => ({
  name: 'reports.expire',
  async run(ctx, { runId }) {
    const row = await ctx.sql.maybe<{ storageKey: string | null }>(sql`
      select "storageKey" from report_run
      where "companyId" = ${ctx.company.id}::uuid and "id" = ${String(runId)}::uuid for update`)
    if (!row?.storageKey) return
    await files.remove(row.storageKey)
    await ctx.sql.exec(sql`
      update report_run set "storageKey" = null where "companyId" = ${ctx.company.id}::uuid and "id" = ${String(runId)}::uuid`)
  },
})
