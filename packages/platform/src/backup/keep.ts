import { text } from 'node:stream/consumers'
import type { BackupStore } from './store.ts'
import { backupFile, type Backup } from './take.ts'

/** The finished backups of a store, oldest first. Throws the name of one whose description cannot be read. */
export async function listBackups(store: BackupStore): Promise<Backup[]> {
  const keys = (await store.list('base')).filter((key) => key.endsWith('/backup.json'))
  return Promise.all(
    keys.map(async (key) => {
      const name = key.split('/')[1] ?? ''
      const body = await store.open(key)
      if (!body) throw new Error(`The backup ${name} has gone`)
      try {
        return { ...backupFile.parse(JSON.parse(await text(body))), name }
      } catch (error) {
        throw new Error(`The backup ${name} has a description that cannot be read`, { cause: error })
      }
    }),
  )
}

const day = 86_400_000

/**
 * Removes what is no longer needed to go back to any moment of the last `keepDays`: older base backups but the newest of them, WAL from
 * before the oldest one kept, and parts of backups that were never finished. Returns the keys.
 */
export async function pruneBackups(
  store: BackupStore,
  { keepDays, now = Date.now() }: { keepDays: number; now?: number },
): Promise<string[]> {
  const backups = await listBackups(store)
  const newest = backups.at(-1)
  // No backup is finished, so it is unknown which WAL is needed.
  if (!newest) return []
  const beginning = backups.findLast(({ takenAt }) => Date.parse(takenAt) <= now - keepDays * day) ?? backups[0]
  const kept = new Set(backups.filter(({ takenAt }) => takenAt >= (beginning?.takenAt ?? '')).map(({ name }) => name))
  const isGone = (key: string) => {
    const name = key.split('/')[1] ?? ''
    // A newer one without description may be on its way.
    return !kept.has(name) && name < newest.name
  }
  const bases = (await store.list('base')).filter(isGone)
  const wal = (await store.list('wal')).filter((key) => isBefore(key, beginning?.firstSegment ?? ''))
  // Descriptions first: a backup without one is none, one without parts would be a lie.
  const keys = [...bases.filter((key) => key.endsWith('.json')), ...bases.filter((key) => !key.endsWith('.json')), ...wal]
  for (const key of keys) await store.remove(key)
  return keys
}

/** Segments compare by their place in the WAL, whatever the timeline; histories of timelines stay. */
function isBefore(key: string, segment: string): boolean {
  const name = /^wal\/([0-9A-F]{24})/.exec(key)?.[1]
  return name !== undefined && name.slice(8) < segment.slice(8)
}
