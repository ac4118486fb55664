import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { changeSchema } from '@outpost/contract/sync/limits'
import type { Row } from '../../data/records.ts'
import { openDatabase, sameIndexes, type Database, type Step } from './database.ts'
import { makeExclusive } from './exclusive.ts'
import { countLog, type CountedDatabase } from './log-count.ts'
import { keptKind, uniqueValues } from '../kinds.ts'
import { importIndexKey, indexHash, newIndexSecret, seal, sealBytes, unseal, unsealBytes, type Sealed } from './seal.ts'
import type {
  Attention,
  AttentionBody,
  AttentionRow,
  Change,
  ChangeBody,
  Entity,
  EntityRow,
  LogRow,
  MetaName,
  MetaValues,
} from './shapes.ts'

/** Whose store it is. `storeId` names the key that seals it. Tenant and country are asked when needed: the layout may come later, the tenant may change. */
export interface Owner {
  userId: string
  companyId: string
  storeId?: string
  deviceId: string
  country: () => string
  tenantId: () => string
}

/** Which entities changed; no ids means all of the type, no type means everything. */
export interface Touched {
  type?: string
  ids?: string[]
}

/** The opened store of one person in one company: reading, sealing, and the one way to write. */
export interface Core {
  readonly db: CountedDatabase
  readonly owner: Owner
  /** Runs plan and commit of a write alone, also among tabs. */
  exclusive<T>(run: () => Promise<T>): Promise<T>
  meta<Name extends MetaName>(name: Name): Promise<MetaValues[Name] | undefined>
  generation(): Promise<number>
  entityRow(gen: number, type: string, id: string): Promise<EntityRow | undefined>
  entity(type: string, id: string, gen?: number): Promise<Entity | undefined>
  openEntity(row: EntityRow): Promise<Entity>
  /** Steps that make the store hold the entity as it is now; an entity with neither copy is dropped, unless its removal has to be sent. */
  entityStep(gen: number, entity: Entity): Promise<Step>
  openChange(row: LogRow): Promise<Change>
  sealChange(change: ChangeRecord, kept?: Partial<Pick<Change, 'attempts' | 'sent' | 'state' | 'lastError'>>): Promise<LogRow>
  /** Unsent and unacknowledged changes of an entity, oldest first. */
  pendingOf(type: string, id: string): Promise<Change[]>
  openAttention(row: AttentionRow): Promise<Attention>
  sealAttention(attention: Attention): Promise<AttentionRow>
  hashOf(value: string): Promise<string>
  sealFile(id: string, content: ArrayBuffer): Promise<Sealed>
  openFile(id: string, bytes: Sealed): Promise<ArrayBuffer>
  /** Tells this tab's readers and the other tabs. */
  touch(touched: Touched): void
  onTouched(listener: (touched: Touched) => void): () => void
  close(): void
}

export const metaStep = <Name extends MetaName>(name: Name, value: MetaValues[Name]): Step => ({ in: 'meta', put: { name, value } })
const databasePrefix = (userId: string): string => `outpost:${userId}:`
export const databaseName = ({ userId, companyId, storeId = '' }: { userId: string; companyId: string; storeId?: string }): string =>
  databasePrefix(userId) + companyId + (storeId && `:${storeId}`)
/** The parts of a database's name; null when it is none of this person's. */
export function readDatabaseName(name: string, userId: string): { companyId: string; storeId: string } | null {
  if (!name.startsWith(databasePrefix(userId))) return null
  const [companyId = '', storeId = ''] = name.slice(databasePrefix(userId).length).split(':')
  return { companyId, storeId }
}
export const entityKey = (type: string, id: string): string => `${type}/${id}`

/** A new store gets an id; one of before gets it when it is next opened. */
async function nameStore(db: Database): Promise<void> {
  if (!(await db.read((open) => open.get('meta', 'storeId')))) await db.commit([metaStep('storeId', crypto.randomUUID())])
}

async function loadIndexKey(db: Database, key: CryptoKey): Promise<CryptoKey> {
  const kept = await db.read((open) => open.get('meta', 'indexKey'))
  if (kept) return importIndexKey(await unseal<string>(key, 'indexKey', kept.value as MetaValues['indexKey']))
  const secret = newIndexSecret()
  await db.commit([metaStep('indexKey', await seal(key, 'indexKey', secret))])
  return importIndexKey(secret)
}

function makeTouch(name: string, hearOthers: () => void): Pick<Core, 'touch' | 'onTouched'> & { close: () => void } {
  const listeners = new Set<(touched: Touched) => void>()
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
  const tell = (touched: Touched) => {
    for (const listener of listeners) listener(touched)
  }
  channel?.addEventListener('message', (event: MessageEvent<Touched>) => {
    hearOthers()
    tell(event.data)
  })
  return {
    touch: (touched) => {
      tell(touched)
      channel?.postMessage(touched)
    },
    onTouched: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => channel?.close(),
  }
}

function makeSealing(key: CryptoKey, indexKey: CryptoKey, owner: Owner) {
  const hashOf = (value: string) => indexHash(indexKey, value)
  const openEntity = async (row: EntityRow): Promise<Entity> => {
    const about = entityKey(row.type, row.id)
    const [server, local] = await Promise.all([
      row.server && unseal<Row>(key, about, row.server),
      row.local && unseal<Row>(key, about, row.local),
    ])
    return { type: row.type, id: row.id, version: row.version, state: row.state, server, local }
  }
  const entityStep = async (gen: number, entity: Entity): Promise<Step> => {
    const { type, id, version, state, server, local } = entity
    // A record that was removed before the office had answered its making: a copy that comes back meanwhile must not show it again.
    const isRemovalWaiting = state === 'pending'
    if (!server && !local && !isRemovalWaiting) return { in: 'entities', drop: [gen, type, id] }
    const about = entityKey(type, id)
    const [sealedServer, sealedLocal, words] = await Promise.all([
      server && seal(key, about, server),
      local && seal(key, about, local),
      wordsOf({ server, local, type }, owner.country()),
    ])
    const put: EntityRow = { gen, type, id, version, state, server: sealedServer, local: sealedLocal }
    for (const [place, index] of sameIndexes.entries()) if (words[place]) put[index] = await hashOf(words[place])
    return { in: 'entities', put }
  }
  const openChange = async ({ body, clientSeq = 0, ...rest }: LogRow): Promise<Change> => ({
    ...rest,
    clientSeq,
    ...(await unseal<ChangeBody>(key, rest.changeId, body)),
  })
  const sealChange: Core['sealChange'] = async ({ patch, snapshot, clientSeq, ...rest }, kept = {}) => ({
    ...rest,
    ...(clientSeq > 0 ? { clientSeq } : {}),
    attempts: 0,
    sent: 0,
    state: 'pending',
    ...kept,
    body: await seal(key, rest.changeId, { patch, ...(snapshot ? { snapshot } : {}) } satisfies ChangeBody),
  })
  const openAttention = async ({ body, ...rest }: AttentionRow): Promise<Attention> => ({
    ...rest,
    ...(await unseal<AttentionBody>(key, rest.changeId, body)),
  })
  const sealAttention = async ({ change, mine, theirs, conflicts, ...rest }: Attention): Promise<AttentionRow> => ({
    ...rest,
    body: await seal(key, rest.changeId, { change, mine, theirs, conflicts } satisfies AttentionBody),
  })
  const [sealFile, openFile] = [
    (id: string, content: ArrayBuffer) => sealBytes(key, `file/${id}`, content),
    (id: string, bytes: Sealed) => unsealBytes(key, `file/${id}`, bytes),
  ]
  return { hashOf, sealFile, openFile, openEntity, entityStep, openChange, sealChange, openAttention, sealAttention }
}

async function wordsOf({ server, local, type }: Pick<Entity, 'server' | 'local' | 'type'>, country: string): Promise<string[]> {
  const kind = keptKind(type)
  const row = local ?? server
  return kind && row ? uniqueValues(kind, row, { isLocal: local !== null, country }) : []
}

/** Opens the store; rejects when the data key is not the one it was sealed with. */
export async function openCore(owner: Owner, key: CryptoKey): Promise<Core> {
  const name = databaseName(owner)
  const db = countLog(await openDatabase(name))
  const exclusive = makeExclusive(name)
  // Two tabs that open a new store at once must not each give it a name and a key.
  const indexKey = await exclusive(async () => {
    await nameStore(db)
    return loadIndexKey(db, key)
  })
  const sealing = makeSealing(key, indexKey, owner)
  const { close: closeChannel, ...touching } = makeTouch(name, db.forgetCount)
  const meta: Core['meta'] = async <Name extends MetaName>(metaName: Name) =>
    (await db.read((open) => open.get('meta', metaName)))?.value as MetaValues[Name] | undefined
  const generation = async () => (await meta('generation')) ?? 0
  const entityRow: Core['entityRow'] = (gen, type, id) => db.read((open) => open.get('entities', [gen, type, id]))
  return {
    db,
    owner,
    meta,
    generation,
    entityRow,
    ...sealing,
    ...touching,
    exclusive,
    entity: async (type, id, gen) => {
      const row = await entityRow(gen ?? (await generation()), type, id)
      return row && sealing.openEntity(row)
    },
    pendingOf: async (type, id) => {
      const rows = await db.read((open) => open.getAllFromIndex('log', 'entity', [type, id]))
      return Promise.all(rows.map(sealing.openChange))
    },
    close: () => {
      closeChannel()
      db.close()
    },
  }
}

/** A new change record of this device. */
export function newChange(
  core: Core,
  parts: Pick<ChangeRecord, 'entityType' | 'entityId' | 'changeType' | 'version'> &
    Partial<Pick<ChangeRecord, 'patch' | 'snapshot' | 'deps'>>,
): ChangeRecord {
  const { userId, deviceId, tenantId } = core.owner
  return {
    clientSeq: 0,
    changeId: crypto.randomUUID(),
    schema: changeSchema,
    deviceId,
    userId,
    tenantId: tenantId(),
    dateModified: new Date().toISOString(),
    patch: {},
    deps: [],
    ...parts,
  }
}
