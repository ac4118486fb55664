import type { ReportComplete } from '@outpost/contract/events'
import { Failure } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { enqueue } from '@outpost/platform/outbox'
import { bus, tellUser } from '../../kernel/realtime/bus.ts'
import { machine } from '../../kernel/machine.ts'
import type { Ctx, JobDefinition, RunningJob } from '../../kernel/types.ts'
import type { ReportParameters, ReportPlan } from './definition.ts'
import { fileLink } from './link.ts'
import { findReport, mayRun, readParameters } from './request.ts'
import { writeInThread } from './writer/start.ts'

interface RunRow { id: string, report: string, parameters: ReportParameters, format: 'xlsx' | 'csv', status: string, totalRows: number | null }

/** Asked for by the user, or by the run's row being set to cancelled in another process. */
class Cancelled extends Error {}

const keptMs = 24 * 3_600_000

/** Writes the report of a run, tells the user how far it is, and at the end where the file is. */
export const runReport: JobDefinition = {
  name: 'reports.run',
  ownTransaction: true,
  async run(ctx, { runId, sessionId }, job) {
    const run = await takeRun(ctx, String(runId))
    // Done or cancelled: an earlier try got so far, or the user changed her mind.
    if (!run) return
    const toSession = typeof sessionId === 'string' && sessionId !== '' ? sessionId : undefined
    try {
      await produce(ctx, run, toSession, job)
    } catch (error) {
      if (job.signal.aborted) throw error
      await giveUp(ctx, run, error)
    }
  },
}

async function takeRun(ctx: Ctx, runId: string): Promise<RunRow | undefined> {
  return ctx.transaction((inner) => inner.sql.maybe<RunRow>(sql`
    update report_run set "status" = 'running', "startedAt" = coalesce("startedAt", now())
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${runId}::uuid and "status" in ('queued', 'running')
    returning "id", "report", "parameters", "format", "status", "totalRows"`))
}

async function produce(ctx: Ctx, run: RunRow, sessionId: string | undefined, job: RunningJob): Promise<void> {
  const definition = findReport(run.report)
  // Asked again here: the right may have gone since.
  if (!mayRun(ctx, definition)) throw new Failure('FORBIDDEN')
  const plan = await definition.plan(ctx, readParameters(definition, run.parameters))
  const draft = await machine().files.draft()
  const watch = watchRun(ctx, run, job.signal)
  try {
    const rows = await writeInThread({
      databaseUrl: machine().databaseUrl, secret: machine().secret, plan, format: run.format, path: draft.path, facts: factsOf(ctx, plan),
      context: { company: ctx.company.id, scope: ctx.scope, user: ctx.user.id, tenant: ctx.tenant.id },
    }, watch, watch.signal)
    const file = await draft.finish()
    const fileName = nameFile(plan.title, run.format)
    const isOurs = await finishRun(ctx, run, { key: await file.keep(), rows, fileName })
    if (isOurs) await tellDone(ctx, run, { title: plan.title, sessionId, fileName })
  } finally {
    watch.stop()
    await draft.discard()
  }
}

const factsOf = ({ company, tenant, user }: Ctx, plan: ReportPlan) => ({
  reportName: plan.title, companyName: company.name, tenantName: tenant.name, currency: company.currency, timeZone: company.timeZone,
  generatedBy: `${user.firstName} ${user.lastName} (${user.userName})`, asOf: new Date().toISOString(),
})

/** Passes progress on every half second and stops the writing when the run was cancelled, here or elsewhere. */
function watchRun(ctx: Ctx, run: RunRow, jobSignal: AbortSignal) {
  const cancel = new AbortController()
  let [rows, total, told] = [0, null as number | null, -1]
  const look = async () => {
    const isGoing = await ctx.transaction((inner) => inner.sql.exec(sql`
      update report_run set "rows" = ${rows}, "totalRows" = ${total}
      where "companyId" = ${ctx.company.id}::uuid and "id" = ${run.id}::uuid and "status" = 'running'`))
    if (isGoing === 0) return cancel.abort(new Cancelled())
    if (rows === told) return
    told = rows
    const percent = total === null || total === 0 ? 0 : Math.min(99, Math.floor((100 * rows) / total))
    tellUser({ companyId: ctx.company.id, userId: ctx.user.id }, 'reportProgress', { runId: run.id, report: run.report, rows, total, percent })
  }
  const timer = setInterval(() => void look().catch((error: unknown) => ctx.log.warn({ err: error }, 'report progress')), 500)
  const stopListening = bus()?.subscribe('report.cancel', ({ runId }) => {
    if (runId === run.id) cancel.abort(new Cancelled())
  })
  return {
    signal: AbortSignal.any([cancel.signal, jobSignal]),
    onTotal: (value: number) => {
      total = value
      void look().catch(() => undefined)
    },
    onRows: (value: number) => { rows = value },
    stop: () => {
      clearInterval(timer)
      stopListening?.()
    },
  }
}

/** False when the run was cancelled in its last moment: the file is then removed again. */
async function finishRun(ctx: Ctx, run: RunRow, { key, rows, fileName }: { key: string, rows: number, fileName: string }): Promise<boolean> {
  const touched = await ctx.transaction(async (inner) => {
    const count = await inner.sql.exec(sql`
      update report_run set "status" = 'done', "rows" = ${rows}, "totalRows" = ${rows}, "storageKey" = ${key}, "fileName" = ${fileName}, "finishedAt" = now()
      where "companyId" = ${ctx.company.id}::uuid and "id" = ${run.id}::uuid and "status" = 'running'`)
    if (count === 1) {
      const runAt = new Date(Date.now() + keptMs)
      await enqueue(inner.sql, { companyId: ctx.company.id, userId: null, type: 'reports.expire', payload: { runId: run.id }, runAt })
    }
    return count
  })
  if (touched === 0) await machine().files.remove(key)
  return touched === 1
}

async function tellDone(ctx: Ctx, run: RunRow, { title, sessionId, fileName }: { title: string, sessionId: string | undefined, fileName: string }): Promise<void> {
  const filePath = sessionId === undefined ? undefined : await fileLink(ctx, { runId: run.id, sessionId })
  const heading = run.format === 'csv' ? 'CSV Report generated successfully' : 'Report generated successfully'
  complete(ctx, run, { success: true, ...(filePath ? { filePath } : {}), reportName: title, heading, body: `${fileName} generated successfully` })
}

async function giveUp(ctx: Ctx, run: RunRow, error: unknown): Promise<void> {
  const isCancelled = error instanceof Cancelled
  const body = error instanceof Failure ? error.message : isCancelled ? 'The report was cancelled.' : 'The report could not be written. Try again, or ask an administrator.'
  if (!isCancelled) ctx.log.error({ err: error, runId: run.id, report: run.report }, 'report failed')
  await ctx.transaction((inner) => inner.sql.exec(sql`
    update report_run set "status" = case when "status" = 'cancelled' then 'cancelled' else ${isCancelled ? 'cancelled' : 'failed'} end,
      "error" = ${body}, "finishedAt" = now()
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${run.id}::uuid and "status" in ('running', 'cancelled')`))
  complete(ctx, run, { success: false, reportName: findReport(run.report).title, heading: isCancelled ? 'Report cancelled' : 'Report generated with Errors', body })
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
export const expireReport: JobDefinition = {
  name: 'reports.expire',
  async run(ctx, { runId }) {
    const row = await ctx.sql.maybe<{ storageKey: string | null }>(sql`
      select "storageKey" from report_run where "companyId" = ${ctx.company.id}::uuid and "id" = ${String(runId)}::uuid for update`)
    if (!row?.storageKey) return
    await machine().files.remove(row.storageKey)
    await ctx.sql.exec(sql`update report_run set "storageKey" = null where "companyId" = ${ctx.company.id}::uuid and "id" = ${String(runId)}::uuid`)
  },
}
