import { fail } from '@outpost/contract/errors'
import type { ReportFormat } from '@outpost/contract/report-view'
import { sql } from '@outpost/platform/db/sql'
import { makeCtx } from '../../kernel/session/ctx.ts'
import { issueOneTime, redeemOneTime } from '../../kernel/session/tokens/one-time.ts'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { findReport, mayRun, ownRuns } from './request.ts'
import type { ReportTools } from './tools.ts'

const types = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
} as const satisfies Record<ReportFormat, string>

/**
 * A path that opens the file of a run once within five minutes. It is opened in a new tab, which carries no bearer
 * token: so it is 256 random bits, bound to user, company, tenant and the session that asked, which must still be live.
 */
export async function fileLink(ctx: Ctx, { runId, sessionId }: { runId: string; sessionId: string }): Promise<string> {
  const { store, clock } = session()
  const token = await store.write(null, (db) =>
    issueOneTime(db, clock, {
      purpose: 'file',
      companyId: ctx.user.companyId,
      userId: ctx.user.id,
      sessionId,
      data: { runId, tenantId: ctx.tenant.id },
    }),
  )
  return `/api/reports/files/${token}`
}

/** The file behind a link; uses the link up. Stops with TOKEN_INVALID, whatever the reason. */
export async function openLink(tools: ReportTools, token: string): Promise<Answer> {
  const services = session()
  const { store, clock, identities } = services
  const link = await store.write(null, (db) => redeemOneTime(db, clock, 'file', token))
  if (!link?.sessionId) return fail('TOKEN_INVALID')
  const { companyId, userId, sessionId, data } = link
  const identity = await identities.load({ companyId, userId, sessionId, tenantId: String(data.tenantId) })
  return openRun(tools, makeCtx({ ...services, identity }), String(data.runId))
}

interface FinishedRun {
  report: string
  format: keyof typeof types
  storageKey: string | null
  fileName: string | null
}

async function openRun({ files, reports }: ReportTools, ctx: Ctx, runId: string): Promise<Answer> {
  const run = await ctx.sql.maybe<FinishedRun>(sql`
    select "report", "format", "storageKey", "fileName" from report_run
    where ${ownRuns(ctx)} and "id" = ${runId}::uuid and "status" = 'done'`)
  if (!run?.storageKey || !mayRun(ctx, findReport(reports, run.report))) return fail('TOKEN_INVALID')
  const file = await files.open(run.storageKey)
  if (!file) return fail('TOKEN_INVALID')
  return { file: { name: run.fileName ?? `report.${run.format}`, mimeType: types[run.format], size: file.size, body: file.body } }
}
