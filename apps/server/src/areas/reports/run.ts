import type { ReportComplete } from '@outpost/contract/events'
import { Failure } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { enqueue } from '@outpost/platform/outbox'
import { tellUser } from '../../kernel/realtime/bus.ts'
import type { Ctx, JobDefinition, RunningJob } from '../../kernel/types.ts'
import type { ReportPlan } from './definition.ts'
import { fileLink } from './link.ts'
import { findReport, mayRun, readParameters } from './request.ts'
import type { ReportTools } from './tools.ts'
import { Cancelled, watchRun, type RunRow } from './watch.ts'
import { writeInThread } from './writer/start.ts'

const keptMs = 24 * 3_600_000

/** Writes the report of a run, tells the user how far it is, and at the end where the file is. */
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
})

async function takeRun(ctx: Ctx, runId: string): Promise<RunRow | undefined> {
  return ctx.transaction((inner) => inner.sql.maybe<RunRow>(sql`
    update report_run set "status" = 'running', "startedAt" = coalesce("startedAt", now())
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${runId}::uuid and "status" in ('queued', 'running')
    returning "id", "report", "parameters", "format"`))
}

interface Task { run: RunRow, sessionId: string | undefined, job: RunningJob }

async function produce({ files, reports, databaseUrl, secret }: ReportTools, ctx: Ctx, { run, sessionId, job }: Task): Promise<void> {
  const definition = findReport(reports, run.report)
  // Asked again here: the right may have gone since.
  if (!mayRun(ctx, definition)) throw new Failure('FORBIDDEN')
  const plan = await definition.plan(ctx, readParameters(definition, run.parameters))
  const draft = await files.draft()
  const watch = watchRun(ctx, run, job.signal)
  try {
    const rows = await writeInThread({
      databaseUrl, secret, plan,
      format: run.format, path: draft.path, facts: factsOf(ctx, plan),
      context: { company: ctx.company.id, scope: ctx.scope, user: ctx.user.id, tenant: ctx.tenant.id },
    }, watch, watch.signal)
    const file = await draft.finish()
    const fileName = nameFile(plan.title, run.format)
    const key = await file.keep()
    const isOurs = await finishRun(ctx, run, { key, rows, fileName })
    if (isOurs) await tellDone(ctx, run, { title: plan.title, sessionId, fileName })
    else await files.remove(key)
  } finally {
    watch.stop()
    await draft.discard()
  }
}

const factsOf = ({ company, tenant, user }: Ctx, plan: ReportPlan) => ({
  reportName: plan.title, companyName: company.name, tenantName: tenant.name,
  currency: company.currency, timeZone: company.timeZone,
  generatedBy: `${user.firstName} ${user.lastName} (${user.userName})`, asOf: new Date().toISOString(),
})

interface Finished { key: string, rows: number, fileName: string }

/** False when the run was cancelled in its last moment. */
async function finishRun(ctx: Ctx, run: RunRow, { key, rows, fileName }: Finished): Promise<boolean> {
  const touched = await ctx.transaction(async (inner) => {
    const count = await inner.sql.exec(sql`
      update report_run set "status" = 'done', "rows" = ${rows}, "totalRows" = ${rows},
        "storageKey" = ${key}, "fileName" = ${fileName}, "finishedAt" = now()
      where "companyId" = ${ctx.company.id}::uuid and "id" = ${run.id}::uuid and "status" = 'running'`)
    if (count === 1) {
      const runAt = new Date(Date.now() + keptMs)
      const payload = { runId: run.id }
      await enqueue(inner.sql, { companyId: ctx.company.id, userId: null, type: 'reports.expire', payload, runAt })
    }
    return count
  })
  return touched === 1
}

interface Done { title: string, sessionId: string | undefined, fileName: string }

async function tellDone(ctx: Ctx, run: RunRow, { title, sessionId, fileName }: Done): Promise<void> {
  const filePath = sessionId === undefined ? undefined : await fileLink(ctx, { runId: run.id, sessionId })
  const heading = run.format === 'csv' ? 'CSV Report generated successfully' : 'Report generated successfully'
  const body = `${fileName} generated successfully`
  complete(ctx, run, { success: true, ...(filePath ? { filePath } : {}), reportName: title, heading, body })
}

const trouble = 'The report could not be written. Try again, or ask an administrator.'

async function giveUp({ reports }: ReportTools, ctx: Ctx, run: RunRow, error: unknown): Promise<void> {
  const isCancelled = error instanceof Cancelled
  const body = isCancelled ? 'The report was cancelled.' : error instanceof Failure ? error.message : trouble
  if (!isCancelled) ctx.log.error({ err: error, runId: run.id, report: run.report }, 'report failed')
  await ctx.transaction((inner) => inner.sql.exec(sql`
    update report_run set "error" = ${body}, "finishedAt" = now(),
      "status" = case when "status" = 'cancelled' then 'cancelled' else ${isCancelled ? 'cancelled' : 'failed'} end
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${run.id}::uuid and "status" in ('running', 'cancelled')`))
  const heading = isCancelled ? 'Report cancelled' : 'Report generated with Errors'
  complete(ctx, run, { success: false, reportName: reports.get(run.report)?.title ?? run.report, heading, body })
}

function complete(ctx: Ctx, run: RunRow, message: Omit<ReportComplete, 'runId'>): void {
  const event = run.format === 'csv' ? 'csvReportComplete' : 'reportComplete'
  tellUser({ companyId: ctx.company.id, userId: ctx.user.id }, event, { runId: run.id, ...message })
}

/** Report name plus timestamp, as the specification names exports. */
function nameFile(title: string, format: string): string {
  const time = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
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
