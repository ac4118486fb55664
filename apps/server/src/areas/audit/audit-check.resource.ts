import { defineResource } from '../../kernel/resource/define.ts'

/** Words for what a break of the chain is, by its reason. */
const words = `case b ->> 'reason' when 'content' then 'changed' when 'chain' then 'does not follow from the one before' when 'gap' then 'one before it is missing'
  when 'truncated' then 'and all after it are missing' when 'rewritten' then 'is another one than was anchored' else 'the anchors were changed' end`

/** What a look at the company's audit chain found. */
export const auditCheck = defineResource({
  model: 'auditCheck',
  one: 'auditCheck',
  many: 'auditChecks',
  label: 'Audit check',
  labelMany: 'Audit checks',
  title: 'at',
  writtenBy: 'prepared',
  fields: {
    at: { kind: 'dateTime', label: 'Looked at', readOnly: true },
    isWhole: { kind: 'boolean', label: 'Whole', readOnly: true },
    entries: { kind: 'number', label: 'Entries', readOnly: true },
    anchors: {
      kind: 'number',
      label: 'Anchors',
      readOnly: true,
      help: 'How often the end of the chain was written down outside the database',
    },
    findings: {
      kind: 'longText',
      label: 'What does not fit',
      readOnly: true,
      sql: `select string_agg('Entry ' || (b ->> 'seq') || ' ' || ${words}, '; ') from (select b from jsonb_array_elements(t."breaks") b limit 20) x`,
    },
  },
  list: {
    columns: ['at', 'isWhole', 'entries', 'anchors', 'findings'],
    sort: ['at', 'DESC'],
    size: 100,
    filters: ['isWhole'],
    empty: { title: 'Not looked at yet', body: 'The audit chain is checked every day.' },
  },
  form: [],
  actions: [{ route: 'audit.check', label: 'Check now', scope: 'page' }],
})
