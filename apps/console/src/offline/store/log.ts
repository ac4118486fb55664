import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { maxPushChanges } from '@outpost/contract/sync/limits'
import { maxPushBytes } from '@outpost/rules/sync/sync-timing'
import type { Row } from '../../data/records.ts'
import { withLineIds } from '../kinds.ts'
import { diff, isCommand, squash } from './changes.ts'
import { entityKey, metaStep, newChange, type Core } from './core.ts'
import type { Step } from './database.ts'
import { fileRows, type NewFile } from '../sync/files.ts'
import { applyPatch, rebase } from './rebase.ts'
import type { Change, Entity, LogRow } from './shapes.ts'

export interface Edit {
  type: string
  id: string
  kind: 'create' | 'update' | 'remove'
  /** All values of a new record, or the changed ones. */
  values?: Row
  /** Files of the record, kept with the change: both or neither. */
  files?: readonly NewFile[]
  deps?: string[]
}

/**
 * Writes an edit: the change row first, the entity second, in one transaction on disk. Gives the entity as the screen
 * shows it (null when removed). Throws when an update or removal names an entity that is not on the device.
 */
export function append(core: Core, edit: Edit): Promise<Row | null> {
  return core.exclusive(async () => {
    const { type, id } = edit
    const gen = await core.generation()
    const before = (await core.entity(type, id, gen)) ?? { type, id, version: 0, state: 'clean' as const, server: null, local: null }
    const pending = await core.pendingOf(type, id)
    const change = changeOf(core, edit, before)
    if (!change) return shown(before)
    const { steps, after } = await logSteps(core, pending, change)
    const entity = editedEntity(before, after, change)
    const files = await filesOfChange(core, edit.files, after.at(-1)?.changeId)
    await core.db.commit([...steps, ...files, await core.entityStep(gen, entity)])
    core.touch({ type, ids: [id] })
    if (files.length > 0) core.touch({ type: 'file' })
    return shown(entity)
  })
}

/** Steps that keep files of a record: they go once the office has taken the change. */
export async function filesOfChange(core: Core, files: readonly NewFile[] = [], changeId: string | undefined): Promise<Step[]> {
  if (files.length === 0) return []
  return (await fileRows(core, files)).map((row) => ({ in: 'blobs', put: changeId === undefined ? row : { ...row, changeId } }))
}

/** What of an entity is on the screen. A removal that waits has no local copy, but keeps the server's: the verdict may bring it back. */
export const shown = (entity: Entity): Row | null => (entity.state === 'clean' ? entity.server : entity.local)

function editedEntity(before: Entity, after: readonly Change[], change: ChangeRecord): Entity {
  // A refused new record stays refused until a person decides; the edit is seen and kept behind it.
  if (before.state === 'attention' && before.local) return { ...before, local: applyPatch(before.local, change.patch) }
  if (after.length === 0) return { ...before, state: 'clean', local: null }
  return { ...before, state: 'pending', local: rebase(before.server, after) }
}

function changeOf(core: Core, edit: Edit, before: Entity): ChangeRecord | null {
  const { type: entityType, id: entityId, deps } = edit
  const values = withLineIds(entityType, edit.values ?? {})
  const base = { entityType, entityId, version: before.version, ...(deps ? { deps } : {}) }
  if (edit.kind === 'create') return newChange(core, { ...base, version: 0, changeType: 'INSERT', snapshot: { ...values, Id: entityId } })
  const current = shown(before)
  if (!current) throw new Error(`There is no ${entityType} ${entityId} on this device.`)
  if (edit.kind === 'remove') return newChange(core, { ...base, changeType: 'DELETE' })
  const patch = diff(current, values)
  return Object.keys(patch).length === 0 ? null : newChange(core, { ...base, changeType: 'UPDATE', patch })
}

/** Steps on the log and the pending changes as they are after them. */
async function logSteps(core: Core, pending: readonly Change[], change: ChangeRecord): Promise<{ steps: Step[]; after: Change[] }> {
  const result = squash(pending, change)
  if (result.kind === 'cancel') {
    return {
      steps: result.drop.map((row) => ({ in: 'log', drop: row.clientSeq })),
      after: pending.filter((row) => !result.drop.includes(row)),
    }
  }
  if (result.kind === 'join') {
    const joined: Change = {
      ...result.into,
      patch: result.patch,
      dateModified: change.dateModified,
      deps: [...new Set([...result.into.deps, ...change.deps])],
      ...(result.snapshot ? { snapshot: result.snapshot } : {}),
    }
    const { attempts, sent, state, ...record } = joined
    return {
      steps: [{ in: 'log', put: await core.sealChange(record, { attempts, sent, state }) }],
      after: [...pending.slice(0, -1), joined],
    }
  }
  return {
    steps: [{ in: 'log', add: await core.sealChange(change) }],
    after: [...pending, { ...change, attempts: 0, sent: 0, state: 'pending' }],
  }
}

export interface BatchLimits {
  limit: number
  /** Entities (entityKey) that must wait: an earlier change of theirs is open. */
  blocked: ReadonlySet<string>
  /** Entities of which a batch is on its way: what follows there waits for its verdicts, and calls for that. */
  onTheWay?: ReadonlySet<string>
}

/**
 * The next changes to send, oldest first, marked as sent on disk before they are given out: after that they never
 * change, whatever happens to the request. One change an entity: what follows it depends on its verdict, but for calls, which are
 * events: they go in the order they were made, whatever they are about, and several of one entity together. Changes of a refused
 * new record stay until a person decided on it.
 */
export function takeBatch(core: Core, { limit, blocked, onTheWay = new Set() }: BatchLimits): Promise<ChangeRecord[]> {
  return core.exclusive(async () => {
    const batch: ChangeRecord[] = []
    const fresh: LogRow[] = []
    let bytes = 0
    const mayGo = makeOrder([...blocked, ...(await refusedKeys(core))], onTheWay)
    let passed = 0
    for await (const { row, change } of changesInOrder(core)) {
      // With something to send, what lies far behind what has to wait is for a later batch.
      if (batch.length > 0 && passed > farBehind) break
      if (!mayGo(change)) {
        passed += 1
        continue
      }
      bytes += JSON.stringify(change).length
      if (batch.length > 0 && bytes > maxPushBytes) break
      batch.push(wireChange(change))
      if (row.sent === 0) fresh.push(row)
      if (batch.length >= Math.min(limit, maxPushChanges)) break
    }
    // What is sealed of it stays as it is.
    await core.db.commit(fresh.map((row) => ({ in: 'log', put: { ...row, sent: 1 } })))
    return batch
  })
}

/** Changes that are opened in vain for one batch. */
const farBehind = 2_000

/** Says of each change in turn whether it may be in a batch with those before it. */
function makeOrder(blocked: readonly string[], onTheWay: ReadonlySet<string>): (change: Change) => boolean {
  const held = new Set([...blocked, ...onTheWay])
  const chosen = new Set(onTheWay)
  /** Entities of which the batch has calls alone. */
  const called = new Set<string>()
  let callsWait = false
  return (change) => {
    const key = entityKey(change.entityType, change.entityId)
    const isCall = isCommand(change)
    if ((held.has(key) && !(isCall && called.has(key))) || (isCall && callsWait)) {
      // A call that goes with the next batch is overtaken by no other one; one that a person has to decide on is.
      if (isCall && chosen.has(key)) callsWait = true
      held.add(key)
      called.delete(key)
      return false
    }
    held.add(key)
    chosen.add(key)
    // What waits for another record may find that missing; nothing of its entity goes before it.
    if (isCall && change.deps.length === 0) called.add(key)
    return true
  }
}

async function refusedKeys(core: Core): Promise<string[]> {
  const gen = await core.generation()
  const keys = await core.db.read((db) => db.getAllKeysFromIndex('entities', 'state', [gen, 'attention']))
  return keys.map(([, type, id]) => entityKey(type, id))
}

/** The change as it travels, without what only the device knows. */
export function wireChange(change: ChangeRecord & Partial<Change>): ChangeRecord {
  const { attempts: _attempts, sent: _sent, state: _state, lastError: _lastError, ...record } = change
  return record
}

async function* changesInOrder(core: Core): AsyncGenerator<{ row: LogRow; change: Change }> {
  for (let after = 0; ;) {
    const rows = await core.db.read((db) => db.getAll('log', IDBKeyRange.lowerBound(after, true), maxPushChanges))
    yield* await Promise.all(rows.map(async (row) => ({ row, change: await core.openChange(row) })))
    after = rows.at(-1)?.clientSeq ?? after
    if (rows.length < maxPushChanges) return
  }
}

export interface LogSummary {
  count: number
  /** Photos and other files on the device. */
  files: number
  oldest: string | null
  maxClientSeq: number
  storeId: string
}

/** How much waits to be sent, since when, and the highest number this device ever gave. */
export async function logSummary(core: Core): Promise<LogSummary> {
  const { files, first, last } = await core.db.read(async (db) => {
    const transaction = db.transaction(['log', 'blobs'])
    const log = transaction.objectStore('log')
    const [blobs, head, tail] = await Promise.all([
      transaction.objectStore('blobs').count(),
      log.openCursor(),
      log.openKeyCursor(null, 'prev'),
    ])
    return { files: blobs, first: head?.value.dateModified ?? null, last: tail?.primaryKey ?? 0 }
  })
  return {
    count: first === null ? 0 : await core.db.logCount(),
    files,
    oldest: first,
    maxClientSeq: Math.max(last, (await core.meta('maxDone')) ?? 0),
    storeId: (await core.meta('storeId')) ?? '',
  }
}

/** Makes this device's count of changes at least that of another store of the person. */
export function raiseCount(core: Core, clientSeq: number): Promise<void> {
  return core.exclusive(async () => {
    if (clientSeq > (await logSummary(core)).maxClientSeq) await core.db.commit([metaStep('maxDone', clientSeq)])
  })
}
