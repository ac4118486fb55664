import { randomUUIDv7 } from 'node:crypto'
import { fail, type FieldError } from '@outpost/contract/errors'
import type { ReportFormat } from '@outpost/contract/report-view'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import { fieldErrors } from '@outpost/platform/failures'
import { enqueue } from '@outpost/platform/outbox'
import { sendToUser } from '../../kernel/realtime/bus.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Ctx } from '../../kernel/types.ts'
import type { ReportDefinition, ReportParameters } from '../../kernel/reports/definition.ts'
import type { ReportTools } from './tools.ts'

export interface ReportRequest {
  report: string
  parameters: ReportParameters
  format: ReportFormat
}

/** Reports of one user that may wait or run at a time. */
const maxAtOnce = 4

/** True when the caller may run the report; one without permissions of its own decides in its plan. */
export function mayRun(ctx: Ctx, { anyOf, alsoAnyOf = [], andAnyOf = [] }: ReportDefinition): boolean {
  return [anyOf, alsoAnyOf, andAnyOf].every((wanted) => wanted.length === 0 || holdsAny(ctx, ...wanted))
}

/**
 * Asks for a report: checks name, permission and parameters at once, so that the answer to a wrong request is not a
 * failed job. Gives the id of the run. Errors: NOT_FOUND, FORBIDDEN, INVALID naming parameters, TOO_MANY_REQUESTS.
 */
export async function requestReport({ reports }: ReportTools, ctx: Ctx, { report, parameters, format }: ReportRequest): Promise<string> {
  const definition = findReport(reports, report)
  if (!mayRun(ctx, definition)) fail('FORBIDDEN')
  await definition.plan(ctx, readParameters(definition, parameters))
  return ctx.transaction(async (inner) => {
    await refuseTooMany(inner)
    const runId = randomUUIDv7()
    await inner.sql.exec(sql`
      insert into report_run ("companyId", "id", "tenantId", "userId", "homeCompanyId", "report", "parameters", "format", "scope")
      values (${inner.company.id}::uuid, ${runId}::uuid, ${inner.tenant.id}::uuid, ${inner.user.id}::uuid, ${inner.user.companyId}::uuid, ${report},
        ${JSON.stringify(parameters)}::jsonb, ${format}, ${inner.scope === '*' ? ['*'] : inner.scope}::text[])`)
    const payload = { runId, tenantId: inner.tenant.id, sessionId: inner.sessionId }
    await enqueue(inner.sql, { companyId: inner.company.id, userId: inner.user.id, type: 'reports.run', payload })
    // So the console knows the run's id, by which it can be cancelled, before the first row is written.
    inner.afterCommit(() =>
      sendToUser({ companyId: inner.company.id, userId: inner.user.id }, 'reportProgress', {
        runId,
        report,
        rows: 0,
        total: null,
        percent: 0,
      }),
    )
    return runId
  })
}

/** The caller's runs in the company worked in: user and home are one name. */
export const ownRuns = ({ company, user }: Ctx) =>
  sql`"companyId" = ${company.id}::uuid and "userId" = ${user.id}::uuid and "homeCompanyId" = ${user.companyId}::uuid`

/** The definition of that name. Stops with NOT_FOUND. */
export function findReport(reports: ReportTools['reports'], name: string): ReportDefinition {
  return reports.get(name) ?? fail('NOT_FOUND', { message: `There is no report named ${name}.` })
}

/** Checked parameters; an empty one counts as left out. Stops with INVALID naming them. */
export function readParameters(definition: ReportDefinition, parameters: ReportParameters): unknown {
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null && value !== ''))
  const result = definition.input.safeParse(given)
  if (result.success) return result.data
  const fields: FieldError[] = fieldErrors(result.error).map(({ field, message }) => ({ field: `parameters.${field}`, message }))
  return fail('INVALID', { fields })
}

async function refuseTooMany(ctx: Ctx): Promise<void> {
  // One at a time: of twelve that ask together each would find none of the others.
  await takeTurn(ctx.sql, `reports of ${ctx.user.id}`)
  const open = await ctx.sql.one<{ count: number }>(sql`
    select count(*) as count from report_run where ${ownRuns(ctx)}
      and "status" in ('queued', 'running') and "dateCreated" > now() - interval '1 hour'`)
  if (open.count >= maxAtOnce) fail('TOO_MANY_REQUESTS', { message: 'Wait until one of your reports is ready.' })
}
