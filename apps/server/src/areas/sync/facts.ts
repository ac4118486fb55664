import { sql, trusted } from '@outpost/platform/db/sql'
import { getRecord } from '../../kernel/resource/records.ts'
import { maySync, type SyncEntities } from '../../kernel/sync/entities.ts'
import type { Answer, Ctx, PanelDefinition } from '../../kernel/types.ts'
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
    before: { kind: 'text', label: 'It was', drawnBy: 'valueField' },
    now: { kind: 'text', label: 'The office has', drawnBy: 'valueField' },
    sent: { kind: 'text', label: 'The device sent', drawnBy: 'valueField' },
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
