import { deleteDB } from 'idb'
import { readDatabaseName } from './core.ts'
import { openDatabase } from './database.ts'
import { makeExclusive } from './exclusive.ts'

/** What of a store never reached the server, as far as it can be known without its key (ISO times), and the highest number it ever gave a change. */
export interface UnsentWork {
  count: number
  oldest: string | null
  newest: string | null
  maxClientSeq: number
}

/** A store was to be deleted that holds what the server never had. */
export class StoreInUseError extends Error {
  readonly work: UnsentWork
  constructor(work: UnsentWork) {
    super(`${work.count} unsent ${work.count === 1 ? 'change is' : 'changes are'} kept on this device; they are never deleted.`)
    this.work = work
  }
}

/** Names of this person's databases on this device. */
export async function storesOf(userId: string): Promise<string[]> {
  const all = await indexedDB.databases()
  return all.flatMap(({ name }) => (name !== undefined && readDatabaseName(name, userId) ? [name] : []))
}

/** Looks into a store without its key. Throws when it cannot be opened at all. */
export async function peekStore(name: string): Promise<UnsentWork> {
  const db = await openDatabase(name)
  try {
    const [log, attention, files, maxDone] = await db.read((open) =>
      Promise.all([open.getAll('log'), open.getAll('attention'), open.getAll('blobs'), open.get('meta', 'maxDone')]),
    )
    const times = [...log.map(({ dateModified }) => dateModified), ...attention.map(({ at }) => at), ...files.map(({ at }) => at)]
    return { ...span(times), count: times.length, maxClientSeq: Math.max(Number(maxDone?.value ?? 0), log.at(-1)?.clientSeq ?? 0) }
  } finally {
    db.close()
  }
}

function span(times: readonly string[]): Pick<UnsentWork, 'oldest' | 'newest'> {
  const sorted = times.toSorted()
  return { oldest: sorted[0] ?? null, newest: sorted.at(-1) ?? null }
}

/** Several stores as one. */
export const addWork = (works: readonly UnsentWork[]): UnsentWork => ({
  ...span(works.flatMap(({ oldest, newest }) => [oldest, newest].filter((time) => time !== null))),
  count: works.reduce((sum, { count }) => sum + count, 0),
  maxClientSeq: Math.max(0, ...works.map(({ maxClientSeq }) => maxClientSeq)),
})

/**
 * Deletes a database of this device. The only way there is: throws StoreInUseError when a change, a refusal or a photo in
 * it has not reached the server, whoever asks and why. Nobody can write between the look and the deletion.
 */
export async function dropStore(name: string): Promise<void> {
  await makeExclusive(name)(async () => {
    const work = await peekStore(name)
    if (work.count > 0) throw new StoreInUseError(work)
    await deleteDB(name)
  })
}
