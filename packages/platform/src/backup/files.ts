import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FilePlace } from './places.ts'
import type { BackupStore } from './store.ts'

/** Uploaded files lie as files/<key> in the store; gone/<ms>-<key> says since when one is no longer in use. */
const nameOf = (key: string) => `files/${key}`
const goneName = /^gone\/(\d+)-([0-9a-f]{48})$/

export interface FileShipper {
  /** Brings the store to what lies in the place; returns how many files were added and how many, gone for `keepDays`, removed. */
  ship(now: number): Promise<{ added: number; removed: number }>
}

interface ShipperOptions {
  /** Where the uploaded files are in use. */
  place: FilePlace
  store: BackupStore
  workDir: string
  keepDays: number
}

/**
 * Copies uploaded files into the store. Their keys are random and their bytes never change, so a key that is there is done. A file that was removed
 * stays for `keepDays`: whoever goes back to a moment of these finds it. The store is listed once; after that it is known what lies there.
 */
export function fileShipper({ place, store, workDir, keepDays }: ShipperOptions): FileShipper {
  let known: { stored: Set<string>; gone: Map<string, number> } | undefined
  let listedAt = Number.NEGATIVE_INFINITY
  return {
    async ship(now) {
      if (now - listedAt < place.listedEveryMs) return { added: 0, removed: 0 }
      known ??= await readStore(store)
      const { stored, gone } = known
      const here = await place.keys()
      let added = 0
      for (const key of here) {
        if (stored.has(key)) continue
        // Removed while we were on our way to it: nothing to keep.
        if (!(await place.read(key, (path) => store.put(nameOf(key), path)))) continue
        stored.add(key)
        added += 1
      }
      await markGone({ store, workDir, stored, gone, here: new Set(here), now, place })
      listedAt = now
      return { added, removed: await removeOld({ store, stored, gone, before: now - keepDays * 86_400_000 }) }
    },
  }
}

async function readStore(store: BackupStore): Promise<{ stored: Set<string>; gone: Map<string, number> }> {
  const gone = (await store.list('gone')).flatMap((name): [string, number][] => {
    const [, ms, key] = goneName.exec(name) ?? []
    return ms === undefined || key === undefined ? [] : [[key, Number(ms)]]
  })
  return { stored: new Set((await store.list('files')).map((name) => name.slice('files/'.length))), gone: new Map(gone) }
}

interface Marks {
  place: FilePlace
  store: BackupStore
  workDir: string
  stored: ReadonlySet<string>
  gone: Map<string, number>
  here: ReadonlySet<string>
  now: number
}

/** Notes files that are no longer in the folder, and takes the note back of those that are there again. */
async function markGone({ store, workDir, stored, gone, here, now, place }: Marks): Promise<void> {
  const left = [...stored].filter((key) => !here.has(key) && !gone.has(key))
  // A place that lost everything at once is more likely the wrong one, or not mounted, than empty.
  if (here.size === 0 && left.length > 0)
    throw new Error(`${place.name} is empty, and ${left.length} of them are in the backups: ${place.doubt}`)
  const mark = await mkdtemp(join(workDir, 'outpost-gone-'))
  try {
    await writeFile(join(mark, 'gone'), '')
    for (const key of left) {
      await store.put(`gone/${now}-${key}`, join(mark, 'gone'))
      gone.set(key, now)
    }
  } finally {
    await rm(mark, { recursive: true, force: true })
  }
  for (const [key, ms] of gone) {
    if (!here.has(key)) continue
    await store.remove(`gone/${ms}-${key}`)
    gone.delete(key)
  }
}

async function removeOld({
  store,
  stored,
  gone,
  before,
}: {
  store: BackupStore
  stored: Set<string>
  gone: Map<string, number>
  before: number
}) {
  let count = 0
  for (const [key, ms] of gone) {
    if (ms > before) continue
    await store.remove(nameOf(key))
    await store.remove(`gone/${ms}-${key}`)
    stored.delete(key)
    gone.delete(key)
    count += 1
  }
  return count
}

/**
 * Lays the files down that were in use at a moment (default: the newest); returns how many. A folder must be new; in a bucket what is there stays, for the
 * bytes behind a key never change.
 */
export async function restoreFiles({ store, to, at }: { store: BackupStore; to: FilePlace; at?: Date | undefined }): Promise<number> {
  const there = new Set(await to.keys())
  if (there.size > 0 && !to.isFilledUp) throw new Error(`${to.name} holds files: restore into a new folder`)
  const { stored, gone } = await readStore(store)
  const moment = at?.getTime() ?? Number.POSITIVE_INFINITY
  let count = 0
  for (const key of stored) {
    if (there.has(key) || (gone.get(key) ?? Number.POSITIVE_INFINITY) < moment) continue
    const body = await store.open(nameOf(key))
    if (!body) throw new Error(`${nameOf(key)} has gone from the store`)
    await to.write(key, body)
    count += 1
  }
  return count
}

/** The SHA-256 of a stored file in hex; undefined when it is not in the store. */
export async function storedHash(store: BackupStore, key: string): Promise<string | undefined> {
  const body = await store.open(nameOf(key))
  if (!body) return undefined
  const hash = createHash('sha256')
  for await (const chunk of body as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}
