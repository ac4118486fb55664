import { defineResource } from '../../kernel/resource/define.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'
import { prepareAnswer, seenAnswers } from './answer.rules.ts'

/** Photos, papers and signatures: stored files, which a device sends under Ids of its own. */
const files = { table: 'web_form_answer_file', own: 'answerId', holdsFiles: true }

/** A form that was filled in, on a device too. It is not changed afterwards: what was wrong is deleted and filled in anew. */
export const webFormAnswer = defineResource({
  model: 'webFormAnswer',
  one: 'webFormAnswer',
  many: 'webFormAnswers',
  label: 'Filled form',
  labelMany: 'Filled forms',
  title: 'name',
  isScoped: true,
  isSoftDeleted: true,
  isSynced: true,
  offline: 'read-write',
  offlineWindow: { since: 'dateCreated', days: 90 },
  keeps: ['files'],
  belongings: [files],
  fields: {
    // A device says name and summary until the office does: they are those of the version, whatever a body says.
    name: { kind: 'text', label: 'Form', createOnly: true, maxLength: 120 },
    formId: { kind: 'reference', label: 'Of form', to: 'webForm', readOnly: true },
    formVersionId: { kind: 'reference', label: 'Version', to: 'webFormVersion', required: true, createOnly: true },
    leadId: { kind: 'reference', label: 'Lead', to: 'lead', createOnly: true },
    clientId: { kind: 'reference', label: 'Client', to: 'client', createOnly: true },
    activityId: { kind: 'reference', label: 'Activity', to: 'activity', createOnly: true },
    answers: { kind: 'json', label: 'Answers', createOnly: true, isTechnical: true, detailOnly: true },
    summary: { kind: 'longText', label: 'Answers in words', createOnly: true, maxLength: 20_000 },
    filledAt: { kind: 'dateTime', label: 'Filled in', createOnly: true, given: { of: 'now' } },
    createdByUserId: { kind: 'reference', label: 'Filled in by', to: 'user', readOnly: true, given: { of: 'userId' } },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Arrived', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'leadId', 'clientId', 'activityId', 'summary', 'filledAt', 'createdByUserId', 'tenantId', 'dateCreated'],
    search: ['name', 'summary'],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: ['formId', 'formVersionId', 'leadId', 'clientId', 'activityId', 'createdByUserId', 'tenantId', 'filledAt'],
    dates: {
      filled: { label: 'Filled in', field: 'filledAt', window: { kind: 'all' } },
      arrived: { label: 'Arrived', field: 'dateCreated', window: { kind: 'all' } },
    },
    empty: { title: 'No filled forms yet', body: 'Fill one in from the list of forms, or on the page of a lead, client or activity.' },
  },
  actions: [bulkDeleteAction('webForms.removeAnswers', { title: 'Delete the chosen answers?' }, 'webForms.restoreAnswers')],
  visible: seenAnswers,
  prepare: prepareAnswer,
})
