import { anySession, defineArea, may, open, route } from '../../kernel/area.ts'
import { assigneesAnswer, idsInput, manyInput, verdictsAnswer } from '../../kernel/assigning.ts'
import { recordAnswer, removedAnswer } from '../../kernel/resource/answers.ts'
import { comment } from '../../kernel/keeps/comments.ts'
import { history } from '../../kernel/keeps/history.ts'
import { optionRoutes, optionScreens } from '../../kernel/relations/own-options.ts'
import { command, get, list, noInput, publicCommand, query, restore } from '../../kernel/resource/operations.ts'
import { idInput, idSchema } from '../../kernel/resource/schema.ts'
import { timeInState } from '../../kernel/reports/time-in-state.ts'
import { move, moveLater } from '../../kernel/workflow/operations.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { custom, detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import * as answers from './activity.answers.ts'
import * as assigning from './agents/activity.assign-many.ts'
import * as bulk from './activity.bulk.ts'
import { activityNotFound } from './activity.errors.ts'
import { filesInput, updateFiles } from './agents/activity.files.ts'
import * as handle from './activity.handlers.ts'
import * as link from './agents/activity.links.ts'
import { activityMetrics } from './activity.metrics.ts'
import * as report from './activity.reports.ts'
import { activity } from './activity.resource.ts'
import { topUpJob } from './series/activity.series.ts'
import * as status from './agents/activity.status.ts'
import { activityHistory } from './activity.history.ts'
import * as view from './activity.views.ts'
import { visitOfDevice } from './agents/activity.visit.ts'
import { assignment } from './agents/assignment.resource.ts'
import * as feed from './calendar/calendar-feed.ts'
import * as calendar from './calendar/calendar.layers.ts'
import { activityStatus, activityType } from './options/option.resource.ts'
import { activityTiles, activityWidgets } from './activity.tiles.ts'
import { branchesAnswer, doneByBranch } from './activity.branches.ts'

const see = may('SALES/ACTIVITIES/ACTIVITIES')
const seeOrDo = feed.feedAccess
const edit = may('SALES/ACTIVITIES/ACTIVITIES/EDIT')
const doWork = may('SALES/AGENTS/MYWORK', 'SALES/ACTIVITIES/ACTIVITIES/EDIT')
const settings = may('ADMIN/SETTINGS')
const listed = { extra: report.narrowing, dateType: 'start', where: report.byStatusAndType } as const
const widget = { ...list(activity, { extra: report.narrowing }), kind: 'query' } as const
const own = { own: true }
/** The status of an activity as a whole, by its id. */
const whole = { by: 'statusId', message: () => 'Activity Updated Successfully.' }
const [types, statuses, feedPath] = ['/api/activities/types/manage', '/api/activities/statuses/manage', '/api/calendar/feed']

/** When, its state and where: the line under an activity that the palette found. */
const foundActivity = `concat_ws(' · ', to_char(t."startDate" at time zone (select c."timeZone" from tenant c where c."companyId" = t."companyId" and c."id" = t."companyId"), 'YYYY-MM-DD HH24:MI'), t."status", t."location")`

/** Work to be done: activities, who does them, how far they are, what repeats, types and statuses, and the calendar of each agent. */
export const activitiesArea = defineArea({
  name: 'activities',
  tiles: activityTiles,
  widgets: activityWidgets,
  metrics: activityMetrics,
  counted: [{ resource: activity, anyOf: ['SALES/ACTIVITIES/ACTIVITIES', 'SALES/AGENTS/MYWORK'], screens: ['/sales/activities/:id/view'] }],
  palette: [{ resource: activity, anyOf: ['SALES/ACTIVITIES/ACTIVITIES'], subtitle: foundActivity, open: '/sales/activities/', tail: '/view', branch: 'tenantId', order: 20 }],
  errors: [activityNotFound],
  timeline: [{ on: 'client', resource: activity, anyOf: ['SALES/ACTIVITIES/ACTIVITIES', 'SALES/AGENTS/MYWORK'], where: 't."startDate" <= now() and t."id" in (select k."activityId" from activity_client k where k."companyId" = t."companyId" and k."clientId" in (select id from ids))', at: 't."startDate"', who: 't."createdUserId"', what: `'Activity, ' || lower(t."status")`, detail: 't."name"' }],
  panels: [on('lead', by(activity, 'leads')), on('client', by(activity, 'clients'))],
  reports: [timeInState(activity, { anyOf: 'SALES/ACTIVITIES/ACTIVITIES', screen: '/sales/activities', officer: 'assignedUsers', branch: 'tenantId', left: 'leftStatus', menu: { label: 'Time in activity status', icon: 'history', order: 5 } })],
  resources: [activity, assignment, activityType, activityStatus],
  routes: [
    route('activities.list', 'GET', '/api/activities', see, list(activity, listed)),
    route('activities.doneByBranch', 'GET', '/api/home/done-by-branch', see, query(noInput, doneByBranch, branchesAnswer), { own: true, summary: 'Visits done today, a row each branch' }),
    route('activities.mine', 'GET', '/api/activities/agent-my-work-activities', seeOrDo, list(activity, { ...listed, where: report.mine })),
    route('activities.forStatus', 'GET', '/api/activities/for-status-widget', seeOrDo, { ...widget, run: report.forStatusWidget, answer: report.statusWidgetAnswer }),
    route('activities.forType', 'GET', '/api/activities/for-type-widget', seeOrDo, { ...widget, run: report.forTypeWidget, answer: report.typeWidgetAnswer }),
    route('activities.agentReport', 'GET', '/api/activities/agentActivityStatusReport', may('SALES/ACTIVITIES'), list(assignment, { extra: { status: report.narrowing.status }, dateType: 'start', where: report.byAgentStatus })),
    route('activities.agentsOf', 'GET', '/api/activities/activityagents/:id', seeOrDo, query(idInput, report.agentsOfActivity, answers.agentsAnswer)),
    route('activities.ofAgent', 'GET', '/api/activities/agents/:id', see, list(activity, { extra: { ...report.narrowing, id: idSchema }, where: report.ofAgent })),
    route('activities.byIds', 'GET', '/api/activities/list/:ids', seeOrDo, query(report.idsInput, report.activitiesByIds, answers.activitiesAnswer)),
    route('activities.types', 'GET', '/api/activities/types', anySession, query(noInput, handle.optionsOf('activity_type', 'activityTypes'), answers.typesAnswer)),
    route('activities.statuses', 'GET', '/api/activities/statuses', anySession, query(noInput, handle.optionsOf('activity_status', 'activityStatuses'), answers.statusesAnswer)),
    route('activities.getAssignment', 'GET', '/api/activities/get-activity-assignment/:entityId/:x', seeOrDo, query(status.assignmentOfInput, status.getAssignment, answers.assignmentAnswer)),
    route('activities.calendarLayer', 'GET', '/api/activities/calendar-layers/:layer', may('SALES/ACTIVITIES/CALENDAR'), query(calendar.layerInput, calendar.calendarLayer, answers.layerAnswer), { own: true, summary: 'Dates of one kind for the calendar' }),
    route('activities.get', 'GET', '/api/activities/:id', seeOrDo, get(activity)),
    route('activities.timeline', 'GET', '/api/activities/:id/timeline', seeOrDo, history(activity, activityHistory), own),
    route('activities.create', 'POST', '/api/activities', may('SALES/ACTIVITIES/ACTIVITIES/CREATE'), { ...command(handle.activityInput, handle.createActivity, recordAnswer(activity)), kind: 'create', resource: activity }),
    route('activities.assign', 'POST', '/api/activities/assignment', edit, command(link.assignmentInput, link.addAgents, recordAnswer(activity))),
    route('activities.reassignOne', 'PUT', '/api/activities/assignment', edit, command(link.assignmentInput, link.replaceAgents, recordAnswer(activity))),
    route('activities.assignees', 'POST', '/api/activities/assignees', edit, query(idsInput, assigning.activityAssignees, assigneesAnswer), { own: true, summary: 'Who may be given activities, with the open ones each has' }),
    route('activities.assignMany', 'POST', '/api/activities/assign-many', edit, command(manyInput, assigning.assignMany, verdictsAnswer), { own: true, summary: 'Gives each activity to its agent, with a verdict on each' }),
    route('activities.undoAssignments', 'POST', '/api/activities/undo-assignments', edit, command(idsInput, assigning.undoAssignments, verdictsAnswer), { own: true, summary: 'Takes back activities the caller has just given away' }),
    route('activities.linkClient', 'POST', '/api/activities/client', edit, command(link.clientInput, link.addClients, recordAnswer(activity))),
    route('activities.linkLead', 'POST', '/api/activities/lead', edit, command(link.leadInput, link.addLeads, recordAnswer(activity))),
    route('activities.linkEntities', 'POST', '/api/activities/entities', edit, command(link.entitiesInput, link.addEntities, recordAnswer(activity))),
    route('activities.bulk', 'POST', '/api/activities/bulk-update', edit, command(bulk.bulkInput, bulk.bulkUpdate, answers.changedAnswer)),
    route('activities.remove', 'POST', '/api/activities/delete', may('SALES/ACTIVITIES/ACTIVITIES/DELETE'), { ...command(bulk.removeInput, bulk.removeActivities, removedAnswer), kind: 'remove', resource: activity }),
    route('activities.comment', 'POST', '/api/activities/:id/comments', seeOrDo, comment(activity, { open: '/sales/activities/:id/view' }), own),
    route('activities.restore', 'POST', '/api/activities/restore', may('SALES/ACTIVITIES/ACTIVITIES/DELETE'), restore(activity), own),
    route('activities.updateFiles', 'PUT', '/api/activities/update-assignment-files', doWork, command(filesInput, updateFiles, answers.workedAnswer)),
    route('activities.updateAssignmentStatus', 'PUT', '/api/activities/updateAssignmentStatus', doWork, command(status.assignmentStatusInput, status.updateAssignmentStatus, answers.workedAnswer), { offline: visitOfDevice }),
    route('activities.setStatus', 'PUT', '/api/activities/status/:id', edit, move(activity, whole), { own: true, offline: moveLater(activity, { label: 'Status', ...whole }), summary: 'Status of an activity as a whole; its agents take it over' }),
    route('activities.update', 'PUT', '/api/activities/:id', edit, { ...command(handle.activityUpdate, handle.updateActivity, recordAnswer(activity)), kind: 'update', resource: activity }),

    ...optionRoutes(activityType, { name: 'activityTypes', path: types, access: settings }),
    ...optionRoutes(activityStatus, { name: 'activityStatuses', path: statuses, access: settings }),

    route('calendarFeed.show', 'GET', feedPath, seeOrDo, query(noInput, feed.showFeed, answers.feedAnswer), { own: true, inPerson: true }),
    route('calendarFeed.create', 'POST', feedPath, seeOrDo, command(noInput, feed.createFeed, answers.feedAnswer), { own: true, limit: 10, inPerson: true }),
    route('calendarFeed.revoke', 'DELETE', feedPath, seeOrDo, command(noInput, feed.revokeFeed, answers.feedAnswer), { own: true, inPerson: true }),
    route('calendarFeed.read', 'GET', '/api/calendar/:token.ics', open('a calendar program asks with the secret of the address'), publicCommand(feed.feedInput, feed.readFeed), { own: true, sends: 'text/calendar', limit: 60 }),
  ],
  screens: [
    screen('/sales/activities', see, listOf(activity, { source: 'activities.list', overrides: { exportReport: 'exportList', layouts: view.layouts, actions: [...(activity.actions ?? []), view.askAddress] } }), { menu: { under: 'sales', label: 'Activities', icon: 'calendar-check', order: 5 } }),
    screen('/sales/activities/agents', may('SALES/ACTIVITIES'), listOf(assignment, { overrides: { title: 'Agent activities', exportReport: 'exportList', routes: { view: '/sales/activities/:activityId/view' } } }), { menu: { under: 'sales', label: 'Agent activities', icon: 'user-check', order: 6 } }),
    screen('/sales/activities/create', may('SALES/ACTIVITIES/ACTIVITIES/CREATE'), formOf(activity, { after: '/sales/activities/:id/view' }), { createOrder: 20 }),
    screen('/sales/activities/calendar', may('SALES/ACTIVITIES/CALENDAR'), custom('activity-calendar', 'Calendar', calendar.calendarData), { menu: { under: 'sales', label: 'Calendar', icon: 'calendar', order: 8 } }),
    screen('/sales/activities/:id/edit', edit, formOf(activity, { after: '/sales/activities/:id/view' })),
    screen('/sales/activities/:id/visit', doWork, custom('activity-visit', 'Visit'), { offline: true }),
    screen('/sales/activities/:id/view', seeOrDo, detailOf(activity, { panels: view.panels, overrides: { sections: [{ rows: view.facts }], actions: [...(activity.actions ?? []), view.onMap] } })),
    screen('/sales/activities/calendar-address/:id', seeOrDo, view.calendarAddress, { title: 'Calendar address' }),
    ...optionScreens(activityType, { path: '/admin/sales/activity-types', access: settings, menu: { under: 'administration', label: 'Activity types', icon: 'tag', order: 10 } }),
    ...optionScreens(activityStatus, { path: '/admin/sales/activity-statuses', access: settings, menu: { under: 'administration', label: 'Activity statuses', icon: 'check', order: 11 } }),
  ],
  jobs: [topUpJob],
})
