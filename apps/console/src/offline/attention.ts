import type { Row } from '../data/records.ts'
import { isSame } from '@outpost/rules/sync/merge'
import { diff, type Patch } from './store/changes.ts'
import { newChange, type Core } from './store/core.ts'
import type { Step } from './store/database.ts'
import { followSteps, type NewFile, type NextChange } from './sync/files.ts'
import { isEntered, keptKind, titleOf, withLineIds } from './kinds.ts'
import { relinkSteps } from './relink.ts'
import { applyPatch, rebase } from './store/rebase.ts'
import type { Attention, AttentionReason, Change, Entity } from './store/shapes.ts'
import { filesOfChange, wireChange } from './store/log.ts'

/** All changes that a person must look at, newest first. */
export async function listAttention(core: Core): Promise<Attention[]> {
  const rows = await core.db.read((db) => db.getAll('attention'))
  const opened = await Promise.all(rows.map((row) => core.openAttention(row)))
  return opened.toSorted((a, b) => b.at.localeCompare(a.at))
}

export const countAttention = (core: Core): Promise<number> => core.db.read((db) => db.count('attention'))

async function attentionOf(core: Core, changeId: string): Promise<Attention> {
  const row = await core.db.read((db) => db.get('attention', changeId))
  if (!row) throw new Error('This change was already dealt with.')
  return core.openAttention(row)
}

/** Values a person wants after all, later edits of the same refused record included. */
export function wantedValues(attention: Attention, later: readonly Change[]): Row {
  return later
    .filter((change) => change.changeType === 'UPDATE')
    .reduce<Row>((row, change) => applyPatch(row, change.patch), attention.mine)
}

/** Takes one change out of the log for a person to decide, as when it alone is too large for the server. */
export function setAside(core: Core, changeId: string, code: string, message: string): Promise<void> {
  return core.exclusive(async () => {
    const row = await core.db.read((db) => db.getFromIndex('log', 'changeId', changeId))
    if (!row) return
    const change = await core.openChange(row)
    const gen = await core.generation()
    const entity = await core.entity(change.entityType, change.entityId, gen)
    const pending = (await core.pendingOf(change.entityType, change.entityId)).filter((one) => one.changeId !== changeId)
    const reason: AttentionReason = 'quarantined'
    const attention: Attention = {
      changeId,
      clientSeq: change.clientSeq,
      entityType: change.entityType,
      entityId: change.entityId,
      changeType: change.changeType,
      reason,
      code,
      message,
      at: new Date().toISOString(),
      reported: 0,
      change: wireChange(change),
      mine: entity?.local ?? change.snapshot ?? {},
      theirs: entity?.server ?? null,
      conflicts: [],
    }
    const after: Step[] = entity ? [await core.entityStep(gen, restingEntity(entity, pending))] : []
    await core.db.commit([{ in: 'attention', put: await core.sealAttention(attention) }, { in: 'log', drop: change.clientSeq }, ...after])
    core.touch({ type: change.entityType, ids: [change.entityId] })
  })
}

const restingEntity = (entity: Entity, pending: readonly Change[]): Entity => {
  if (!entity.server) return { ...entity, state: 'attention' }
  return pending.length > 0
    ? { ...entity, state: 'pending', local: rebase(entity.server, pending) }
    : { ...entity, state: 'clean', local: null }
}

/**
 * Gives a refused change up: the record goes back to the server's copy, a refused new record leaves the device with
 * everything that was changed on it later. What else waits for that record goes without it.
 */
export function discard(core: Core, changeId: string): Promise<void> {
  return core.exclusive(async () => {
    const attention = await attentionOf(core, changeId)
    const { entityType, entityId } = attention
    const gen = await core.generation()
    const entity = await core.entity(entityType, entityId, gen)
    const drop: Step[] = [{ in: 'attention', drop: changeId }, ...(await followSteps(core, changeId, null))]
    if (entity?.state === 'attention') {
      const later = await core.pendingOf(entityType, entityId)
      const ofLater = await followAll(
        core,
        later.map((change) => change.changeId),
        null,
      )
      drop.push(...later.map((change): Step => ({ in: 'log', drop: change.clientSeq })), ...ofLater, {
        in: 'entities',
        drop: [gen, entityType, entityId],
      })
      if (!entity.server) drop.push(...(await relinkSteps(core, entityId, null)))
    }
    await core.db.commit(drop)
    core.touch({})
  })
}

/**
 * Sends a refused change again with the values a person settled on. A new record (or one that was removed meanwhile)
 * becomes a new INSERT, an edit becomes an UPDATE against the server's copy. Gives the id of the record.
 */
export function retry(core: Core, changeId: string, given: Row, files: readonly NewFile[] = []): Promise<string> {
  return core.exclusive(async () => {
    const attention = await attentionOf(core, changeId)
    const gen = await core.generation()
    const { entityType: type, entityId } = attention
    const values = withLineIds(type, given)
    const entity = await core.entity(type, entityId, gen)
    if (entity?.server) {
      await requeueUpdate(core, { gen, entity, changeId, patch: diff(entity.server, values) })
      return entityId
    }
    const id = attention.code === 'GONE' ? crypto.randomUUID() : entityId
    const later = await core.pendingOf(type, entityId)
    const { version: _version, dateCreated: _created, ...wanted } = { ...wantedValues(attention, later), ...values }
    const snapshot: Row = { ...wanted, Id: id }
    const change = newChange(core, {
      entityType: type,
      entityId: id,
      version: 0,
      changeType: 'INSERT',
      snapshot,
      deps: attention.change.deps,
    })
    await core.db.commit([
      { in: 'log', add: await core.sealChange(change) },
      ...later.map((one): Step => ({ in: 'log', drop: one.clientSeq })),
      { in: 'attention', drop: changeId },
      ...(await followAll(core, [changeId, ...later.map((one) => one.changeId)], { changeId: change.changeId, ownerId: id })),
      ...(await filesOfChange(core, files, change.changeId)),
      await core.entityStep(gen, { type, id, version: 0, state: 'pending', server: null, local: snapshot }),
    ])
    core.touch({ type, ids: [entityId, id] })
    core.touch({ type: 'file' })
    return id
  })
}

/** The files of a refused record and of what was changed on it later go with the change that takes their place, or with them. */
const followAll = async (core: Core, changeIds: readonly string[], next: NextChange | null): Promise<Step[]> =>
  (await Promise.all(changeIds.map((one) => followSteps(core, one, next)))).flat()

interface Requeue {
  gen: number
  entity: Entity
  changeId: string
  patch: Patch
}

async function requeueUpdate(core: Core, { gen, entity, changeId, patch }: Requeue): Promise<void> {
  const pending = await core.pendingOf(entity.type, entity.id)
  const isEmpty = Object.keys(patch).length === 0
  const change = newChange(core, { entityType: entity.type, entityId: entity.id, version: entity.version, changeType: 'UPDATE', patch })
  const after = isEmpty ? pending : [...pending, { ...change, attempts: 0, sent: 0 as const, state: 'pending' as const }]
  const local = rebase(entity.server, after)
  await core.db.commit([
    ...(isEmpty ? [] : [{ in: 'log', add: await core.sealChange(change) } satisfies Step]),
    { in: 'attention', drop: changeId },
    ...(await followSteps(core, changeId, isEmpty ? null : { changeId: change.changeId, ownerId: entity.id })),
    await core.entityStep(gen, { ...entity, state: after.length > 0 ? 'pending' : 'clean', local: after.length > 0 ? local : null }),
  ])
  core.touch({ type: entity.type, ids: [entity.id] })
}

/**
 * A refused new record that exists at the server already: lays my values over that record (`existing`, as the server
 * has it) and drops the refused one; what waits for that one is about the existing record from now on. Empty values of mine change nothing.
 */
export function mergeIntoExisting(core: Core, changeId: string, existing: Row & { Id: string }): Promise<void> {
  return core.exclusive(async () => {
    const attention = await attentionOf(core, changeId)
    const gen = await core.generation()
    const { entityType: type, entityId } = attention
    const later = await core.pendingOf(type, entityId)
    const mine = Object.fromEntries(
      Object.entries(wantedValues(attention, later)).filter(
        ([field, value]) => value !== '' && value !== null && !isSame(existing[field], value) && isEnteredField(field, attention),
      ),
    )
    const held = await core.entity(type, existing.Id, gen)
    const version = Number(existing.version ?? held?.version ?? 0)
    const target: Entity = { type, id: existing.Id, state: 'clean', local: null, ...held, server: existing, version }
    await core.db.commit([
      ...later.map((one): Step => ({ in: 'log', drop: one.clientSeq })),
      { in: 'entities', drop: [gen, type, entityId] },
      ...(await relinkSteps(core, entityId, { Id: existing.Id, label: nameOf(type, existing) })),
    ])
    await requeueUpdate(core, { gen, entity: target, changeId, patch: diff(existing, mine) })
    core.touch({})
  })
}

const nameOf = (type: string, row: Row): string => {
  const kind = keptKind(type)
  return kind ? titleOf(kind, row) : ''
}

const isEnteredField = (field: string, attention: Attention) =>
  isEntered(attention.entityType, field) && field in (attention.change.snapshot ?? {})

/** Marks a quarantined change as reported to the office. */
export async function markReported(core: Core, changeId: string): Promise<void> {
  await core.exclusive(async () => {
    const row = await core.db.read((db) => db.get('attention', changeId))
    if (row) await core.db.commit([{ in: 'attention', put: { ...row, reported: 1 } }])
  })
}
