import type { ChangeRecord, PullAnswer, PushResult } from '@outpost/contract/sync/protocol'
import type { Row } from '../../data/records.ts'
import * as attention from '../attention.ts'
import { dependants } from '../relink.ts'
import { checkAtStart } from '../sync/boot-check.ts'
import { openCore, type Core, type Owner, type Touched } from './core.ts'
import { sameIndexes } from './database.ts'
import * as files from '../sync/files.ts'
import type { ClassifyFileError, NewFile, SendFile, WaitingFile } from '../sync/files.ts'
import { append, logSummary, raiseCount, shown, takeBatch, type BatchLimits, type Edit, type LogSummary } from './log.ts'
import { applyPage, beginFullPull, pullPoint, type PullPoint } from './pages.ts'
import type { Attention, Change, Entity } from './shapes.ts'
import { readWork, releaseWork, takeWorkOver, type Work } from './take-over.ts'
import { applyVerdicts, settle, type Applied } from '../sync/verdicts.ts'

/** What the rest of the console may do with the device's store. Reads come from memory once a type was read. */
export interface OfflineStore {
  readonly owner: Owner
  /** All entities of a type that are on the screen, unsent changes included. */
  all(type: string): Promise<Entity[]>
  find(type: string, id: string): Promise<Entity | undefined>
  /** Entities with unsent or refused changes; few, and read without opening the others. */
  unsettled(type: string): Promise<Entity[]>
  /** Entities that share one of these values (as uniqueValues gives them, in their order). */
  findSame(type: string, words: readonly string[]): Promise<Entity[]>
  pendingOf(type: string, id: string): Promise<Change[]>
  append(edit: Edit): Promise<Row | null>
  /** Takes over what the server answered to an online write. */
  keepServerCopy(type: string, record: Row & { Id: string }): Promise<void>
  takeBatch(limits: BatchLimits): Promise<ChangeRecord[]>
  /** `sent`: the changes that the verdicts are about, where they are at hand. */
  applyVerdicts(results: readonly PushResult[], sent?: readonly ChangeRecord[]): Promise<Applied>
  setAside(changeId: string, code: string, message: string): Promise<void>
  summary(): Promise<LogSummary>
  /** Numbers go on from another store's, so that the server does not take a new store for a lost one. */
  raiseCount(clientSeq: number): Promise<void>
  pullPoint(): Promise<PullPoint>
  beginFullPull(): Promise<void>
  applyPage(answer: PullAnswer, point: PullPoint): Promise<void>
  attention: {
    list(): Promise<Attention[]>
    count(): Promise<number>
    discard(changeId: string): Promise<void>
    retry(changeId: string, values: Row, files?: readonly NewFile[]): Promise<string>
    mergeIntoExisting(changeId: string, existing: Row & { Id: string }): Promise<void>
    markReported(changeId: string): Promise<void>
    /** Unsent changes of other records that wait for this one. */
    dependants(entityId: string): Promise<Change[]>
  }
  /** Photos that wait to be sent; `send` sends those whose changes were taken and gives how many failed. */
  files: {
    add(files: readonly NewFile[]): Promise<void>
    list(): Promise<WaitingFile[]>
    bytes(id: string): Promise<ArrayBuffer | undefined>
    send(send: SendFile, judge: ClassifyFileError): Promise<number>
    retry(id: string): Promise<void>
    drop(id: string): Promise<void>
  }
  /** Looks for torn writes and mends them; gives a sentence for each. */
  check(): Promise<string[]>
  /** Everything unsent or refused, readable, for a file. */
  unsent(): Promise<{ log: Change[]; attention: Attention[] }>
  /** Everything unsent as it must be carried into another store of the same person. */
  work(): Promise<Work>
  takeOver(work: Work): Promise<void>
  /** Forgets what another store has taken over. */
  release(work: Work): Promise<void>
  onTouched(listener: (touched: Touched) => void): () => void
  close(): void
}

/** Opens the store of one person in one company; rejects with OperationError when the key does not fit. */
export async function openStore(owner: Owner, key: CryptoKey): Promise<OfflineStore> {
  const core = await openCore(owner, key)
  const memory = makeMemory(core)
  return {
    owner,
    ...memory,
    unsettled: (type) => unsettled(core, type),
    findSame: (type, words) => findSame(core, type, words),
    pendingOf: core.pendingOf,
    append: (edit) => append(core, edit),
    keepServerCopy: (type, record) => keepServerCopy(core, type, record),
    takeBatch: (limits) => takeBatch(core, limits),
    applyVerdicts: (results, sent) => applyVerdicts(core, results, sent),
    setAside: (changeId, code, message) => attention.setAside(core, changeId, code, message),
    summary: () => logSummary(core),
    raiseCount: (clientSeq) => raiseCount(core, clientSeq),
    pullPoint: () => pullPoint(core),
    beginFullPull: () => beginFullPull(core),
    applyPage: (answer, point) => applyPage(core, answer, point),
    attention: {
      list: () => attention.listAttention(core),
      count: () => attention.countAttention(core),
      discard: (changeId) => attention.discard(core, changeId),
      retry: (changeId, values, given) => attention.retry(core, changeId, values, given),
      mergeIntoExisting: (changeId, existing) => attention.mergeIntoExisting(core, changeId, existing),
      markReported: (changeId) => attention.markReported(core, changeId),
      dependants: (entityId) => dependants(core, entityId),
    },
    files: {
      add: (given) => files.addFiles(core, given),
      list: () => files.waitingFiles(core),
      bytes: (id) => files.fileBytes(core, id),
      send: (send, judge) => files.sendFiles(core, send, judge),
      retry: (id) => files.retryFile(core, id),
      drop: (id) => files.dropFile(core, id),
    },
    check: () => checkAtStart(core),
    unsent: async () => ({
      log: await Promise.all((await core.db.read((db) => db.getAll('log'))).map(core.openChange)),
      attention: await attention.listAttention(core),
    }),
    work: () => readWork(core),
    takeOver: (work) => takeWorkOver(core, work),
    release: (work) => releaseWork(core, work),
    onTouched: core.onTouched,
    close: core.close,
  }
}

/** More changed ids than this, and the whole type is read anew. */
const maxSingleReads = 500

/** Opened entities by type; a touched one is read again when next asked for. */
function makeMemory(core: Core): Pick<OfflineStore, 'all' | 'find'> {
  const types = new Map<string, Promise<Map<string, Entity>>>()
  const stale = new Map<string, Set<string>>()
  core.onTouched(({ type, ids }) => {
    if (type === undefined) types.clear()
    else if (!ids || ids.length > maxSingleReads) types.delete(type)
    else stale.set(type, (stale.get(type) ?? new Set()).union(new Set(ids)))
  })
  async function load(type: string): Promise<Map<string, Entity>> {
    const gen = await core.generation()
    const rows = await core.db.read((db) => db.getAll('entities', IDBKeyRange.bound([gen, type], [gen, type, []])))
    const entities = await Promise.all(rows.map(core.openEntity))
    return new Map(entities.map((entity) => [entity.id, entity]))
  }
  async function refresh(type: string, entities: Map<string, Entity>): Promise<Map<string, Entity>> {
    const ids = stale.get(type) ?? new Set()
    stale.delete(type)
    if (ids.size === 0) return entities
    const gen = await core.generation()
    const rows = await core.db.read((db) => {
      const { store } = db.transaction('entities')
      return Promise.all([...ids].map((id) => store.get([gen, type, id])))
    })
    const opened = await Promise.all(rows.map((row) => row && core.openEntity(row)))
    for (const [place, id] of [...ids].entries()) {
      const entity = opened[place]
      if (entity) entities.set(id, entity)
      else entities.delete(id)
    }
    return entities
  }
  /** Readers of a type queue up, so that none sees rows that another is still bringing up to date. */
  function current(type: string): Promise<Map<string, Entity>> {
    const next = (types.get(type) ?? load(type)).then((entities) => refresh(type, entities))
    types.set(type, next)
    next.catch(() => types.delete(type))
    return next
  }
  return {
    all: async (type) => [...(await current(type)).values()].filter((entity) => shown(entity) !== null),
    find: (type, id) => core.entity(type, id),
  }
}

async function unsettled(core: Core, type: string): Promise<Entity[]> {
  const gen = await core.generation()
  const ask = (state: 'pending' | 'attention') => core.db.read((db) => db.getAllFromIndex('entities', 'state', [gen, state]))
  const rows = [...(await ask('pending')), ...(await ask('attention'))]
  return Promise.all(rows.filter((row) => row.type === type).map(core.openEntity))
}

async function findSame(core: Core, type: string, words: readonly string[]): Promise<Entity[]> {
  const gen = await core.generation()
  const found = await Promise.all(
    sameIndexes.map(async (index, place) => {
      const word = words[place]
      if (!word) return []
      const hash = await core.hashOf(word)
      return core.db.read((db) => db.getAllFromIndex('entities', index, [gen, type, hash]))
    }),
  )
  const rows = found.flat()
  return Promise.all([...new Map(rows.map((row) => [row.id, row])).values()].map(core.openEntity))
}

function keepServerCopy(core: Core, type: string, record: Row & { Id: string }): Promise<void> {
  return core.exclusive(async () => {
    const gen = await core.generation()
    const held = await core.entity(type, record.Id, gen)
    const version = Number(record.version ?? held?.version ?? 0)
    if (held?.server && held.version > version) return
    const entity: Entity = {
      ...(held ?? { type, id: record.Id, state: 'clean', local: null }),
      server: { ...held?.server, ...record },
      version,
    }
    await core.db.commit([await core.entityStep(gen, settle(entity, await core.pendingOf(type, record.Id)))])
    core.touch({ type, ids: [record.Id] })
  })
}
