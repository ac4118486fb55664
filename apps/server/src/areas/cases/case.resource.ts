import { caseStatuses, caseStatusNames } from '@outpost/rules/leads/pipeline-stages'
import { commentAction, commentCount } from '../../kernel/keeps/comments.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { fileCount } from '../../kernel/keeps/files.ts'
import { recordNumber } from '../../kernel/keeps/numbering.ts'
import { leftStateFilter } from '../../kernel/workflow/left-state.ts'
import { from } from '../../kernel/workflow/states.ts'
import { pipelineStage } from '../pipelines/index.ts'
import { prepareCase, stageColumns, stagesOf } from './case.rules.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

const priorities = [
  { value: 'Low', label: 'Low', colour: 'default' },
  { value: 'Normal', label: 'Normal', colour: 'blue' },
  { value: 'High', label: 'High', colour: 'orange' },
  { value: 'Urgent', label: 'Urgent', colour: 'red' },
]

/** Something to be settled, on its way through a pipeline, for a lead or a client. */
export const salesCase = defineResource({
  model: 'salesCase',
  one: 'case',
  many: 'cases',
  label: 'Case',
  labelMany: 'Cases',
  title: 'title',
  isScoped: true,
  isSoftDeleted: true,
  isSynced: true,
  offline: 'read-write',
  offlineWindow: { since: 'resolvedAt', days: 90 },
  keeps: ['comments', 'files'],
  workflow: {
    field: 'stageId',
    route: 'cases.move',
    many: 'cases.moveMany',
    choose: 'Move to stage',
    states: from(pipelineStage, {
      read: stagesOf,
      columns: stageColumns,
      isCommon: true,
      elsewhere: 'This stage is not one of the case’s pipeline.',
    }),
    moves: [{ name: 'move', from: '*', to: '*' }],
  },
  fields: {
    caseNumber: recordNumber({ prefix: 'C-', digits: 5 }),
    title: { kind: 'text', label: 'Title', required: true, maxLength: 160 },
    stageId: { kind: 'reference', label: 'Stage', to: 'pipelineStage', readOnly: true },
    status: {
      kind: 'choice',
      label: 'Status',
      readOnly: true,
      given: 'New',
      options: caseStatusNames.map((value) => ({ value, label: value, colour: caseStatuses[value].colour })),
    },
    priority: { kind: 'choice', label: 'Priority', required: true, defaultValue: 'Normal', options: priorities },
    ownerUserId: { kind: 'reference', label: 'Owner', to: 'user', given: { of: 'userId' } },
    dueDate: { kind: 'dateTime', label: 'Due' },
    isOverdue: { kind: 'boolean', label: 'Overdue', readOnly: true, sql: `t."dueDate" < now() and t."resolvedAt" is null` },
    leftStage: leftStateFilter({ one: 'case', field: 'stageId', label: 'Left the stage' }),
    leadId: { kind: 'reference', label: 'Lead', to: 'lead' },
    clientId: { kind: 'reference', label: 'Client', to: 'client' },
    description: { kind: 'longText', label: 'Description', maxLength: 4_000, detailOnly: true },
    comments: commentCount('case'),
    files: fileCount('case'),
    firstResponseAt: { kind: 'dateTime', label: 'First response', readOnly: true },
    resolvedAt: { kind: 'dateTime', label: 'Settled', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdBy: { kind: 'text', label: 'Opened by', readOnly: true, given: { of: 'userName' } },
    createdByUserId: { kind: 'text', label: 'Opened by (id)', readOnly: true, given: { of: 'userId' } },
    pipelineId: { kind: 'text', label: 'Pipeline', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Opened', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'caseNumber',
      'title',
      'stageId',
      'status',
      'priority',
      'ownerUserId',
      'dueDate',
      'leadId',
      'comments',
      'tenantId',
      'dateCreated',
    ],
    search: ['caseNumber', 'title', 'description'],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: [
      'status',
      'stageId',
      'priority',
      'ownerUserId',
      'isOverdue',
      'leadId',
      'clientId',
      'tenantId',
      'dueDate',
      'dateCreated',
      'leftStage',
    ],
    dates: {
      opened: { label: 'Opened', field: 'dateCreated', window: { kind: 'all' } },
      due: { label: 'Due', field: 'dueDate', window: { kind: 'week' } },
      settled: { label: 'Settled', field: 'resolvedAt', window: { kind: 'week' } },
    },
    empty: { title: 'No cases here', body: 'Open one for a question that must be settled for a lead or a client.' },
  },
  form: [['title'], ['priority', 'dueDate'], ['ownerUserId'], ['leadId', 'clientId'], ['description']],
  actions: [
    commentAction('cases.comment'),
    {
      route: 'cases.assign',
      label: 'Assign',
      scope: 'bulk',
      idField: 'ids',
      many: true,
      form: { userId: { kind: 'reference', label: 'Owner', to: 'user', required: true } },
    },
    bulkDeleteAction('cases.remove', { title: 'Delete the chosen cases?' }, 'cases.restore'),
  ],
  prepare: prepareCase,
})
