import { defineResource } from '../../kernel/resource/define.ts'

/** A label of the console replaced by the company's own word. */
export const languageLabel = defineResource({
  model: 'languageLabel',
  one: 'label',
  many: 'labels',
  label: 'Label',
  labelMany: 'Labels',
  title: 'label',
  writtenBy: 'company',
  fields: {
    language: { kind: 'choice', label: 'Language', defaultValue: 'en', options: [{ value: 'en', label: 'English' }] },
    label: { kind: 'text', label: 'Label in the console', required: true, maxLength: 200 },
    value: { kind: 'text', label: 'Your word', required: true, maxLength: 200 },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['label', 'value', 'dateModified'],
    search: ['label', 'value'],
    sort: ['label', 'ASC'],
    size: 10_000,
    filters: ['label', 'value'],
    empty: { title: 'The console speaks its own words', body: 'Add a label to replace one of them by yours.' },
  },
  form: [['label'], ['value']],
  actions: [{ route: 'config.removeLabel', label: 'Delete', scope: 'row', confirm: { title: 'Use the console’s own word again?' } }],
})
