import { unwrap } from 'idb'
import type { ChangeRecord, PushResult } from '@outpost/contract/sync/protocol'
import { maxAttempts } from '@outpost/rules/sync/sync-timing'
import type { Row } from '../../data/records.ts'
import { diff } from '../store/changes.ts'
import { entityKey, metaStep, newChange, type Core } from '../store/core.ts'
import type { Step } from '../store/database.ts'
import { isEntered } from '../kinds.ts'
import { shown, wireChange } from '../store/log.ts'
import { dropChanges } from '../store/log-count.ts'
import { applyPatch, rebase } from '../store/rebase.ts'
import type { Attention, AttentionReason, Change, Entity, EntityRow, LogRow } from '../store/shapes.ts'

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
  /** Changes that leave the log. */
  done: number[]
  attention: Attention[]
}

const isRefused = (result: PushResult) => result.status === 'rejected' || (result.status === 'duplicate' && result.first === 'rejected')
const isInsert = (change: ChangeRecord) => change.changeType === 'INSERT' || change.changeType === 'CREATE'

/**
 * Takes the server's verdicts in: server copies, log, and needs-attention move in one transaction. A change without a
 * verdict stays as it is. Verdicts on changes that are no longer in the log (a late answer) do nothing.
 */
export function applyVerdicts(core: Core, results: readonly PushResult[], sent: readonly ChangeRecord[] = []): Promise<Applied> {
  return core.exclusive(async () => {
    const gen = await core.generation()
    const works = await worksOf(core, gen, results, await subjects(core, results, sent))
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

/** What a change is about. */
type Subject = Pick<ChangeRecord, 'changeId' | 'entityType' | 'entityId'>

/** What the verdicts are about: as it was sent, else as the log has it. */
async function subjects(core: Core, results: readonly PushResult[], sent: readonly Subject[]): Promise<Subject[]> {
  const atHand = new Map(sent.map((change) => [change.changeId, change]))
  const rows = await core.db.read((db) => {
    const index = db.transaction('log').store.index('changeId')
    return Promise.all(results.map(({ changeId }) => atHand.get(changeId) ?? index.get(changeId)))
  })
  return rows.filter((row) => row !== undefined)
}

/** The entities that verdicts are about with what waits of them, by the id of the change: read together, as a batch holds hundreds. */
async function worksOf(core: Core, gen: number, results: readonly PushResult[], about: readonly Subject[]): Promise<Map<string, Work>> {
  const entities = new Map(about.map(({ entityType, entityId }) => [entityKey(entityType, entityId), [entityType, entityId] as const]))
  const rows = await core.db.read(async (db) => {
    const transaction = db.transaction(['entities', 'log'])
    const [store, log] = [unwrap(transaction.objectStore('entities')), unwrap(transaction.objectStore('log')).index('entity')]
    // Nobody listens to each of a thousand requests: they are all answered at the end.
    const asked = [...entities.values()].map(([type, id]) => ({ held: store.get([gen, type, id]), logged: log.getAll([type, id]) }))
    await transaction.done
    return asked.map(({ held, logged }) => ({ row: held.result as EntityRow | undefined, changes: logged.result as LogRow[] }))
  })
  const verdicts = new Map(results.map((result) => [result.changeId, result]))
  const works = await Promise.all(
    [...entities.values()].map(async ([type, id], place): Promise<[string, Work][]> => {
      const { row, changes = [] } = rows[place] ?? {}
      const isSealed = row !== undefined && isPlain(row, changes, verdicts)
      const closed: Entity = { type, id, version: row?.version ?? 0, state: row?.state ?? 'pending', server: null, local: null }
      const entity = row && !isSealed ? await core.openEntity(row) : closed
      const pending = isSealed ? changes.map(unopened) : await Promise.all(changes.map(core.openChange))
      const work: Work = { entity, pending, logSteps: [], done: [], attention: [] }
      return pending.filter(({ changeId }) => verdicts.has(changeId)).map(({ changeId }) => [changeId, work])
    }),
  )
  return new Map(works.flat())
}

/** A change of which nothing is asked but what it is about. */
const unopened = ({ body: _body, clientSeq = 0, ...row }: LogRow): Change => ({ ...row, clientSeq, patch: {} })

/** The only change of an entity was taken, and the answer says what the record is now: neither copy nor change have to be opened for that. */
function isPlain(row: EntityRow, changes: readonly LogRow[], verdicts: ReadonlyMap<string, PushResult>): boolean {
  const [only] = changes
  const { status, first, fields, version = row.version } = verdicts.get(only?.changeId ?? '') ?? {}
  const isTaken = status === 'applied' || (status === 'duplicate' && first === 'applied')
  const isNew = row.server === null || version >= row.version
  return changes.length === 1 && only?.changeType !== 'DELETE' && row.state === 'pending' && isTaken && fields !== undefined && isNew
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
  work.done.push(change.clientSeq)
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
    ...dropChanges(works.flatMap((work) => work.done)),
    ...entities,
    metaStep('maxDone', maxDone),
  ])
  for (const [type, ofType] of Map.groupBy(works, ({ entity }) => entity.type))
    core.touch({ type, ids: ofType.map(({ entity }) => entity.id) })
}
