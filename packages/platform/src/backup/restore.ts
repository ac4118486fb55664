import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { appendFile, chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { listBackups } from './keep.ts'
import type { BackupStore } from './store.ts'
import type { Backup } from './take.ts'

export interface RestoreOptions {
  store: BackupStore
  /** An empty or missing folder; Postgres starts on it afterwards. */
  to: string
  /** The moment to go back to; default: as far as the WAL goes. */
  at?: Date | undefined
}

/** Folder beside the data in which the WAL waits for the recovery. */
const walFolder = 'restored_wal'

/**
 * Lays down a data directory from the newest fitting backup with all WAL after it. Postgres 18 recovers by itself when it is started on
 * it: to the end of the WAL, or to `at`. Throws when the store holds no backup from before, or a part is not what was stored.
 */
export async function restoreBackup({ store, to, at }: RestoreOptions): Promise<Backup> {
  const backups = await listBackups(store)
  const backup = backups.findLast(({ endedAt }) => at === undefined || Date.parse(endedAt) <= at.getTime())
  if (!backup) throw new Error(at ? `There is no backup from before ${at.toISOString()}` : 'There is no finished backup')
  await mkdir(to, { recursive: true, mode: 0o700 })
  if ((await readdir(to)).length > 0) throw new Error(`${to} is not empty: restore into a new folder`)
  await chmod(to, 0o700)
  await unpack(readParts(store, backup), to)
  await mkdir(join(to, walFolder), { mode: 0o700 })
  for (const key of (await store.list('wal')).filter((one) => isNeeded(one, backup))) {
    const body = await store.open(key)
    if (!body) throw new Error(`${key} has gone from the store`)
    await pipeline(body, createGunzip(), createWriteStream(join(to, walFolder, key.slice('wal/'.length, -'.gz'.length))))
  }
  await appendFile(join(to, 'postgresql.auto.conf'), recoverySettings(at))
  await writeFile(join(to, 'recovery.signal'), '')
  return backup
}

function recoverySettings(at: Date | undefined): string {
  const target = at ? [`recovery_target_time = '${at.toISOString().replace('Z', '+00')}'`, `recovery_target_action = 'promote'`] : []
  // Paths are relative to the data directory, wherever that is moved to.
  return ['', `restore_command = 'cp "${walFolder}/%f" "%p"'`, `recovery_target_timeline = 'latest'`, ...target, ''].join('\n')
}

function isNeeded(key: string, { firstSegment }: Backup): boolean {
  const name = key.slice('wal/'.length)
  return name.includes('.history') || name.slice(8, 24) >= firstSegment.slice(8)
}

async function* readParts(store: BackupStore, { parts }: Backup): AsyncGenerator<Buffer> {
  for (const { key, sha256 } of parts) {
    const body = await store.open(key)
    if (!body) throw new Error(`${key} has gone from the store`)
    const hash = createHash('sha256')
    for await (const chunk of body as AsyncIterable<Buffer>) {
      hash.update(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== sha256) throw new Error(`${key} is not what was stored: its checksum differs`)
  }
}

async function unpack(chunks: AsyncIterable<Buffer>, to: string): Promise<void> {
  // -i: it reads to the very end, so that no part goes unchecked because the archive was complete before.
  const tar = spawn('tar', ['-x', '-i', '-f', '-', '-C', to], { stdio: ['pipe', 'ignore', 'pipe'] })
  let words = ''
  tar.stderr.on('data', (chunk: Buffer) => (words = `${words}${chunk.toString()}`.slice(-2_000)))
  const ended = new Promise<number | null>((done, refuse) => tar.once('error', refuse).once('close', done))
  const failure = await pipeline(chunks, createGunzip(), tar.stdin).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => {
      tar.kill()
      return error
    },
  )
  const code = await ended
  // A pipe that closed says nothing; tar says why it went away.
  if (failure && !['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(failure.code ?? '')) throw failure
  if (failure || code !== 0) throw new Error(`The backup could not be unpacked: ${words.trim()}`, { cause: failure })
}
