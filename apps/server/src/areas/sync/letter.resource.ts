import type { Condition } from '@outpost/contract/fields'
import { defineResource } from '../../kernel/resource/define.ts'
import type { SyncEntities } from '../../kernel/sync/entities.ts'
import type { ActionDefinition } from '../../kernel/types.ts'
import { changeTypes, kindOptions, sentName } from './kinds.ts'

const states = [
  { value: 'open', label: 'Open', colour: 'red' },
  { value: 'replayed', label: 'Carried out', colour: 'green' },
  { value: 'handled', label: 'Dealt with', colour: 'default' },
  { value: 'discarded', label: 'Given up', colour: 'default' },
]
const isOpen: Condition = { eq: ['state', 'open'] }
/** A new record that was never made cannot be opened. */
const isThere: Condition = { not: { and: [{ in: ['changeType', ['INSERT', 'CREATE']] }, { not: { eq: ['state', 'replayed'] } }] } }

const list = {
  columns: ['name', 'reason', 'userId', 'state', 'dateCreated', 'tenantId'],
  search: ['name', 'reason'],
  sort: ['dateCreated', 'DESC'],
  size: 2_000,
  filters: ['state', 'entityType', 'changeType', 'userId', 'device', 'tenantId', 'dateCreated'],
  dates: { arrived: { label: 'Arrived', field: 'dateCreated', window: { kind: 'all' } } },
  empty: { title: 'Every change found its place', body: 'What a device sends and the server refuses for good is listed here.' },
} as const

const dealing: readonly ActionDefinition[] = [
  {
    route: 'sync.replayDeadLetter',
    label: 'Carry out',
    scope: 'row',
    visibleIf: isOpen,
    confirm: { title: 'Carry this change out?', body: 'It is written now with your rights, merged with what the office did since.' },
  },
  {
    route: 'sync.replayDeadLetter',
    key: 'correct',
    label: 'Correct and carry out',
    scope: 'row',
    visibleIf: isOpen,
    asks: 'sync.deadLetterForm',
  },
  {
    route: 'sync.handleDeadLetters',
    label: 'Give up',
    scope: 'bulk',
    idField: 'ids',
    many: true,
    danger: true,
    fixed: { state: 'discarded' },
    form: { note: { kind: 'longText', label: 'Why', required: true, maxLength: 500 } },
  },
]

/** A change of a device that could not be placed, with all that was sent, for the office to carry out or give up. */
export const deadLetter = (entities: SyncEntities, open: readonly ActionDefinition[]) =>
  defineResource({
    model: 'syncDeadLetter',
    one: 'deadLetter',
    many: 'deadLetters',
    label: 'Change not placed',
    labelMany: 'Changes not placed',
    title: 'name',
    isScoped: true,
    fields: {
      name: {
        kind: 'text',
        label: 'Change',
        readOnly: true,
        sql: `concat_ws(' · ', case t."envelope" ->> 'entityType' ${kindOptions(entities)
          .map(({ value, label }) => `when '${value}' then '${label}'`)
          .join(
            ' ',
          )} else t."envelope" ->> 'entityType' end, case t."envelope" ->> 'changeType' when 'UPDATE' then 'change' when 'DELETE' then 'removal' else 'new' end,
          ${sentName('t."envelope"')})`,
      },
      entityType: { kind: 'choice', label: 'Record', readOnly: true, options: kindOptions(entities), sql: `t."envelope" ->> 'entityType'` },
      changeType: { kind: 'choice', label: 'What', readOnly: true, options: changeTypes, sql: `t."envelope" ->> 'changeType'` },
      entityId: { kind: 'text', label: 'Record (id)', readOnly: true, isTechnical: true, sql: `t."envelope" ->> 'entityId'` },
      reason: { kind: 'text', label: 'Why not', readOnly: true },
      userId: { kind: 'reference', label: 'Person', to: 'user', readOnly: true },
      device: {
        kind: 'reference',
        label: 'Device',
        to: 'fieldDevice',
        readOnly: true,
        sql: `select d."id" from sync_device d where d."companyId" = t."companyId" and d."deviceId" = t."deviceId" and d."userId" = t."userId"`,
      },
      deviceId: { kind: 'text', label: 'Device (id)', readOnly: true, isTechnical: true },
      changeId: { kind: 'text', label: 'Change (id)', readOnly: true, isTechnical: true },
      state: { kind: 'choice', label: 'State', readOnly: true, options: states },
      note: { kind: 'text', label: 'Why given up', readOnly: true, visibleIf: { not: { eq: ['note', null] } } },
      handledByUserId: { kind: 'reference', label: 'Dealt with by', to: 'user', readOnly: true },
      handledAt: { kind: 'dateTime', label: 'Dealt with', readOnly: true },
      tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
      dateCreated: { kind: 'dateTime', label: 'Arrived', readOnly: true },
    },
    list,
    actions: [
      ...dealing,
      ...open.map((action) => ({ ...action, visibleIf: { and: [...(action.visibleIf ? [action.visibleIf] : []), isThere] } })),
    ],
  })
