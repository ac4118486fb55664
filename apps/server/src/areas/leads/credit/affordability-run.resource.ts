import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../../kernel/resource/define.ts'
import { holdsAny } from '../../../kernel/session/permission.ts'
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
  // Who may see leads sees those of leads, who may see clients those of clients.
  visible: (ctx) =>
    sql`(${holdsAny(ctx, 'SALES/LEADS')} and t."leadId" is not null or ${holdsAny(ctx, 'CLIENTS')} and t."clientId" is not null)`,
  fields: {
    calculator: { kind: 'text', label: 'Calculator', readOnly: true },
    leadId: { kind: 'reference', label: 'Lead', to: 'lead', readOnly: true },
    clientId: { kind: 'reference', label: 'Client', to: 'client', readOnly: true },
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
    columns: ['dateCreated', 'leadId', 'clientId', 'outcome', 'affordable', 'instalment', 'calculator', 'createdByUserId'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['outcome', 'calculator', 'leadId', 'clientId', 'dateCreated'],
  },
})
