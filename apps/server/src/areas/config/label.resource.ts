import { languageOptions } from '../../kernel/languages.ts'
import { defineResource } from '../../kernel/resource/define.ts'

/** A label of the console replaced by the company's own word, in one of the console's languages. */
export const languageLabel = defineResource({
  model: 'languageLabel',
  one: 'label',
  many: 'labels',
  label: 'Label',
  labelMany: 'Labels',
  title: 'label',
  writtenBy: 'company',
  fields: {
    language: {
      kind: 'choice',
      label: 'Language',
      required: true,
      defaultValue: 'en',
      options: languageOptions,
      help: 'An English word stands in for the languages that have none of their own',
    },
    label: {
      kind: 'text',
      label: 'Label in the console',
      required: true,
      maxLength: 200,
      help: 'In English, whatever the language of your word',
    },
    value: { kind: 'text', label: 'Your word', required: true, maxLength: 200 },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['label', 'language', 'value', 'dateModified'],
    search: ['label', 'value'],
    sort: ['label', 'ASC'],
    size: 10_000,
    filters: ['label', 'language', 'value'],
    empty: { title: 'The console speaks its own words', body: 'Add a label to replace one of them by yours.' },
  },
  form: [['label'], ['language', 'value']],
  actions: [{ route: 'config.removeLabel', label: 'Delete', scope: 'row', confirm: { title: 'Use the console’s own word again?' } }],
})
