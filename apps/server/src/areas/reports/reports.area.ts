import { z } from 'zod'
import { reportFormats } from '@outpost/contract/report-view'
import type { Access } from '@outpost/contract/permissions'
import { anySession, defineArea, may, open, route } from '../../kernel/area.ts'
import { message } from '../../kernel/realtime/messages.ts'
import { command, noInput, publicCommand, query } from '../../kernel/resource/operations.ts'
import { listSchema } from '../../kernel/resource/schema.ts'
import { declared } from '../../kernel/declared.ts'
import { built, report, screen } from '../../kernel/screens/screen.ts'
import type { FileStore } from '@outpost/platform/files/types'
import type { Area, Ctx } from '../../kernel/types.ts'
import type { ReportDefinition } from '../../kernel/reports/definition.ts'
import * as answers from './report.answers.ts'
import { categoryNotFound } from './categories/category.errors.ts'
import { groupedAnswer, groupedReports } from './categories/grouped.ts'
import { exportList } from './export-list.ts'
import { cancelRun, getRun, linkRun, listReports, listRuns, runIdInput, runInput, runnable, startRun } from './handlers.ts'
import { openLink } from './link.ts'
import { previewInput, previewReport } from './preview.ts'
import { requestReport, type ReportRequest } from './request.ts'
import { expireReport, runReport } from './run.ts'
import { reportsView } from './screens.ts'

const run = { own: true, ownTransaction: true } as const
const listing = { own: true, summary: 'Reports the caller may run' } as const
const asking = { ...run, limit: 30, summary: 'Asks for a report or an export; its own permission decides' } as const
const linked = open('a new tab carries no bearer token; the single-use token in the path is the key')

export interface ReportParts { files: FileStore, env: { DATABASE_URL: string, ACCESS_SECRET: string } }

/** A report's screen, and its place in the menu: fleet reports also ask for the right to follow vehicles. */
function reportScreen({ name, title, description, fields, alsoAnyOf = [], andAnyOf = [], menu = { label: title, icon: 'file-chart', order: 10 } }: ReportDefinition) {
  const access: Access = { kind: 'permission', anyOf: ['CRM/REPORTS'], ...(alsoAnyOf.length > 0 ? { alsoAnyOf } : {}), ...(andAnyOf.length > 0 ? { andAnyOf } : {}) }
  return screen(`/reports/standard/${name}`, access, report({ title, report: name, description, parameters: fields, formats: [...reportFormats] }),
    { menu: { under: 'reports', ...menu } })
}

/**
 * Standard reports and exports: asked for over the socket or HTTP, written by workers, opened once by a link. `areas`: those
 * whose reports are run and whose lists are exported; it knows none of them by name.
 */
export function reportsArea({ files, env }: ReportParts, areas: readonly Area[]): Area {
  const own = defineArea({ name: 'reports', reports: [exportList(areas.flatMap((area) => area.routes))] })
  const reports = declared([...areas, own], 'report', (area) => area.reports)
  const tools = { files, reports, databaseUrl: env.DATABASE_URL, secret: env.ACCESS_SECRET }
  const ask = async (ctx: Ctx, request: ReportRequest) => void (await requestReport(tools, ctx, request))
  return defineArea({
    ...own,
    // Of its categories, which are an area of their own.
    errors: [categoryNotFound],
    menu: [{ key: 'reports', label: 'Reports', icon: 'file-chart', order: 90 }],
    routes: [
      route('reports.list', 'GET', '/api/reports', anySession, query(listSchema({}), (ctx) => listReports(tools, ctx), answers.reportsAnswer), listing),
      route('reports.grouped', 'GET', '/api/reports/grouped', anySession, query(listSchema({}), (ctx) => groupedReports(runnable(tools, ctx), ctx), groupedAnswer), { own: true, summary: 'The same under the headings of the company' }),
      route('reports.run', 'POST', '/api/reports/run', anySession, command(runInput, (ctx, input) => startRun(tools, ctx, input), answers.requestedAnswer), asking),
      route('reports.preview', 'POST', '/api/reports/preview', anySession, query(previewInput, (ctx, input) => previewReport(tools, ctx, input), answers.previewAnswer), { own: true, limit: 60, summary: 'The first rows of a report; its own permission decides' }),
      route('reports.runs', 'GET', '/api/reports/runs', anySession, query(noInput, listRuns, answers.runsAnswer), { own: true }),
      route('reports.getRun', 'GET', '/api/reports/runs/:id', anySession, query(runIdInput, getRun, answers.runAnswer), { own: true }),
      route('reports.cancel', 'POST', '/api/reports/runs/:id/cancel', anySession, command(runIdInput, async (ctx, { id }) => {
        await cancelRun(ctx, id)
        return { data: { runId: id }, message: 'Report cancelled' }
      }, answers.requestedAnswer), run),
      route('reports.link', 'POST', '/api/reports/runs/:id/link', anySession, command(runIdInput, linkRun, answers.linkAnswer), run),
      route('reports.file', 'GET', '/api/reports/files/:token', linked,
        publicCommand(z.strictObject({ token: z.string().max(100) }), ({ token }) => openLink(tools, token)), { own: true, sends: '*/*', limit: 60 }),
    ],
    screens: [
      screen('/reports', may('CRM/REPORTS'), built(reportsView, { list: 'reports.list', grouped: 'reports.grouped' }), { title: 'Reports' }),
      screen('/reports/standard', may('CRM/REPORTS'), built(reportsView, { list: 'reports.list', grouped: 'reports.grouped' }), { title: 'Standard Reports' }),
      ...[...reports.values()].filter(({ anyOf }) => anyOf.length > 0).map((definition) => reportScreen(definition)),
    ],
    jobs: [runReport(tools), expireReport(tools)],
    messages: [
      message('generateReport', anySession, (ctx, { report: name, parameters }) => ask(ctx, { report: name, parameters, format: 'xlsx' })),
      message('generateCSVReport', anySession, (ctx, { report: name, parameters }) => ask(ctx, { report: name, parameters, format: 'csv' })),
      message('runReportV2', anySession, (ctx, { reportId, parameters, exportFormat: format }) => ask(ctx, { report: reportId, parameters, format })),
      message('cancelReport', anySession, (ctx, { runId }) => cancelRun(ctx, runId)),
    ],
  })
}
