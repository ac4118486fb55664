import type { Condition } from '@outpost/contract/fields'
import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import { nameText } from '../../kernel/names.ts'
import type { Metric } from '../../kernel/metrics.ts'
import type { FieldDefinition } from '../../kernel/types.ts'
import { lead } from '../leads/index.ts'
import { prepareTarget } from './target.rules.ts'
import { deleteAction } from '../../kernel/screens/delete-action.ts'

const ownerIs = (type: string): { visibleIf: Condition; requiredIf: Condition } => ({
  visibleIf: { eq: ['ownerType', type] },
  requiredIf: { eq: ['ownerType', type] },
})

const fields = {
  product: {
    kind: 'choice',
    label: 'Only for',
    options: lead.fields['type']?.options ?? [],
    help: 'Leads and clients of this type; everything when empty',
  },
  ownerType: {
    kind: 'choice',
    label: 'For',
    required: true,
    createOnly: true,
    defaultValue: 'user',
    options: [
      { value: 'user', label: 'A person' },
      { value: 'team', label: 'A team' },
      { value: 'tenant', label: 'A branch or tenant' },
    ],
  },
  ownerUserId: { kind: 'reference', label: 'Person', to: 'user', createOnly: true, ...ownerIs('user') },
  ownerTeamId: { kind: 'reference', label: 'Team', to: 'team', createOnly: true, ...ownerIs('team') },
  ownerTenantId: { kind: 'reference', label: 'Branch or tenant', to: 'tenant', createOnly: true, ...ownerIs('tenant') },
  ownerName: {
    kind: 'text',
    label: 'Owner',
    readOnly: true,
    sql: `coalesce((select ${nameText('u')} from app_user u where u."companyId" = t."companyId" and u."id" = t."ownerUserId"),
      (select m."name" from team m where m."companyId" = t."companyId" and m."id" = t."ownerTeamId"),
      (select b."name" from tenant b where b."companyId" = t."companyId" and b."id" = t."ownerTenantId"))`,
  },
  ownerTenantType: {
    kind: 'number',
    label: 'Type of tenant',
    readOnly: true,
    sql: `select b."type"::int from tenant b where b."companyId" = t."companyId" and b."id" = t."ownerTenantId"`,
  },
  periodKind: {
    kind: 'choice',
    label: 'Period',
    required: true,
    defaultValue: 'month',
    options: [
      { value: 'month', label: 'Month' },
      { value: 'quarter', label: 'Quarter' },
      { value: 'week', label: 'Week' },
      { value: 'custom', label: 'From – to' },
    ],
  },
  startDate: { kind: 'date', label: 'From', required: true, begins: 'today', help: 'Any day in the month, quarter or week' },
  endDate: { kind: 'date', label: 'To', visibleIf: { eq: ['periodKind', 'custom'] }, requiredIf: { eq: ['periodKind', 'custom'] } },
  value: { kind: 'number', label: 'Target', required: true, min: 0.01, max: 999_999_999_999 },
  parentId: { kind: 'text', label: 'Part of', readOnly: true },
  parts: {
    kind: 'number',
    label: 'Parts',
    readOnly: true,
    sql: `select count(*)::int from target p where p."companyId" = t."companyId" and p."parentId" = t."id" and p."deletedAt" is null`,
  },
  note: { kind: 'longText', label: 'Note', maxLength: 500 },
  createdByUserId: { kind: 'text', label: 'Set by', readOnly: true },
  dateCreated: { kind: 'dateTime', label: 'Set', readOnly: true },
  dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
} as const satisfies Record<string, FieldDefinition>

const form = [
  ['metric', 'product'],
  ['ownerType'],
  ['ownerUserId'],
  ['ownerTeamId'],
  ['ownerTenantId'],
  ['periodKind', 'startDate'],
  ['endDate'],
  ['value'],
  ['note'],
] as const

/** What a person, a team or a tenant is to reach in a period. What was reached is computed of the `metrics`. */
export const targetResource = (metrics: ReadonlyMap<string, Metric>) =>
  defineResource({
    model: 'target',
    one: 'target',
    many: 'targets',
    label: 'Target',
    labelMany: 'Targets',
    title: 'metric',
    isScoped: true,
    isSoftDeleted: true,
    ignores: ['figures'],
    fields: {
      metric: {
        kind: 'choice',
        label: 'What counts',
        required: true,
        createOnly: true,
        options: [...metrics.values()].map(({ name, label }) => ({ value: name, label })),
      },
      ...fields,
    },
    list: {
      columns: ['metric', 'ownerName', 'value', 'periodKind', 'startDate', 'endDate', 'product', 'parts', 'dateCreated'],
      search: ['ownerName'],
      sort: ['startDate', 'DESC'],
      size: 500,
      filters: [
        'metric',
        'ownerType',
        'ownerUserId',
        'ownerTeamId',
        'ownerTenantId',
        'periodKind',
        'startDate',
        'endDate',
        'product',
        'parentId',
      ],
      empty: { title: 'No targets in this period' },
    },
    form,
    actions: [
      deleteAction(
        'targets.remove',
        { title: 'Delete this target?', body: 'What was done is kept; only the target goes.' },
        { undo: 'targets.restore' },
      ),
    ],
    // A person's target is between the person and those who lead.
    visible: (ctx) =>
      holdsAny(ctx, 'SALES/TARGETS/CREATE', 'SALES/TARGETS/EDIT', 'SALES/TEAMS')
        ? null
        : sql`(t."ownerType" <> 'user' or t."ownerUserId" = ${ctx.user.id}::uuid)`,
    prepare: prepareTarget,
  })
