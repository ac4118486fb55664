import type { Statement } from '@outpost/platform/types'
import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import type { SyncEntities } from '../../kernel/sync/entities.ts'
import type { ActionDefinition, Ctx } from '../../kernel/types.ts'
import { fieldName, kindOptions, recordName } from './kinds.ts'

const states = [
  { value: 'open', label: 'Open', colour: 'gold' },
  { value: 'mine', label: 'Device’s value taken', colour: 'blue' },
  { value: 'theirs', label: 'Office’s value kept', colour: 'default' },
]
const isOpen = { eq: ['state', 'open'] as [string, string] }
/** SQL text of a stored value, to search it and for files: on the screen it is drawn by its own field (conflict.list.ts). */
const shown = (column: string) => `t."${column}" #>> '{}'`

const list = {
  columns: ['record', 'fieldLabel', 'base', 'theirs', 'mine', 'userId', 'state', 'dateCreated'],
  search: ['base', 'theirs', 'mine'],
  sort: ['dateCreated', 'DESC'],
  size: 1_000,
  filters: ['state', 'entityType', 'userId', 'dateCreated'],
  dates: { at: { label: 'When', field: 'dateCreated', window: { kind: 'all' } } },
  empty: {
    title: 'Nobody meant different things',
    body: 'Where a device and the office change the same field, both values wait here for a decision.',
  },
} as const

interface ConflictParts {
  entities: SyncEntities
  open: readonly ActionDefinition[]
  /** Conflicts of records that the caller may decide; null when there are none. Over alias c. */
  own: (ctx: Ctx) => Statement | null
}

/** A field that a device and the office both changed: what it was, what each wanted, and who decided. */
export const syncConflict = ({ entities, open, own }: ConflictParts) =>
  defineResource({
    model: 'syncConflict',
    one: 'conflict',
    many: 'conflicts',
    label: 'Conflict',
    labelMany: 'Conflicts',
    title: 'field',
    fields: {
      record: { kind: 'text', label: 'Record', readOnly: true, sql: recordName(entities, { type: 't."entityType"', id: 't."entityId"' }) },
      entityType: { kind: 'choice', label: 'Kind', readOnly: true, options: kindOptions(entities) },
      entityId: { kind: 'text', label: 'Record (id)', readOnly: true, isTechnical: true },
      field: { kind: 'text', label: 'Field (name)', readOnly: true, isTechnical: true },
      fieldLabel: {
        kind: 'text',
        label: 'Field',
        readOnly: true,
        sql: fieldName(entities, { type: 't."entityType"', field: 't."field"' }),
      },
      base: { kind: 'text', label: 'It was', readOnly: true, sql: shown('base'), drawnBy: 'valueField' },
      theirs: { kind: 'text', label: 'The office has', readOnly: true, sql: shown('theirs'), drawnBy: 'valueField' },
      mine: { kind: 'text', label: 'The device sent', readOnly: true, sql: shown('mine'), drawnBy: 'valueField' },
      userId: { kind: 'reference', label: 'Person', to: 'user', readOnly: true },
      state: { kind: 'choice', label: 'State', readOnly: true, options: states },
      resolvedByUserId: { kind: 'reference', label: 'Decided by', to: 'user', readOnly: true },
      resolvedAt: { kind: 'dateTime', label: 'Decided', readOnly: true },
      dateCreated: { kind: 'dateTime', label: 'When', readOnly: true },
    },
    list,
    visible: (ctx) => {
      const mine = own(ctx)
      return mine ? sql`t."id" in (select c."id" from sync_conflict c where c."companyId" = t."companyId" and (${mine}))` : sql`false`
    },
    actions: [
      {
        route: 'sync.resolveConflict',
        key: 'takeMine',
        label: 'Take the device’s',
        scope: 'row',
        idField: 'id',
        fixed: { resolution: 'mine' },
        visibleIf: isOpen,
      },
      {
        route: 'sync.resolveConflict',
        key: 'keepTheirs',
        label: 'Keep the office’s',
        scope: 'row',
        idField: 'id',
        fixed: { resolution: 'theirs' },
        visibleIf: isOpen,
      },
      ...open,
    ],
  })
