import { setTimeout as wait } from 'node:timers/promises'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileShipper } from '@outpost/platform/backup/files'
import { listBackups, pruneBackups } from '@outpost/platform/backup/keep'
import { shipWal, takeBackup } from '@outpost/platform/backup/take'
import type { BackupStore } from '@outpost/platform/backup/store'
import { drillBackup } from './drill.ts'
import type { BackupSettings } from './settings.ts'

export interface Watch {
  settings: BackupSettings
  store: BackupStore
  url: string
  say(line: string): void
  /** Takes uploaded files into the backups; none where they lie in a bucket. */
  files?: FileShipper | undefined
  now?: () => number
}

/**
 * One round: takes the WAL away, then the uploaded files, so that whatever row is there has its file; a base backup when the newest is old enough, and a drill when the last is. Each fails for itself, and
 * says so; returns what failed.
 */
export async function backupRound({ settings, store, url, say, files, now = Date.now }: Watch): Promise<string[]> {
  const { BACKUP_WAL: spool, BACKUP_WORK: workDir } = settings
  const failures: string[] = []
  const step = async (name: string, run: () => Promise<string | undefined>) => {
    try {
      const line = await run()
      if (line !== undefined) say(line)
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      say(`FAILED ${failures.at(-1)}`)
    }
  }
  if (spool !== undefined)
    await step('WAL', async () => {
      const names = await shipWal({ spool, store, workDir })
      return names.length === 0 ? undefined : `WAL up to ${names.at(-1)} is in the backups`
    })
  if (files)
    await step('files', async () => {
      const { added, removed } = await files.ship(now())
      return added + removed === 0 ? undefined : `${added} files are in the backups, ${removed} old ones removed`
    })
  await step('backup', async () => {
    const newest = (await listBackups(store)).at(-1)
    if (newest && now() - Date.parse(newest.takenAt) < settings.BACKUP_EVERY_HOURS * 3_600_000) return undefined
    const backup = await takeBackup({ url, store, workDir, now: new Date(now()) })
    const gone = await pruneBackups(store, { keepDays: settings.BACKUP_KEEP_DAYS, now: now() })
    return `backup ${backup.name}, ${megabytes(backup.parts)} MB; ${gone.length} old files removed`
  })
  if (settings.BACKUP_DRILL_DAYS > 0)
    await step('drill', async () => {
      const last = (await listDrills(store)).at(-1)
      if (last !== undefined && now() - last < settings.BACKUP_DRILL_DAYS * 86_400_000) return undefined
      return runDrill({ settings, store, url, files, at: new Date(now()) })
    })
  return failures
}

/** Rounds until the signal. */
export async function watchBackups(watch: Watch, signal: AbortSignal, everyMs = 20_000): Promise<void> {
  while (!signal.aborted) {
    await backupRound(watch)
    await wait(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Drills the newest backup and keeps a note of it in the store. Throws what is wrong with the backup. */
export async function runDrill({
  settings,
  store,
  url,
  files,
  at,
}: Pick<Watch, 'settings' | 'store' | 'url' | 'files'> & { at: Date }): Promise<string> {
  const drill = await drillBackup({ store, url, workDir: settings.BACKUP_WORK, withFiles: files !== undefined })
  if (drill.problems.length > 0) throw new Error(`the backup ${drill.backup} is not good:\n  ${drill.problems.join('\n  ')}`)
  await putNote(store, settings.BACKUP_WORK, at, drill)
  const rows = drill.tables.reduce((sum, { restored }) => sum + restored, 0)
  const ofFiles = files ? `, ${drill.files} files, ${drill.filesRead} of them read` : ''
  return `drill: ${drill.backup} restores; ${drill.tables.length} tables, ${rows} rows, ${drill.auditEntries} audit entries in whole chains${ofFiles}`
}

/** Times of the drills that went well, oldest first, as milliseconds. */
export const listDrills = async (store: BackupStore): Promise<number[]> =>
  (await store.list('drills')).flatMap((key) => {
    const at = Number(/^drills\/(\d+)\.json$/.exec(key)?.[1])
    return Number.isNaN(at) ? [] : [at]
  })

async function putNote(store: BackupStore, workDir: string, at: Date, drill: object): Promise<void> {
  const folder = await mkdtemp(join(workDir, 'outpost-note-'))
  try {
    await writeFile(join(folder, 'note.json'), JSON.stringify(drill))
    await store.put(`drills/${at.getTime()}.json`, join(folder, 'note.json'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const megabytes = (parts: readonly { size: number }[]) => (parts.reduce((sum, { size }) => sum + size, 0) / 1e6).toFixed(1)
