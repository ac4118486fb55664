import { defineResource } from '../../../kernel/resource/define.ts'
import { outcomeOptions } from '../lead.resource.ts'

/** An assessment as it was made, to be read for good; it is written by lead.affordability.ts and never changes. */
export const affordabilityRun = defineResource({
  model: 'affordabilityRun',
  one: 'affordabilityRun',
  many: 'affordabilityRuns',
  label: 'Assessment',
  labelMany: 'Assessments',
  title: 'calculator',
  isScoped: true,
  fields: {
    calculator: { kind: 'text', label: 'Calculator', readOnly: true },
    leadId: { kind: 'reference', label: 'Lead', to: 'lead', readOnly: true },
    outcome: { kind: 'choice', label: 'Outcome', readOnly: true, options: outcomeOptions },
    affordable: { kind: 'money', label: 'Affordable a month', readOnly: true },
    instalment: { kind: 'money', label: 'Instalment', readOnly: true },
    reasons: {
      kind: 'text',
      label: 'Because',
      readOnly: true,
      sql: `select string_agg(r, ' ') from jsonb_array_elements_text(case when jsonb_typeof(t."result"->'reasons') = 'array' then t."result"->'reasons' else '[]' end) r`,
    },
    country: { kind: 'text', label: 'Country', readOnly: true },
    ruleSetId: { kind: 'text', label: 'Rule set', readOnly: true },
    ruleSetVersion: { kind: 'text', label: 'Version', readOnly: true },
    createdByUserId: { kind: 'reference', label: 'Made by', to: 'user', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
  },
  list: {
    columns: ['dateCreated', 'leadId', 'outcome', 'affordable', 'instalment', 'calculator', 'createdByUserId'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['outcome', 'calculator', 'leadId', 'dateCreated'],
  },
})
