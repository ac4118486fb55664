import { relatedActs } from './relations/related.ts'
import type { AnyResource, Ctx } from './types.ts'
import { hiddenFrom } from './resource/hidden.ts'
import { changedColumns } from './resource/unchanged.ts'
import type { Batch, Writing } from './resource/writing.ts'

/** What can happen to a record; `moved` to one with a workflow. */
export const happeningKinds = ['created', 'updated', 'moved', 'removed', 'restored'] as const
export type HappeningKind = (typeof happeningKinds)[number]

/** Something that happened to a record: `event` is <one>.<kind>. */
export interface Happening {
  event: string
  objectId: string
  /** Tenants it was and is filed under; none for records that are filed under none. */
  tenantIds: readonly string[]
  move: { field: string; name: string; from: string | null; to: string } | null
  /** People from whom it is hidden. */
  hiddenFrom: readonly string[]
}

type Listener = (ctx: Ctx, happenings: readonly Happening[]) => Promise<void>
let listener: Listener | undefined

/** Sets the function that receives what happens to records, in the transaction that writes them; once, at start. */
export function onHappened(tell: Listener): void {
  listener = tell
}

/** Tells what the written records went through. */
export async function announceHappened({ ctx, resource, writings }: Batch): Promise<void> {
  const happenings = writings.flatMap((writing) => (writing.failure ? [] : happeningsOf(resource, writing)))
  if (happenings.length > 0) await listener?.(ctx, happenings)
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
