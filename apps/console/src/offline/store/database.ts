import { openDB, unwrap, type IDBPDatabase, type IDBPTransaction } from 'idb'
import { storeNames, type OfflineSchema, type StoreName } from './shapes.ts'

/** One step of a write: what to do in which store. A step list is committed whole or not at all, in its order. */
export type Step = {
  [Name in StoreName]:
    | { in: Name; put: OfflineSchema[Name]['value'] }
    | { in: Name; add: OfflineSchema[Name]['value'] }
    | { in: Name; drop: OfflineSchema[Name]['key'] | IDBKeyRange }
}[StoreName]

/**
 * The two indexes for values that no other record of a kind may share, by their place in the kind's `same`. They are called
 * what the first kind put there: devices hold unsent work in stores of this layout, which no upgrade has to touch.
 */
export const sameIndexes = ['phone', 'email'] as const

type Db = IDBPDatabase<OfflineSchema>
type WriteTx = IDBPTransaction<OfflineSchema, StoreName[], 'readwrite'>

export interface Database {
  readonly name: string
  /** The open connection for reads; reopened when the browser lost it. */
  read<T>(run: (db: Db) => Promise<T>): Promise<T>
  /** The only way to write: all steps in one transaction, on disk before it returns. */
  commit(steps: readonly Step[]): Promise<void>
  close(): void
}

const open = (name: string, onLost: () => void): Promise<Db> =>
  openDB<OfflineSchema>(name, 1, {
    upgrade(db) {
      const entities = db.createObjectStore('entities', { keyPath: ['gen', 'type', 'id'] })
      for (const index of sameIndexes) entities.createIndex(index, ['gen', 'type', index])
      entities.createIndex('state', ['gen', 'state'])
      const log = db.createObjectStore('log', { keyPath: 'clientSeq', autoIncrement: true })
      log.createIndex('entity', ['entityType', 'entityId'])
      log.createIndex('changeId', 'changeId', { unique: true })
      db.createObjectStore('attention', { keyPath: 'changeId' })
      db.createObjectStore('meta', { keyPath: 'name' })
      db.createObjectStore('blobs', { keyPath: 'id' })
    },
    // Another tab wants to upgrade or delete: give way, the next call opens again.
    blocking(_current, _next, event) {
      const target = event.target
      if (target instanceof IDBDatabase) target.close()
      onLost()
    },
    terminated: onLost,
  })

/** Names of failures that mean the connection is gone, as iOS does on resume: open again and try once more. */
const isLostConnection = (error: unknown) => error instanceof DOMException && ['UnknownError', 'InvalidStateError'].includes(error.name)

/**
 * Runs steps that only issue requests; anything thrown (by a value that cannot be stored, too) rolls the whole transaction back. Nobody listens to
 * the requests: what fails in one ends the transaction, and a thousand listeners take longer than the writes.
 */
async function runSteps(transaction: WriteTx, steps: readonly Step[]): Promise<void> {
  const ended = endOf(unwrap(transaction))
  // It hears of the same failures, without their names.
  transaction.done.catch(() => undefined)
  try {
    const stores = new Map([...transaction.objectStoreNames].map((name) => [name, unwrap(transaction.objectStore(name))]))
    for (const step of steps) {
      const store = stores.get(step.in)
      if ('put' in step) store?.put(step.put)
      else if ('add' in step) store?.add(step.add)
      else store?.delete(step.drop)
    }
    await ended
  } catch (error) {
    await Promise.allSettled([abort(transaction), ended])
    if (error instanceof DOMException && error.name === 'QuotaExceededError')
      throw new Error('There is no room left on this device: this was not kept. Connect and sync, or free some space.', { cause: error })
    throw error
  }
}

const endOf = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new DOMException('The write was given up.', 'AbortError')))
  })

async function abort(transaction: WriteTx): Promise<void> {
  // It throws when the browser aborted the transaction already, which is what is wanted.
  transaction.abort()
}

/** Opens one person's database of one company. */
export async function openDatabase(name: string): Promise<Database> {
  let connection: Promise<Db> | null = null
  const connect = (): Promise<Db> => {
    connection ??= open(name, () => {
      connection = null
    })
    return connection
  }
  async function withRetry<T>(run: (db: Db) => Promise<T>): Promise<T> {
    try {
      return await run(await connect())
    } catch (error) {
      if (!isLostConnection(error)) throw error
      connection = null
      return run(await connect())
    }
  }
  await connect()
  return {
    name,
    read: withRetry,
    commit: async (steps) => {
      if (steps.length === 0) return
      const stores = storeNames.filter((store) => steps.some((step) => step.in === store))
      await withRetry((db) => runSteps(db.transaction(stores, 'readwrite', { durability: 'strict' }), steps))
    },
    close: () => {
      void connection?.then((db) => db.close())
      connection = null
    },
  }
}
