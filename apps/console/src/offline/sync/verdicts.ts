import type { ChangeRecord, PushResult } from '@outpost/contract/sync/protocol'
import { maxAttempts } from '@outpost/rules/sync/sync-timing'
import type { Row } from '../../data/records.ts'
import { diff } from '../store/changes.ts'
import { entityKey, metaStep, newChange, type Core } from '../store/core.ts'
import type { Step } from '../store/database.ts'
import { isEntered } from '../kinds.ts'
import { shown, wireChange } from '../store/log.ts'
import { applyPatch, rebase } from '../store/rebase.ts'
import type { Attention, AttentionReason, Change, Entity } from '../store/shapes.ts'

/** What a batch of verdicts came to; `open` are entities whose changes must wait for the next cycle. */
export interface Applied {
  done: number
  errors: number
  waiting: number
  attention: number
  open: Set<string>
}

/** An entity while its verdicts are applied: the copies, what is still pending, and what to show the person. */
interface Work {
  entity: Entity
  pending: Change[]
  logSteps: Step[]
  attention: Attention[]
}

const isRefused = (result: PushResult) => result.status === 'rejected' || (result.status === 'duplicate' && result.first === 'rejected')
const isInsert = (change: ChangeRecord) => change.changeType === 'INSERT' || change.changeType === 'CREATE'

/**
 * Takes the server's verdicts in: server copies, log, and needs-attention move in one transaction. A change without a
 * verdict stays as it is. Verdicts on changes that are no longer in the log (a late answer) do nothing.
 */
export function applyVerdicts(core: Core, results: readonly PushResult[]): Promise<Applied> {
  return core.exclusive(async () => {
    const gen = await core.generation()
    const works = await worksOf(core, gen, results)
    const applied: Applied = { done: 0, errors: 0, waiting: 0, attention: 0, open: new Set() }
    let maxDone = (await core.meta('maxDone')) ?? 0
    for (const result of results) {
      const work = works.get(result.changeId)
      const change = work?.pending.find((one) => one.changeId === result.changeId)
      if (!work || !change) continue
      const isOpen = await takeVerdict(core, work, change, result)
      count(applied, result, isOpen ? entityKey(change.entityType, change.entityId) : null)
      if (!isOpen) maxDone = Math.max(maxDone, change.clientSeq)
    }
    const touched = [...new Set(works.values())]
    await commitWorks(core, gen, touched, maxDone)
    applied.attention = touched.reduce((sum, work) => sum + work.attention.length, 0)
    return applied
  })
}

/** What the verdicts are about, by the id of the change: read together, as a batch holds hundreds. */
async function worksOf(core: Core, gen: number, results: readonly PushResult[]): Promise<Map<string, Work>> {
  const rows = await core.db.read((db) => {
    const index = db.transaction('log').store.index('changeId')
    return Promise.all(results.map(({ changeId }) => index.get(changeId)))
  })
  const changed = rows.filter((row) => row !== undefined)
  const entities = new Map(changed.map(({ entityType, entityId }) => [entityKey(entityType, entityId), [entityType, entityId] as const]))
  const [held, logged] = await core.db.read((db) => {
    const [store, log] = [db.transaction('entities').store, db.transaction('log').store.index('entity')]
    const keys = [...entities.values()]
    return Promise.all([
      Promise.all(keys.map(([type, id]) => store.get([gen, type, id]))),
      Promise.all(keys.map(([type, id]) => log.getAll([type, id]))),
    ])
  })
  const works = await Promise.all(
    [...entities].map(async ([key, [type, id]], place): Promise<[string, Work]> => {
      const [row, changes = []] = [held[place], logged[place]]
      const entity = row ? await core.openEntity(row) : { type, id, version: 0, state: 'pending' as const, server: null, local: null }
      return [key, { entity, pending: await Promise.all(changes.map(core.openChange)), logSteps: [], attention: [] }]
    }),
  )
  const byEntity = new Map(works)
  return new Map(
    changed.flatMap(({ changeId, entityType, entityId }) => {
      const work = byEntity.get(entityKey(entityType, entityId))
      return work ? [[changeId, work]] : []
    }),
  )
}

function count(applied: Applied, result: PushResult, openKey: string | null): void {
  if (openKey === null) applied.done += 1
  else applied.open.add(openKey)
  if (result.status === 'waiting') applied.waiting += 1
  if (result.status === 'error') applied.errors += 1
}

/** Works one verdict in; true when the change stays in the log. */
async function takeVerdict(core: Core, work: Work, change: Change, result: PushResult): Promise<boolean> {
  if (result.status === 'waiting') return keepOpen(core, work, { ...change, state: 'waiting', sent: 1 })
  if (result.status === 'error' && change.attempts + 1 < maxAttempts) {
    return keepOpen(core, work, {
      ...change,
      attempts: change.attempts + 1,
      lastError: result.message ?? 'The server could not take it.',
      sent: 1,
    })
  }
  if (result.status === 'error') refuse(work, change, result, 'quarantined')
  else if (isOwnArrival(change, result)) await adopt(core, work, change, result.fields ?? {})
  else if (isRefused(result)) refuse(work, change, result, 'rejected')
  else accept(work, change, result)
  work.pending = work.pending.filter((one) => one !== change)
  work.logSteps.push({ in: 'log', drop: change.clientSeq })
  return false
}

async function keepOpen(core: Core, work: Work, change: Change): Promise<true> {
  const { attempts, sent, state, lastError } = change
  work.pending = work.pending.map((one) => (one.changeId === change.changeId ? change : one))
  work.logSteps.push({ in: 'log', put: await core.sealChange(wireChange(change), { attempts, sent, state, lastError }) })
  return true
}

function accept(work: Work, change: Change, result: PushResult): void {
  const { entity } = work
  if (result.status === 'merged' || result.first === 'merged') work.attention.push(attentionOf(work, change, result, 'merged'))
  if (change.changeType === 'DELETE') {
    work.entity = { ...entity, server: null, version: result.version ?? entity.version }
    return
  }
  const version = result.version ?? entity.version
  // A repeated first verdict may be older than what a pull brought since.
  if (entity.server && version < entity.version) return
  const server = result.fields ? { ...result.fields, Id: entity.id } : withoutAnswer(entity.server, change)
  work.entity = { ...entity, version, server }
}

/** A new record that reached the server by the online call whose answer was lost: its own id is there already. */
const isOwnArrival = (change: Change, { code, fields }: PushResult) =>
  isInsert(change) && code === 'VALIDATION' && fields?.Id === change.entityId && fields.isDeleted !== true

/** Takes the record that arrived as server copy; what was edited since follows as an ordinary change. */
async function adopt(core: Core, work: Work, change: Change, fields: Row): Promise<void> {
  const { type, id } = work.entity
  const version = Number(fields.version ?? 1)
  work.entity = { ...work.entity, server: { ...fields, Id: id }, version }
  const edited = Object.fromEntries(Object.entries(change.snapshot ?? {}).filter(([field]) => isEntered(type, field)))
  const patch = diff(fields, edited)
  if (Object.keys(patch).length === 0) return
  const next = newChange(core, { entityType: type, entityId: id, version, changeType: 'UPDATE', patch })
  work.logSteps.push({ in: 'log', add: await core.sealChange(next) })
  work.pending.push({ ...next, attempts: 0, sent: 0, state: 'pending' })
}

/** The server copy as it must be when the answer names no fields; the next pull brings the truth. */
const withoutAnswer = (server: Row | null, change: Change): Row =>
  isInsert(change) ? { ...change.snapshot } : applyPatch(server ?? {}, change.patch)

function refuse(work: Work, change: Change, result: PushResult, reason: AttentionReason): void {
  work.attention.push(attentionOf(work, change, result, reason))
  if (result.code === 'GONE') work.entity = { ...work.entity, server: null }
}

function attentionOf({ entity }: Work, change: Change, result: PushResult, reason: AttentionReason): Attention {
  const newValues = Object.fromEntries(
    Object.entries(change.patch).flatMap(([field, pair]) => (Array.isArray(pair) ? [[field, pair[1]]] : [])),
  )
  return {
    changeId: change.changeId,
    clientSeq: change.clientSeq,
    entityType: change.entityType,
    entityId: change.entityId,
    changeType: change.changeType,
    reason,
    code: result.code ?? (reason === 'merged' ? 'MERGED' : 'ERROR'),
    message: result.message ?? '',
    at: new Date().toISOString(),
    reported: 0,
    ...(result.existingId ? { existingId: result.existingId } : {}),
    change: wireChange(change),
    mine: { ...shown(entity), ...change.snapshot, ...newValues },
    theirs: result.fields ?? entity.server,
    conflicts: result.conflicts ?? [],
  }
}

/** The entity once its verdicts are in. A refused new record stays visible until a person decides on it. */
export function settle(entity: Entity, pending: readonly Change[], refused: readonly Attention[] = []): Entity {
  const refusedInsert = refused.find((attention) => attention.reason !== 'merged' && isInsert(attention.change))
  const isRefusedNew = entity.server === null && (refusedInsert !== undefined || entity.state === 'attention')
  if (isRefusedNew) return { ...entity, state: 'attention', local: entity.local ?? refusedInsert?.mine ?? null }
  if (pending.length === 0) return { ...entity, state: 'clean', local: null }
  return { ...entity, state: 'pending', local: rebase(entity.server, pending) }
}

async function commitWorks(core: Core, gen: number, works: readonly Work[], maxDone: number): Promise<void> {
  if (works.length === 0) return
  const attention = await Promise.all(works.flatMap((work) => work.attention).map((one) => core.sealAttention(one)))
  const entities = await Promise.all(works.map((work) => core.entityStep(gen, settle(work.entity, work.pending, work.attention))))
  await core.db.commit([
    ...attention.map((put): Step => ({ in: 'attention', put })),
    ...works.flatMap((work) => work.logSteps),
    ...entities,
    metaStep('maxDone', maxDone),
  ])
  for (const [type, ofType] of Map.groupBy(works, ({ entity }) => entity.type))
    core.touch({ type, ids: ofType.map(({ entity }) => entity.id) })
}
