import { defineArea, may, route } from '../../kernel/area.ts'
import { assigneesAnswer, idsInput, manyInput, verdictsAnswer } from '../../kernel/assigning.ts'
import { comment } from '../../kernel/keeps/comments.ts'
import { history } from '../../kernel/keeps/history.ts'
import { command, create, get, list, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { boardOf } from '../../kernel/workflow/describe.ts'
import { move, moveLater, moveMany } from '../../kernel/workflow/operations.ts'
import * as assigning from './task.assign-many.ts'
import { doWork } from './task.moves.ts'
import { taskNews } from './task.news.ts'
import { reminderJob } from './task.reminder.job.ts'
import { task } from './task.resource.ts'
import { taskTiles, withViews } from './task.tiles.ts'

const own = { own: true }
/** Tasks are work as activities are: one right for both. */
const see = may('SALES/ACTIVITIES/ACTIVITIES', 'SALES/AGENTS/MYWORK')
const [add, edit, drop] = [may('SALES/ACTIVITIES/ACTIVITIES/CREATE'), may('SALES/ACTIVITIES/ACTIVITIES/EDIT'), may('SALES/ACTIVITIES/ACTIVITIES/DELETE')]

/** Tasks: what is to be done, by whom and by when. */
export const tasksArea = defineArea({
  name: 'tasks',
  tiles: taskTiles,
  notifications: [taskNews],
  resources: [task],
  palette: [{ resource: task, anyOf: ['SALES/ACTIVITIES/ACTIVITIES', 'SALES/AGENTS/MYWORK'], subtitle: `concat_ws(' · ', 'T-' || lpad(t."number"::text, greatest(5, length(t."number"::text)), '0'), t."status")`, open: '/tasks/view/', branch: 'tenantId', order: 25 }],
  routes: [
    route('tasks.list', 'GET', '/api/tasks', see, list(task), own),
    route('tasks.get', 'GET', '/api/tasks/:id', see, get(task), own),
    route('tasks.timeline', 'GET', '/api/tasks/:id/timeline', see, history(task, { except: ['completedAt', 'remindedAt'] }), own),
    route('tasks.create', 'POST', '/api/tasks', add, create(task), own),
    route('tasks.comment', 'POST', '/api/tasks/:id/comments', see, comment(task, { open: '/tasks/view/:id' }), own),
    route('tasks.move', 'POST', '/api/tasks/:id/move', doWork, move(task, { message: ({ status }) => `The task is ${String(status).toLowerCase()} now` }), { own: true, offline: moveLater(task, { label: 'Status' }), summary: 'Begins, completes, cancels or reopens a task' }),
    route('tasks.moveMany', 'POST', '/api/tasks/move', doWork, moveMany(task), { own: true, summary: 'The same for several tasks, with a verdict on each' }),
    route('tasks.assignees', 'POST', '/api/tasks/assignees', edit, query(idsInput, assigning.taskAssignees, assigneesAnswer), { own: true, summary: 'Who may get tasks, and how many each has' }),
    route('tasks.assignMany', 'POST', '/api/tasks/assign-many', edit, command(manyInput, assigning.assignMany, verdictsAnswer), { own: true, summary: 'Gives tasks to people, with a verdict on each' }),
    route('tasks.undoAssignments', 'POST', '/api/tasks/undo-assignments', edit, command(idsInput, assigning.undoAssignments, verdictsAnswer), { own: true, summary: 'Takes back what was just given away' }),
    route('tasks.remove', 'POST', '/api/tasks/delete', drop, remove(task), own),
    route('tasks.restore', 'POST', '/api/tasks/restore', drop, restore(task), own),
    route('tasks.update', 'PUT', '/api/tasks/:id', edit, update(task), own),
  ],
  timeline: [{ on: 'client', resource: task, anyOf: ['SALES/ACTIVITIES/ACTIVITIES', 'SALES/AGENTS/MYWORK'], where: 't."clientId" in (select id from ids)', at: 't."dateCreated"', who: 't."createdByUserId"', what: `'Task T-' || lpad(t."number"::text, greatest(5, length(t."number"::text)), '0')`, detail: `concat_ws(' · ', t."title", t."status")` }],
  panels: [on('lead', by(task, 'leadId')), on('client', by(task, 'clientId')), on('case', by(task, 'caseId')), on('loan', by(task, 'loanId')), on('activity', by(task, 'activityId'))],
  screens: [
    screen('/tasks', see, listOf(task, { refine: withViews, overrides: { exportReport: 'exportList', layouts: [boardOf(task, { lines: ['taskNumber', 'dueAt', 'assignedUsers'], badge: 'priority' })] } }), {
      menu: { under: null, label: 'Tasks', icon: 'check', order: 80 },
    }),
    screen('/tasks/add', add, formOf(task), { createOrder: 25 }),
    screen('/tasks/edit/:id', edit, formOf(task)),
    screen('/tasks/view/:id', see, detailOf(task, {
      overrides: {
        sections: [
          { rows: [['taskNumber', 'title'], ['status', 'statusReason'], ['priority', 'dueAt'], ['assignedUsers', 'isOverdue'], ['note']] },
          { title: 'About', rows: [['leadId', 'clientId'], ['caseId', 'loanId'], ['activityId']] },
          { title: 'Course', rows: [['createdBy', 'dateCreated'], ['remindAt', 'remindedAt'], ['completedAt', 'tenantId']] },
        ],
      },
    })),
  ],
  jobs: [reminderJob],
})
