import { parseArgs } from 'node:util'
import { restoreFiles } from '@outpost/platform/backup/files'
import { folderPlace } from '@outpost/platform/backup/places'
import { listBackups } from '@outpost/platform/backup/keep'
import { restoreBackup } from '@outpost/platform/backup/restore'
import type { BackupStore } from '@outpost/platform/backup/store'
import { holderOf } from '@outpost/platform/db/lock'
import { withDatabase } from '@outpost/platform/db/roles'
import { readSecrets } from '@outpost/platform/db/secrets'
import { bucketOfFiles, filesOf, readBackupSettings, storeOf, type BackupSettings } from './backup/settings.ts'
import { backupRound, runDrill, watchBackups } from './backup/watch.ts'
import { withEmbedded } from './target.ts'

const usage = `npm run backup                                    a base backup now, and the WAL since the last one
npm run backup -- watch                           for ever: WAL as it comes, base backups and drills when they are due
npm run backup -- list                            what there is
npm run backup -- drill                           restores the newest into a temporary place and compares it with the database
npm run backup -- restore <folder> [--at <time>]  lays down a data directory, on which Postgres 18 recovers by itself
npm run backup -- files <folder> [--at <time>]    lays down the uploaded files: the server's DATA_DIR/files
npm run backup -- files bucket [--at <time>]      puts back those that the bucket of files lacks`

/** Backs the database up, proves it, and restores it; settings are those of backup.env.example. */
async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { at: { type: 'string' } }, allowPositionals: true })
  const [command = 'now', folder] = positionals
  const settings = readBackupSettings()
  const store = storeOf(settings)
  if (!store) throw new Error('BACKUP_DIR: name a folder for backups, or a bucket by BACKUP_S3_BUCKET')
  const files = filesOf(settings, store)
  const say = (line: string) => console.log(line)
  if (command === 'now')
    return withDatabaseOf(settings, (url) => backUpNow({ settings: { ...settings, BACKUP_DRILL_DAYS: 0 }, store, url, say, files }))
  if (command === 'watch') return withDatabaseOf(settings, (url) => watchBackups({ settings, store, url, say, files }, endSignal()))
  if (command === 'drill')
    return withDatabaseOf(settings, async (url) => say(await runDrill({ settings, store, url, files, at: new Date() })))
  if (command === 'list') return list(store)
  if (command === 'restore' && folder) return restore(store, folder, values.at)
  if (command === 'files' && folder) {
    const to = folder === 'bucket' ? bucketOfFiles(settings) : folderPlace(folder)
    if (!to) throw new Error('BACKUP_FILES_S3_BUCKET: names the bucket of files')
    return say(`${await restoreFiles({ store, to, at: momentOf(values.at) })} files were laid down in ${to.name}`)
  }
  throw new Error(`Usage:\n${usage}`)
}

async function backUpNow(watch: Parameters<typeof backupRound>[0]): Promise<void> {
  const failures = await backupRound({ ...watch, settings: { ...watch.settings, BACKUP_EVERY_HOURS: 0 } })
  if (failures.length > 0) process.exitCode = 1
}

async function list(store: BackupStore): Promise<void> {
  const backups = await listBackups(store)
  const wal = await store.list('wal')
  if (backups.length === 0) console.log('There is no backup')
  for (const { name, takenAt, endedAt, parts } of backups) {
    const size = parts.reduce((sum, part) => sum + part.size, 0)
    console.log(`${name}  ${takenAt} to ${endedAt}  ${(size / 1e6).toFixed(1)} MB`)
  }
  console.log(`${wal.length} files of WAL${wal.length > 0 ? `, the last ${wal.at(-1)}` : ''}`)
}

async function restore(store: BackupStore, to: string, at: string | undefined): Promise<void> {
  const { name, takenAt } = await restoreBackup({ store, to, at: momentOf(at) })
  console.log(
    `${to} holds the backup ${name} of ${takenAt} and the WAL after it. Give it to the user of Postgres 18 and start Postgres on it.`,
  )
}

function momentOf(at: string | undefined): Date | undefined {
  const moment = at === undefined ? undefined : new Date(at)
  if (moment && Number.isNaN(moment.getTime())) throw new Error('--at: is a time like 2026-11-25T10:00:00Z')
  return moment
}

/** The database of the settings; else the embedded one, which is started when it does not run. */
async function withDatabaseOf({ DATABASE_URL, DATA_DIR: dataDir }: BackupSettings, use: (url: string) => Promise<void>): Promise<void> {
  if (DATABASE_URL) return use(DATABASE_URL)
  if ((await holderOf(dataDir)) === undefined) return withEmbedded({ dataDir }, ({ adminUrl }) => use(withDatabase(adminUrl, 'outpost')))
  const { postgresPassword, postgresPort } = await readSecrets(dataDir)
  return use(`postgres://postgres:${postgresPassword}@127.0.0.1:${postgresPort}/outpost`)
}

function endSignal(): AbortSignal {
  const end = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => end.abort())
  return end.signal
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
