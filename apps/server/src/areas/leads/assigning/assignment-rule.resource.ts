import { assignmentMethods } from '@outpost/rules/leads/lead-assignment'
import { defineResource } from '../../../kernel/resource/define.ts'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'
import { lead } from '../lead.resource.ts'
import { deleteAction } from '../../../kernel/screens/delete-action.ts'

const words: Record<(typeof assignmentMethods)[number], string> = {
  'ROUND ROBIN': 'In turn',
  NEAREST: 'Nearest',
  LOAD: 'Fewest open leads',
}
const methods = assignmentMethods.map((value) => ({ value, label: words[value] }))

/** Who gets a new lead that nobody holds: rules in their order, the first that fits and finds somebody decides. */
export const assignmentRule = defineResource({
  model: 'assignmentRule',
  one: 'assignmentRule',
  many: 'assignmentRules',
  label: 'Assignment rule',
  labelMany: 'Assignment rules',
  title: 'name',
  writtenBy: ['branchId'],
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 80 },
    position: { kind: 'number', label: 'Order', help: 'Rules are asked from the lowest number on', min: 0, max: 10_000, defaultValue: 10 },
    isActive: { kind: 'boolean', label: 'Active', defaultValue: true },
    method: { kind: 'choice', label: 'Goes to', options: methods, required: true, defaultValue: 'ROUND ROBIN' },
    source: { kind: 'choice', label: 'Only from source', options: lead.fields['source']?.options ?? [] },
    type: { kind: 'choice', label: 'Only of type', options: lead.fields['type']?.options ?? [] },
    city: { kind: 'text', label: 'Only in town', maxLength: 80 },
    branchId: { kind: 'reference', label: 'Only in branch', to: 'tenant', help: 'With all teams below it' },
    candidateTenantId: {
      kind: 'reference',
      label: 'Officers of',
      to: 'tenant',
      help: 'Loan officers of this branch or team; empty: of the lead’s own branch',
    },
    candidateTeamId: { kind: 'reference', label: 'Members of team', to: 'team', help: 'Instead of the officers of a branch' },
    candidateUserIds: { kind: 'multiReference', label: 'Only these agents', to: 'user', help: 'Instead of all loan officers' },
    lastUserId: { kind: 'reference', label: 'Last given to', to: 'user', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'name',
      'position',
      'isActive',
      'method',
      'source',
      'type',
      'city',
      'branchId',
      'candidateTenantId',
      'candidateTeamId',
      'lastUserId',
    ],
    sort: ['position', 'ASC'],
    size: 1_000,
    filters: ['isActive', 'method', 'source', 'type', 'branchId'],
    empty: { title: 'No rules yet', body: 'Without a rule new leads wait until somebody assigns them.' },
  },
  form: [
    ['name', 'position'],
    ['isActive'],
    ['method'],
    ['source', 'type'],
    ['city', 'branchId'],
    ['candidateTenantId', 'candidateTeamId'],
    ['candidateUserIds'],
  ],
  actions: [deleteAction('leads.removeRule', { title: 'Delete this rule?', body: 'Leads it has given away stay where they are.' })],
  prepare: prepareRule,
})

/** Whoever works in a branch makes rules for it: one without a branch would take leads of all others. */
function prepareRule(ctx: Ctx, { kind, input }: PrepareWrite<ModelRow<'assignmentRule'>>): Partial<ModelRow<'assignmentRule'>> {
  return kind === 'create' && ctx.scope !== '*' && !input.branchId ? { branchId: ctx.tenant.id } : {}
}
