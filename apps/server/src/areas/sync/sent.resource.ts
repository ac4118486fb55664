import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import type { SyncEntities } from '../../kernel/sync/entities.ts'
import type { ActionDefinition } from '../../kernel/types.ts'
import { changeTypes, kindOptions, recordName, sentName } from './kinds.ts'

export const results = [
  { value: 'applied', label: 'Taken', colour: 'green' },
  { value: 'merged', label: 'Taken, a field asks', colour: 'gold' },
  { value: 'rejected', label: 'Refused', colour: 'red' },
]

/** A change that a device of the caller sent, and what became of it. */
export const sentChange = (entities: SyncEntities, open: readonly ActionDefinition[]) =>
  defineResource({
    model: 'syncReceipt',
    one: 'sentChange',
    many: 'sentChanges',
    label: 'Change sent',
    labelMany: 'Changes sent',
    title: 'record',
    fields: {
      record: {
        kind: 'text',
        label: 'Record',
        readOnly: true,
        sql: `coalesce(${recordName(entities, { type: 't."entityType"', id: 't."entityId"' })},
        (select ${sentName('d."envelope"')} from sync_dead_letter d where d."companyId" = t."companyId" and d."changeId" = t."changeId"))`,
      },
      entityType: { kind: 'choice', label: 'Kind', readOnly: true, options: kindOptions(entities) },
      entityId: { kind: 'text', label: 'Record (id)', readOnly: true, isTechnical: true },
      changeType: { kind: 'choice', label: 'What', readOnly: true, options: changeTypes },
      result: { kind: 'choice', label: 'Became', readOnly: true, options: results },
      reason: { kind: 'text', label: 'Why', readOnly: true, sql: `t."detail" ->> 'message'` },
      receivedAt: { kind: 'dateTime', label: 'Arrived', readOnly: true },
      deviceId: { kind: 'text', label: 'Device (id)', readOnly: true },
    },
    list: {
      columns: ['record', 'entityType', 'changeType', 'result', 'reason', 'receivedAt'],
      search: ['reason'],
      sort: ['receivedAt', 'DESC'],
      size: 1_000,
      filters: ['result', 'entityType', 'changeType', 'receivedAt'],
      dates: { arrived: { label: 'Arrived', field: 'receivedAt', window: { kind: 'around', back: 14, ahead: 0 } } },
      empty: { title: 'Nothing was sent in these days', body: 'What you do without a connection is listed here once the office has it.' },
    },
    visible: (ctx) => sql`t."userId" = ${ctx.user.id} and t."deviceId" is not null`,
    actions: open,
  })
