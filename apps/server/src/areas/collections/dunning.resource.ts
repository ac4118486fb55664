import { defineResource } from '../../kernel/resource/define.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

/** What may be done about a late loan, the mildest first. */
export const dunningActions = [
  { value: 'Message', label: 'Message', colour: 'blue' },
  { value: 'Call', label: 'Call', colour: 'cyan' },
  { value: 'Visit', label: 'Visit', colour: 'gold' },
  { value: 'Letter', label: 'Letter of demand', colour: 'orange' },
  { value: 'Hand over', label: 'Hand over', colour: 'red' },
]

/** A step of dunning: what is done about a loan from so many days past due on. A product with steps of its own goes by these alone. */
export const dunningStep = defineResource({
  model: 'dunningStep',
  one: 'dunningStep',
  many: 'dunningSteps',
  label: 'Dunning step',
  labelMany: 'Dunning steps',
  title: 'title',
  writtenBy: 'company',
  isSoftDeleted: true,
  fields: {
    title: { kind: 'text', label: 'Step', readOnly: true, sql: `'Day ' || t."fromDay" || ': ' || t."action"` },
    productId: { kind: 'reference', label: 'Product', to: 'product', help: 'Left empty: all products without steps of their own' },
    fromDay: { kind: 'number', label: 'From day past due', required: true, min: 1, max: 3650 },
    action: { kind: 'choice', label: 'What to do', required: true, options: dunningActions },
    instruction: { kind: 'longText', label: 'How', maxLength: 1_000 },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['productId', 'fromDay', 'action', 'instruction', 'dateModified'],
    sort: ['fromDay', 'ASC'],
    size: 1_000,
    filters: ['productId', 'action'],
    empty: { title: 'No steps yet', body: 'Say what is done about a loan that is so many days late; the worklist goes by it.' },
  },
  form: [['productId'], ['fromDay', 'action'], ['instruction']],
  actions: [bulkDeleteAction('dunning.remove', { title: 'Delete the chosen steps?' }, 'dunning.restore')],
})
