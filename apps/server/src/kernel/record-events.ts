import { relatedActs } from './relations/related.ts'
import type { AnyResource } from './types.ts'
import type { RecordEvent, RecordEventKind } from './types/record-event.ts'
import { hiddenOf } from './realtime/hidden.ts'
import { changedColumns } from './resource/unchanged.ts'
import type { Batch, Writing } from './resource/writing.ts'

/** Tells those who listen what the written records went through, in the transaction that writes them. */
export async function announceRecordEvents({ ctx, resource, writings }: Batch): Promise<void> {
  const events = writings.flatMap((writing) => (writing.failure ? [] : recordEventsOf(resource, writing)))
  if (events.length === 0) return
  for (const listen of ctx.program.listeners) await listen(ctx, events)
}

const kindOf = { create: 'created', update: 'updated', remove: 'removed', restore: 'restored' } as const

function recordEventsOf(resource: AnyResource, writing: Writing): RecordEvent[] {
  const { change, id: objectId, before = {}, values, record, steps = [] } = writing
  if (change.kind === 'update' && isUnchanged(resource, writing)) return []
  const tenantIds = [before['tenantId'], values['tenantId'], record?.['tenantId']].filter((id) => typeof id === 'string')
  const of = (kind: RecordEventKind, move: RecordEvent['move'] = null): RecordEvent => ({
    event: `${resource.one}.${kind}`,
    objectId,
    tenantIds: [...new Set(tenantIds)],
    move,
    hiddenFrom: hiddenOf(resource, writing),
  })
  const moves = change.kind === 'update' ? steps : []
  return [
    of(kindOf[change.kind]),
    ...moves.map(({ workflow, move, words }) => of('moved', { field: workflow.field, name: move.name, from: words.from, to: words.to })),
  ]
}

const isUnchanged = (resource: AnyResource, writing: Writing) =>
  Object.keys(changedColumns(resource, writing.before ?? {}, writing.values)).length === 0 && relatedActs(resource, writing).length === 0
