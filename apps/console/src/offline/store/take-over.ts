import type { Core } from './core.ts'
import type { Step } from './database.ts'
import type { Attention, Change, Entity, FileRow } from './shapes.ts'
import { wireChange } from './log.ts'
import { settle } from '../sync/verdicts.ts'

/** What of a store never reached the server, opened: changes in their order, refused ones, photos, and the records they belong to. */
export interface Work {
  log: Change[]
  attention: Attention[]
  files: { row: Omit<FileRow, 'bytes'>; bytes: ArrayBuffer }[]
  entities: Entity[]
}

export async function readWork(core: Core): Promise<Work> {
  const gen = await core.generation()
  const [log, attention, files, rows] = await core.db.read((db) =>
    Promise.all([
      db.getAll('log'),
      db.getAll('attention'),
      db.getAll('blobs'),
      Promise.all((['pending', 'attention'] as const).map((state) => db.getAllFromIndex('entities', 'state', [gen, state]))),
    ]),
  )
  return {
    log: await Promise.all(log.map(core.openChange)),
    attention: await Promise.all(attention.map(core.openAttention)),
    files: await Promise.all(files.map(async ({ bytes, ...row }) => ({ row, bytes: await core.openFile(row.id, bytes) }))),
    entities: await Promise.all(rows.flat().map(core.openEntity)),
  }
}

/**
 * Takes the unsent work of another store of the same person into this one, in one transaction. Change, refusal and photo
 * keep their ids, so that what is carried twice (the other store was not emptied in time) counts once, here and at the server.
 */
export function takeWorkOver(core: Core, work: Work): Promise<void> {
  return core.exclusive(async () => {
    const gen = await core.generation()
    const held = await core.db.read(async (db) => ({
      log: new Set((await db.getAll('log')).map(({ changeId }) => changeId)),
      attention: new Set(await db.getAllKeys('attention')),
      files: new Set(await db.getAllKeys('blobs')),
    }))
    const log = work.log.filter(({ changeId }) => !held.log.has(changeId))
    const attention = work.attention.filter(({ changeId }) => !held.attention.has(changeId))
    const files = work.files.filter(({ row }) => !held.files.has(row.id))
    const steps: Step[] = await Promise.all([
      ...log.map(async (change): Promise<Step> => {
        const { attempts, sent, state, lastError } = change
        return { in: 'log', add: await core.sealChange({ ...wireChange(change), clientSeq: 0 }, { attempts, sent, state, lastError }) }
      }),
      ...attention.map(async (one): Promise<Step> => ({ in: 'attention', put: await core.sealAttention(one) })),
      ...files.map(async ({ row, bytes }): Promise<Step> => ({ in: 'blobs', put: { ...row, bytes: await core.sealFile(row.id, bytes) } })),
      ...work.entities.map((entity) => entityStep(core, gen, { entity, log, attention })),
    ])
    await core.db.commit(steps)
    core.touch({})
  })
}

async function entityStep(
  core: Core,
  gen: number,
  { entity, log, attention }: Pick<Work, 'log' | 'attention'> & { entity: Entity },
): Promise<Step> {
  const { type, id } = entity
  const isOfIt = (one: { entityType: string; entityId: string }) => one.entityType === type && one.entityId === id
  const here = await core.entity(type, id, gen)
  const pending = [...(await core.pendingOf(type, id)), ...log.filter(isOfIt)]
  const isNewer = here?.server && (!entity.server || here.version >= entity.version)
  return core.entityStep(gen, settle(isNewer ? here : entity, pending, attention.filter(isOfIt)))
}

/** Empties this store of what another one has taken over, and of nothing that came since. */
export function releaseWork(core: Core, { log, attention, files }: Work): Promise<void> {
  return core.exclusive(async () => {
    await core.db.commit([
      ...log.map((change): Step => ({ in: 'log', drop: change.clientSeq })),
      ...attention.map((one): Step => ({ in: 'attention', drop: one.changeId })),
      ...files.map(({ row }): Step => ({ in: 'blobs', drop: row.id })),
    ])
  })
}
