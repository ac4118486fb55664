import { commentAction, commentCount } from '../../kernel/keeps/comments.ts'
import { recordNumber } from '../../kernel/keeps/numbering.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'
import { leftStateFilter } from '../../kernel/workflow/left-state.ts'
import { taskStates, taskWorkflow } from './task.moves.ts'
import { prepareTask } from './task.rules.ts'

/** States in which there is something left to do. */
export const openTaskStates = ['Open', 'In progress']

const priorities = [
  { value: 'Low', label: 'Low', colour: 'default' },
  { value: 'Normal', label: 'Normal', colour: 'blue' },
  { value: 'High', label: 'High', colour: 'orange' },
  { value: 'Urgent', label: 'Urgent', colour: 'red' },
]

/** What somebody has to do by a time, wherever they are. Work at a place and an hour is an activity, which a task may be about. */
export const task = defineResource({
  model: 'task',
  one: 'task',
  many: 'tasks',
  label: 'Task',
  labelMany: 'Tasks',
  title: 'title',
  isScoped: true,
  isSoftDeleted: true,
  isSynced: true,
  offline: 'read-write',
  offlineWindow: { since: 'completedAt', days: 90 },
  keeps: ['comments'],
  workflow: taskWorkflow,
  fields: {
    taskNumber: recordNumber({ prefix: 'T-', digits: 5 }),
    title: { kind: 'text', label: 'Title', required: true, maxLength: 160 },
    status: {
      kind: 'choice',
      label: 'Status',
      readOnly: true,
      given: 'Open',
      options: Object.entries(taskStates).map(([value, { colour }]) => ({ value, label: value, colour })),
    },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true, visibleIf: { not: { eq: ['statusReason', null] } } },
    priority: { kind: 'choice', label: 'Priority', required: true, defaultValue: 'Normal', options: priorities },
    assignedUsers: {
      kind: 'multiReference',
      label: 'For',
      to: 'user',
      max: 50,
      through: 'taskAssignee',
      given: { of: 'userId' },
      help: 'Nobody chosen: it is yours',
    },
    dueAt: { kind: 'dateTime', label: 'Due' },
    isOverdue: {
      kind: 'boolean',
      label: 'Overdue',
      readOnly: true,
      sql: `coalesce(t."dueAt" < now(), false) and t."status" in ('Open', 'In progress')`,
    },
    remindAt: { kind: 'dateTime', label: 'Remind at', help: 'Its people are told then, while it is not done' },
    remindedAt: { kind: 'dateTime', label: 'Reminded of', readOnly: true, detailOnly: true },
    leadId: { kind: 'reference', label: 'Lead', to: 'lead' },
    clientId: { kind: 'reference', label: 'Client', to: 'client' },
    caseId: { kind: 'reference', label: 'Case', to: 'case' },
    loanId: { kind: 'reference', label: 'Loan', to: 'loan' },
    activityId: { kind: 'reference', label: 'Activity', to: 'activity' },
    note: { kind: 'longText', label: 'Note', maxLength: 4_000, detailOnly: true },
    comments: commentCount('task'),
    completedAt: { kind: 'dateTime', label: 'Completed', readOnly: true },
    leftStatus: leftStateFilter({ one: 'task', field: 'status', label: 'Left the status' }),
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdBy: { kind: 'text', label: 'Given by', readOnly: true, given: { of: 'userName' } },
    createdByUserId: {
      kind: 'reference',
      label: 'Given by (person)',
      to: 'user',
      isCompanyWide: true,
      readOnly: true,
      given: { of: 'userId' },
    },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'taskNumber',
      'title',
      'status',
      'priority',
      'dueAt',
      'isOverdue',
      'assignedUsers',
      'clientId',
      'leadId',
      'comments',
      'createdBy',
      'tenantId',
    ],
    search: ['taskNumber', 'title', 'note'],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: [
      'status',
      'priority',
      'assignedUsers',
      'isOverdue',
      'dueAt',
      'leadId',
      'clientId',
      'caseId',
      'loanId',
      'activityId',
      'createdByUserId',
      'tenantId',
      'dateCreated',
      'leftStatus',
    ],
    dates: {
      created: { label: 'Created', field: 'dateCreated', window: { kind: 'all' } },
      due: { label: 'Due', field: 'dueAt', window: { kind: 'week' } },
      completed: { label: 'Completed', field: 'completedAt', window: { kind: 'week' } },
    },
    empty: { title: 'No tasks here', body: 'Write down what is to be done, by whom and by when.' },
  },
  form: [
    ['title'],
    ['priority', 'dueAt'],
    ['assignedUsers', 'remindAt'],
    ['leadId', 'clientId'],
    ['caseId', 'loanId'],
    ['activityId'],
    ['note'],
  ],
  actions: [
    commentAction('tasks.comment'),
    {
      route: 'tasks.assignMany',
      label: 'Assign',
      scope: 'bulk',
      assign: { candidates: 'tasks.assignees', undo: 'tasks.undoAssignments', load: 'open tasks' },
    },
    bulkDeleteAction('tasks.remove', { title: 'Delete the chosen tasks?' }, 'tasks.restore'),
  ],
  prepare: prepareTask,
})
