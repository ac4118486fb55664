import type { ReportFormat } from '@outpost/contract/report-view'
import { sql } from '@outpost/platform/db/sql'
import { bus, sendToUser } from '../../kernel/realtime/bus.ts'
import type { Ctx } from '../../kernel/types.ts'
import type { ReportParameters } from '../../kernel/reports/definition.ts'

/** One asked-for report, as its job sees it. */
export interface RunRow {
  id: string
  report: string
  parameters: ReportParameters
  format: ReportFormat
}

/** Asked for by the user, or by the run's row being set to cancelled in another process. */
export class Cancelled extends Error {}

/** Passes progress on every half second and stops the writing when the run was cancelled, here or elsewhere. */
export function watchRun(ctx: Ctx, run: RunRow, jobSignal: AbortSignal) {
  const cancel = new AbortController()
  let [rows, total, told] = [0, null as number | null, -1]
  const look = async () => {
    const isGoing = await ctx.transaction((inner) =>
      inner.sql.exec(sql`
      update report_run set "rows" = ${rows}, "totalRows" = ${total}
      where "companyId" = ${ctx.company.id}::uuid and "id" = ${run.id}::uuid and "status" = 'running'`),
    )
    if (isGoing === 0) return cancel.abort(new Cancelled())
    if (rows === told) return
    told = rows
    const percent = total === null || total === 0 ? 0 : Math.min(99, Math.floor((100 * rows) / total))
    const progress = { runId: run.id, report: run.report, rows, total, percent }
    sendToUser({ companyId: ctx.company.id, userId: ctx.user.id }, 'reportProgress', progress)
  }
  const lookAndLog = () => void look().catch((error: unknown) => ctx.log.warn({ err: error }, 'report progress'))
  const timer = setInterval(lookAndLog, 500)
  const stopListening = bus()?.subscribe('report.cancel', ({ runId }) => {
    if (runId === run.id) cancel.abort(new Cancelled())
  })
  return {
    signal: AbortSignal.any([cancel.signal, jobSignal]),
    onTotal: (value: number) => {
      total = value
      lookAndLog()
    },
    onRows: (value: number) => {
      rows = value
    },
    stop: () => {
      clearInterval(timer)
      stopListening?.()
    },
  }
}
