import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { nameText } from '../../../kernel/names.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import { userInReach } from '../../../kernel/session/reach.ts'
import type { ActionDefinition, Ctx, PrepareWrite } from '../../../kernel/types.ts'

type Row = ModelRow<'companyPhone'>

/** Asked for on a device that somebody carries; `route` names the call of its area. */
export const markAction = (route: string): ActionDefinition => ({
  route,
  label: 'Belongs to the company',
  scope: 'row',
  form: {
    reason: {
      kind: 'text',
      label: 'Why it is the company’s',
      required: true,
      maxLength: 300,
      help: 'Who carries it is told. It is followed in working time, also without their consent.',
    },
  },
  visibleIf: { not: { eq: ['userId', null] } },
})

/** A mark is made once, and ended once, each with its reason; nothing else of it changes. */
function prepareMark({ user }: Ctx, { kind, before }: PrepareWrite<Row>): Partial<Row> {
  if (kind === 'create') return { markedByUserId: user.id }
  if (before?.endedAt) fail('CONFLICT', { message: 'This mark was ended already.' })
  return { endedAt: new Date(), endedByUserId: user.id }
}

/** A phone that the company says is its own, with the reason: it is followed in working time without the consent of who carries it. */
export const companyPhone = defineResource({
  model: 'companyPhone',
  one: 'companyPhone',
  many: 'companyPhones',
  label: 'Company phone',
  labelMany: 'Company phones',
  title: 'name',
  writtenBy: 'prepared',
  fields: {
    name: { kind: 'text', label: 'Phone', readOnly: true },
    kind: {
      kind: 'choice',
      label: 'Kind',
      readOnly: true,
      options: [
        { value: 'Tracker', label: 'Device of the fleet', colour: 'blue' },
        { value: 'Work device', label: 'Work device', colour: 'green' },
      ],
    },
    personName: {
      kind: 'text',
      label: 'Carried by',
      readOnly: true,
      sql: `select ${nameText('u')} from app_user u where u."companyId" = t."companyId" and u."id" = t."userId"`,
    },
    reason: { kind: 'text', label: 'Why it is the company’s', required: true, maxLength: 300, createOnly: true },
    markedByUserId: { kind: 'reference', label: 'Marked by', to: 'user', readOnly: true },
    since: { kind: 'dateTime', label: 'Followed from', readOnly: true },
    endReason: { kind: 'text', label: 'Why no longer', maxLength: 300 },
    endedAt: { kind: 'dateTime', label: 'Ended', readOnly: true },
    endedByUserId: { kind: 'reference', label: 'Ended by', to: 'user', readOnly: true },
    userId: { kind: 'reference', label: 'Person (user)', to: 'user', readOnly: true },
    deviceId: { kind: 'text', label: 'Device (id)', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch or team', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Marked', readOnly: true },
  },
  list: {
    columns: ['name', 'kind', 'personName', 'reason', 'markedByUserId', 'since', 'endReason', 'endedAt', 'tenantId'],
    search: ['name', 'personName', 'reason'],
    sort: ['dateCreated', 'DESC'],
    size: 100,
    filters: ['kind', 'userId', 'tenantId', 'endedAt', 'dateCreated'],
    empty: {
      title: 'No phone is marked as the company’s',
      body: 'Mark one under Devices or Work devices, with the reason. Who has consented is followed without it.',
    },
  },
  actions: [
    {
      route: 'companyPhones.end',
      label: 'No longer the company’s',
      scope: 'row',
      danger: true,
      form: { endReason: { kind: 'text', label: 'Why no longer', required: true, maxLength: 300 } },
      visibleIf: { eq: ['endedAt', null] },
    },
  ],
  visible: (ctx) =>
    sql`exists (select from app_user u where u."companyId" = t."companyId" and u."id" = t."userId" and ${userInReach(ctx, 'u')})`,
  prepare: prepareMark,
})
