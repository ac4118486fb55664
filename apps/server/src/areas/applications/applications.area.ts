import { defineArea, may, route } from '../../kernel/area.ts'
import { comment } from '../../kernel/keeps/comments.ts'
import { fileRoutes } from '../../kernel/keeps/files.ts'
import { history } from '../../kernel/keeps/history.ts'
import { nameText } from '../../kernel/names.ts'
import { timeInState } from '../../kernel/reports/time-in-state.ts'
import { create, get, list, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import type { FieldDefinition, PanelDefinition } from '../../kernel/types.ts'
import { boardOf } from '../../kernel/workflow/describe.ts'
import { move, moveMany } from '../../kernel/workflow/operations.ts'
import { loan } from '../loans/index.ts'
import { expireJob } from './application.follow.ts'
import * as handle from './application.handlers.ts'
import { collateral, guarantor, paper } from './application.lines.ts'
import { applicationMetrics } from './application.metrics.ts'
import { applicationNews } from './application.news.ts'
import { application } from './application.resource.ts'
import { openDays } from './application.settings.ts'
import { approvalLimit } from './limit.resource.ts'
import { applicationTiles } from './application.tiles.ts'

const own = { own: true }
/** Applications are made by whoever works with leads, and decided by whoever decides on credit. */
const [see, add, edit] = [may('SALES/LEADS', 'LOAN/DISBURSEMENTS'), may('SALES/LEADS/CREATE'), may('SALES/LEADS/EDIT')]
const limits = may('ADMIN/SETTINGS')
const path = '/api/applications'

const amount = (label: string): FieldDefinition => ({ kind: 'money', label, currency: 'company' })
/** What was quoted, instalment by instalment. */
const schedulePanel: PanelDefinition = {
  key: 'schedule', title: 'Schedule', route: 'applications.schedule', value: 'rows', empty: { title: 'No schedule' },
  fields: {
    number: { kind: 'number', label: '#' }, dueOn: { kind: 'date', label: 'Due' }, principal: amount('Principal'), interest: amount('Interest'), fee: amount('Fees'),
    insurance: amount('Insurance'), total: amount('Instalment'), balance: amount('Balance'),
  },
}

const sections = [
  { title: 'Who asks', rows: [['applicant', 'applicationNumber'], ['clientId', 'leadId'], ['ownerUserId', 'tenantId']] },
  { title: 'What for', rows: [['productId', 'productVersionId'], ['amount', 'instalments'], ['purpose', 'firstDueAt']] },
  { title: 'What it costs', rows: [['instalment', 'paidOut'], ['totalPaid', 'totalCost'], ['aprEffective', 'aprNominal'], ['insuranceName', 'quotedAt']] },
  { title: 'What the applicant can afford', rows: [['assessmentOutcome', 'affordable']] },
  { title: 'Security and papers', rows: [['guarantors'], ['collateral'], ['papers']] },
  { title: 'Decision', rows: [['submittedAt', 'expiresAt'], ['decidedAt', 'decidedByUserId'], ['statusReason'], ['decisionNote']] },
]
const formSections = [
  { title: 'Who asks', hint: 'A client, or a lead who is to become one.', rows: [['clientId', 'leadId'], ['ownerUserId']] },
  { title: 'What for', hint: 'The terms on offer today are pinned; each save quotes what the loan costs.', rows: [['productId', 'purpose'], ['amount', 'instalments'], ['firstDueAt']] },
  { title: 'Security', rows: [['guarantors'], ['collateral']] },
  { title: 'Papers', hint: 'Left empty, a new application begins with those its product asks for.', rows: [['papers']] },
]

/** Loan applications: made from a lead or a client, quoted, assessed, and decided by a second person within a limit. */
export const applicationsArea = defineArea({
  name: 'applications',
  tiles: applicationTiles,
  metrics: applicationMetrics,
  counted: [{ resource: application, anyOf: ['SALES/LEADS', 'LOAN/DISBURSEMENTS'], screens: ['/sales/applications/view/:id'] }],
  palette: [{ resource: application, anyOf: ['SALES/LEADS', 'LOAN/DISBURSEMENTS'], subtitle: `concat_ws(' · ', coalesce((select ${nameText('c')} from client c where c."companyId" = t."companyId" and c."id" = t."clientId"), (select ${nameText('l')} from lead l where l."companyId" = t."companyId" and l."id" = t."leadId")), t."status")`, open: '/sales/applications/view/', branch: 'tenantId', order: 15 }],
  notifications: [applicationNews],
  settings: [openDays],
  jobs: [expireJob],
  reports: [timeInState(application, { anyOf: 'SALES/LEADS', screen: '/sales/applications', officer: 'ownerUserId', branch: 'tenantId', left: 'leftStatus', menu: { label: 'Time in status of applications', icon: 'history', order: 6 } })],
  resources: [application, guarantor, collateral, paper, approvalLimit],
  routes: [
    route('applications.list', 'GET', path, see, list(application), own),
    route('applications.limits', 'GET', `${path}/limits`, limits, list(approvalLimit), own),
    route('applications.getLimit', 'GET', `${path}/limits/:id`, limits, get(approvalLimit), own),
    route('applications.createLimit', 'POST', `${path}/limits`, limits, create(approvalLimit), own),
    route('applications.removeLimit', 'POST', `${path}/limits/delete`, limits, remove(approvalLimit), own),
    route('applications.updateLimit', 'PUT', `${path}/limits/:id`, limits, update(approvalLimit), own),
    route('applications.get', 'GET', `${path}/:id`, see, get(application), own),
    route('applications.timeline', 'GET', `${path}/:id/timeline`, see, history(application, handle.applicationHistory), own),
    route('applications.schedule', 'GET', `${path}/:id/schedule`, see, query(idInput, handle.applicationSchedule, handle.scheduleAnswer), { own: true, summary: 'The schedule as it was quoted with the last save' }),
    route('applications.comment', 'POST', `${path}/:id/comments`, see, comment(application, { open: '/sales/applications/view/:id' }), own),
    route('applications.create', 'POST', path, add, create(application), own),
    route('applications.remove', 'POST', `${path}/delete`, edit, remove(application), own),
    route('applications.restore', 'POST', `${path}/restore`, edit, restore(application), own),
    route('applications.moveMany', 'POST', `${path}/move`, see, moveMany(application), { own: true, summary: 'Moves applications on, with a verdict on each' }),
    route('applications.move', 'POST', `${path}/:id/move`, see, move(application), { own: true, summary: 'Sends an application in, decides on it or withdraws it' }),
    ...fileRoutes(application, { area: 'applications', path, read: see, write: edit }),
    route('applications.update', 'PUT', `${path}/:id`, edit, update(application), own),
  ],
  timeline: [{ on: 'client', resource: application, anyOf: ['SALES/LEADS', 'LOAN/DISBURSEMENTS'], where: 't."clientId" in (select id from ids)', at: 't."dateCreated"', who: 't."createdByUserId"', what: `'Application A-' || lpad(t."number"::text, 5, '0')`, detail: 't."status"' }],
  panels: [on('client', by(application, 'clientId', 'Applications')), on('lead', by(application, 'leadId', 'Applications')), on('product', by(application, 'productId', 'Applications')), on('loanApplication', by(loan, 'applicationId', 'Loan'))],
  screens: [
    screen('/sales/applications', see, listOf(application, { source: 'applications.list', overrides: { exportReport: 'exportList', layouts: [boardOf(application, { lines: ['applicant', 'amount', 'ownerUserId'], badge: 'productId' })] } }), { menu: { under: 'sales', label: 'Applications', icon: 'file', order: 2 } }),
    screen('/sales/applications/add', add, formOf(application, { overrides: { sections: formSections, isStepped: true } }), { createOrder: 25 }),
    screen('/sales/applications/edit/:id', edit, formOf(application, { overrides: { sections: formSections, isStepped: true } })),
    screen('/sales/applications/view/:id', see, detailOf(application, { panels: [schedulePanel], overrides: { sections } })),
    screen('/admin/approval-limits', limits, listOf(approvalLimit, { source: 'applications.limits' }), { menu: { under: 'administration', label: 'Limits of approval', icon: 'safety', order: 33 } }),
    screen('/admin/approval-limits/add', limits, formOf(approvalLimit)),
    screen('/admin/approval-limits/edit/:id', limits, formOf(approvalLimit)),
  ],
})
