import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { once } from 'node:events'
import { createGzip } from 'node:zlib'
import { z } from 'zod'
import { readBaseBackup } from '../db/cluster/base-backup.ts'
import type { BackupStore } from './store.ts'

/** What lies beside the parts of a base backup, written last: a backup without it is unfinished and counts for nothing. */
export const backupFile = z.object({
  takenAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  startLsn: z.string(),
  timeline: z.int(),
  firstSegment: z.string().regex(/^[0-9A-F]{24}$/),
  systemId: z.string(),
  version: z.int(),
  /** Pieces of one gzip stream, in order. */
  parts: z.array(z.object({ key: z.string(), size: z.int(), sha256: z.string() })).min(1),
})
export type Backup = z.infer<typeof backupFile> & { name: string }

interface TakeOptions {
  /** A superuser's URL, or that of a role with REPLICATION. */
  url: string
  store: BackupStore
  /** A folder with room for one part. */
  workDir: string
  /** Bytes of a part; S3 takes at most 5 GB at once. */
  partBytes?: number
  now?: Date
}

/** Takes a base backup into the store and returns it. An interrupted one leaves parts that the next prune removes. */
export async function takeBackup({ url, store, workDir, partBytes = 268_435_456, now = new Date() }: TakeOptions): Promise<Backup> {
  const name = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const folder = await mkdtemp(join(workDir, 'outpost-backup-'))
  try {
    const { tar, done } = readBaseBackup(url, { label: `outpost ${name}` })
    const parts: Backup['parts'] = []
    const keepParts = async (chunks: AsyncIterable<Buffer>) => {
      for await (const part of partsOf(chunks, { folder, partBytes })) {
        const key = `base/${name}/part-${String(parts.length + 1).padStart(4, '0')}.gz`
        await store.put(key, part.path)
        await rm(part.path)
        parts.push({ key, size: part.size, sha256: part.sha256 })
      }
    }
    const [position] = await Promise.all([done, pipeline(tar, createGzip({ level: 1 }), keepParts)])
    const backup = { ...position, takenAt: now.toISOString(), endedAt: new Date().toISOString(), parts }
    const path = join(folder, 'backup.json')
    await writeFile(path, `${JSON.stringify(backup, null, 2)}\n`)
    await store.put(`base/${name}/backup.json`, path)
    return { ...backup, name }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Part {
  path: string
  size: number
  sha256: string
}

/** Cuts a stream into files; each exists while it is looked at. */
async function* partsOf(chunks: AsyncIterable<Buffer>, { folder, partBytes }: { folder: string; partBytes: number }): AsyncGenerator<Part> {
  const path = join(folder, 'part')
  let file = createWriteStream(path)
  let [size, hash] = [0, createHash('sha256')]
  const close = async () => {
    file.end()
    await once(file, 'close')
  }
  for await (const chunk of chunks) {
    size += chunk.length
    hash.update(chunk)
    if (!file.write(chunk)) await once(file, 'drain')
    if (size < partBytes) continue
    await close()
    yield { path, size, sha256: hash.digest('hex') }
    file = createWriteStream(path)
    ;[size, hash] = [0, createHash('sha256')]
  }
  await close()
  if (size > 0) yield { path, size, sha256: hash.digest('hex') }
}

/** Names of files that Postgres archives: segments, histories of timelines, labels of backups. */
const archived = /^([0-9A-F]{24}|[0-9A-F]{8}\.history|[0-9A-F]{24}\.[0-9A-F]{8}\.backup)$/

/** Moves what archive_command laid down into the store, oldest first; returns the names. What fails stays for the next time. */
export async function shipWal({ spool, store, workDir }: { spool: string; store: BackupStore; workDir: string }): Promise<string[]> {
  const names = (await readSpool(spool)).filter((name) => archived.test(name)).sort()
  const folder = await mkdtemp(join(workDir, 'outpost-wal-'))
  try {
    for (const name of names) {
      const path = join(folder, name)
      await pipeline(createReadStream(join(spool, name)), createGzip({ level: 1 }), createWriteStream(path))
      await store.put(`wal/${name}.gz`, path)
      await rm(join(spool, name))
      await rm(path)
    }
    return names
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The folder is made with the first segment. */
const readSpool = (spool: string): Promise<string[]> =>
  readdir(spool).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
