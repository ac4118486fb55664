import { Failure } from '@outpost/contract/errors'
import { sql, trusted } from '@outpost/platform/db/sql'
import { getRecord } from '../../kernel/resource/records.ts'
import { maySync, type SyncEntities, type SyncEntity } from '../../kernel/sync/entities.ts'
import { readChange } from '../../kernel/sync/read-change.ts'
import type { Answer, AnyResource, Ctx, PanelDefinition } from '../../kernel/types.ts'
import { syncDevice } from './device.resource.ts'
import { changeTypes, recordName } from './kinds.ts'
import { results } from './sent.resource.ts'

/** What was sent of a change, beside what the record holds now. */
export const valuesPanel: PanelDefinition = {
  key: 'values',
  title: 'What was sent',
  route: 'sync.deadLetterValues',
  value: 'values',
  fields: {
    label: { kind: 'text', label: 'Field' },
    before: { kind: 'text', label: 'It was' },
    now: { kind: 'text', label: 'The office has' },
    sent: { kind: 'text', label: 'The device sent' },
  },
  empty: { title: 'Nothing of it can be shown', body: 'It could not be read, or you may not see records of this kind.' },
}

export const changesPanel: PanelDefinition = {
  key: 'changes',
  title: 'What it sent',
  route: 'sync.deviceChanges',
  value: 'changes',
  fields: {
    receivedAt: { kind: 'dateTime', label: 'Arrived' },
    kind: { kind: 'text', label: 'Kind' },
    record: { kind: 'text', label: 'Record' },
    changeType: { kind: 'choice', label: 'What', options: changeTypes },
    result: { kind: 'choice', label: 'Became', options: results },
    reason: { kind: 'text', label: 'Why' },
  },
  empty: { title: 'It has sent nothing yet' },
}

/** Sent values as people read them; what is no single value as JSON. */
const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
}

/** GET /api/sync/dead-letters/:id/values: none of a kind that the caller may not read. */
export const letterValues =
  (letter: AnyResource, entities: SyncEntities) =>
  async (ctx: Ctx, { id }: { id: string }): Promise<Answer> => {
    await getRecord(ctx, letter, id)
    const { envelope } = await ctx.sql.one<{ envelope: unknown }>(
      sql`select "envelope" from sync_dead_letter where "companyId" = ${ctx.company.id} and "id" = ${id}`,
    )
    const change = readChange(envelope)
    const entity = 'problem' in change ? undefined : entities.get(change.entityType)
    if ('problem' in change || !entity || !maySync(ctx, entity, 'read')) return { data: { values: [] } }
    const now = await recordNow(ctx, entity, change.entityId)
    const sent = change.snapshot
      ? Object.entries(change.snapshot).map(([field, value]) => ({ field, before: null, value }))
      : Object.entries(change.patch).map(([field, value]) =>
          Array.isArray(value) ? { field, before: value[0], value: value[1] } : { field, before: null, value },
        )
    const order = Object.keys(entity.resource.fields)
    const values = sent
      .filter(({ field }) => field !== 'Id')
      .toSorted((a, b) => order.indexOf(a.field) - order.indexOf(b.field))
      .map(({ field, before, value }) => ({
        Id: field,
        label: labelOf(entity, field),
        before: textOf(before),
        now: textOf(now[field]),
        sent: textOf(value),
      }))
    return { data: { values } }
  }

const labelOf = ({ resource, commands }: SyncEntity, field: string): string =>
  resource.fields[field]?.label ?? commands.get(field)?.label ?? field

async function recordNow(ctx: Ctx, { resource }: SyncEntity, id: string): Promise<Record<string, unknown>> {
  try {
    return await getRecord(ctx, resource, id)
  } catch (error) {
    // Gone, out of reach, or never made: there is nothing beside what was sent.
    if (error instanceof Failure) return {}
    throw error
  }
}

/** GET /api/sync/devices/:id/changes: the last 200; records are named as far as the caller may read their kind. */
export const deviceChanges =
  (entities: SyncEntities) =>
  async (ctx: Ctx, { id }: { id: string }): Promise<Answer> => {
    await getRecord(ctx, syncDevice, id)
    const readable = new Map([...entities].filter(([, entity]) => maySync(ctx, entity, 'read')))
    const name = readable.size === 0 ? 'null' : recordName(readable, { type: 't."entityType"', id: 't."entityId"' })
    const rows = await ctx.sql.query<{ entityType: string }>(sql`
      select t."changeId" as "Id", t."receivedAt", t."entityType", ${trusted(name)} as record, t."changeType", t."result", t."detail" ->> 'message' as reason
      from sync_receipt t join sync_device d on d."companyId" = t."companyId" and d."deviceId" = t."deviceId" and d."userId" = t."userId"
      where d."companyId" = ${ctx.company.id} and d."id" = ${id} order by t."receivedAt" desc, t."seq" desc limit 200`)
    const changes = rows.map(({ entityType, ...row }) => ({ ...row, kind: entities.get(entityType)?.resource.label ?? entityType }))
    return { data: { changes } }
  }
