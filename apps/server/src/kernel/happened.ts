import { relatedActs } from './relations/related.ts'
import type { AnyResource } from './types.ts'
import type { Happening, HappeningKind } from './types/happening.ts'
import { hiddenFrom } from './realtime/hidden.ts'
import { changedColumns } from './resource/unchanged.ts'
import type { Batch, Writing } from './resource/writing.ts'

/** Tells those who listen what the written records went through, in the transaction that writes them. */
export async function announceHappened({ ctx, resource, writings }: Batch): Promise<void> {
  const happenings = writings.flatMap((writing) => (writing.failure ? [] : happeningsOf(resource, writing)))
  if (happenings.length === 0) return
  for (const listen of ctx.program.listeners) await listen(ctx, happenings)
}

const kindOf = { create: 'created', update: 'updated', remove: 'removed', restore: 'restored' } as const

function happeningsOf(resource: AnyResource, writing: Writing): Happening[] {
  const { change, id: objectId, before = {}, values, record, steps = [] } = writing
  if (change.kind === 'update' && isUnchanged(resource, writing)) return []
  const tenantIds = [before['tenantId'], values['tenantId'], record?.['tenantId']].filter((id) => typeof id === 'string')
  const of = (kind: HappeningKind, move: Happening['move'] = null): Happening => ({
    event: `${resource.one}.${kind}`,
    objectId,
    tenantIds: [...new Set(tenantIds)],
    move,
    hiddenFrom: [...hiddenFrom(resource, before), ...hiddenFrom(resource, { ...values, ...record })],
  })
  const moves = change.kind === 'update' ? steps : []
  return [
    of(kindOf[change.kind]),
    ...moves.map(({ workflow, move, words }) => of('moved', { field: workflow.field, name: move.name, from: words.from, to: words.to })),
  ]
}

const isUnchanged = (resource: AnyResource, writing: Writing) =>
  Object.keys(changedColumns(resource, writing.before ?? {}, writing.values)).length === 0 && relatedActs(resource, writing).length === 0
