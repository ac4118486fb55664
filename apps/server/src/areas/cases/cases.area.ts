import { defineArea, may, route } from '../../kernel/area.ts'
import { commentAnswer, commentInput } from '../../kernel/keeps/comments.ts'
import { fileRoutes } from '../../kernel/keeps/files.ts'
import { history } from '../../kernel/keeps/history.ts'
import { recordsAnswer } from '../../kernel/resource/answers.ts'
import { command, create, get, list, remove, restore, update } from '../../kernel/resource/operations.ts'
import { boardOf } from '../../kernel/workflow/describe.ts'
import { move, moveLater, moveMany } from '../../kernel/workflow/operations.ts'
import { timeInState } from '../../kernel/reports/time-in-state.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import * as handle from './case.handlers.ts'
import { caseMetrics } from './case.metrics.ts'
import { caseNews } from './case.news.ts'
import { salesCase } from './case.resource.ts'

const own = { own: true }

/** Cases: what must be settled, by whom and until when, through the stages of a pipeline. */
export const casesArea = defineArea({
  name: 'cases',
  metrics: caseMetrics,
  counted: [{ resource: salesCase, anyOf: ['SALES/CASES'], name: ['caseNumber', 'title'], screens: ['/sales/cases/view/:id'] }],
  notifications: [caseNews],
  reports: [timeInState(salesCase, { anyOf: 'SALES/CASES', screen: '/sales/cases', officer: 'ownerUserId', branch: 'tenantId', left: 'leftStage', menu: { label: 'Time in stage', icon: 'history', order: 4 } })],
  resources: [salesCase],
  routes: [
    route('cases.list', 'GET', '/api/cases', may('SALES/CASES'), list(salesCase), own),
    route('cases.get', 'GET', '/api/cases/:id', may('SALES/CASES'), get(salesCase), own),
    route('cases.timeline', 'GET', '/api/cases/:id/timeline', may('SALES/CASES'), history(salesCase, handle.caseHistory), own),
    route('cases.create', 'POST', '/api/cases', may('SALES/CASES/CREATE'), create(salesCase), own),
    route('cases.remove', 'POST', '/api/cases/delete', may('SALES/CASES/DELETE'), remove(salesCase), own),
    route('cases.restore', 'POST', '/api/cases/restore', may('SALES/CASES/DELETE'), restore(salesCase), own),
    route('cases.assign', 'POST', '/api/cases/assign', may('SALES/CASES/EDIT'), command(handle.assignInput, handle.assignCases, recordsAnswer(salesCase)), own),
    route('cases.comment', 'POST', '/api/cases/:id/comments', may('SALES/CASES'), command(commentInput, handle.commentCase, commentAnswer), own),
    route('cases.move', 'PUT', '/api/cases/:id/stage', may('SALES/CASES/EDIT'), move(salesCase, { message: ({ stageIdLabel }) => `Moved to ${String(stageIdLabel)}` }), { own: true, offline: moveLater(salesCase, { label: 'Stage' }), summary: 'Moves a case to another stage of its pipeline' }),
    route('cases.moveMany', 'POST', '/api/cases/move', may('SALES/CASES/EDIT'), moveMany(salesCase), { own: true, summary: 'Moves cases to another stage, with a verdict on each' }),
    ...fileRoutes(salesCase, { area: 'cases', path: '/api/cases', read: may('SALES/CASES'), write: may('SALES/CASES/EDIT') }),
    route('cases.update', 'PUT', '/api/cases/:id', may('SALES/CASES/EDIT'), update(salesCase), own),
  ],
  timeline: [{ on: 'client', resource: salesCase, anyOf: ['SALES/CASES'], where: 't."clientId" in (select id from ids)', at: 't."dateCreated"', who: 't."createdByUserId"', what: `'Case C-' || lpad(t."number"::text, 5, '0')`, detail: 't."title"' }],
  panels: [on('lead', by(salesCase, 'leadId')), on('client', by(salesCase, 'clientId'))],
  screens: [
    screen('/sales/cases', may('SALES/CASES'), listOf(salesCase, { source: 'cases.list', overrides: { exportReport: 'exportList', layouts: [boardOf(salesCase, { lines: ['caseNumber', 'ownerUserId', 'dueDate'], badge: 'priority' })] } }), {
      menu: { under: 'sales', label: 'Cases', icon: 'check', order: 40 },
    }),
    screen('/sales/cases/add', may('SALES/CASES/CREATE'), formOf(salesCase)),
    screen('/sales/cases/edit/:id', may('SALES/CASES/EDIT'), formOf(salesCase)),
    screen('/sales/cases/view/:id', may('SALES/CASES'), detailOf(salesCase, {
      overrides: {
        sections: [
          { rows: [['caseNumber', 'title'], ['stageId', 'status'], ['priority', 'dueDate'], ['ownerUserId', 'tenantId'], ['leadId', 'clientId'], ['description']] },
          { title: 'Course', rows: [['createdBy', 'dateCreated'], ['firstResponseAt', 'resolvedAt']] },
        ],
      },
    })),
  ],
})
