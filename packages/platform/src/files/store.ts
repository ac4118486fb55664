import { Failure } from '@outpost/contract/errors'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { diskBackend } from './disk.ts'
import { isFileKey, type FileBackend, type FileStore, type ReceivedFile } from './types.ts'

export interface FileOptions {
  /** Folder for incoming files and, without a backend, for all of them. */
  folder: string
  /** Default: the folder itself. */
  shelf?: FileBackend
}

const sweepMs = 3_600_000

/** A file store. Bytes are written to a temporary file, flushed to disk, then moved: a key never has an incomplete file. */
export function createFiles({ folder, shelf = diskBackend(folder) }: FileOptions): FileStore {
  const arriving = join(folder, 'arriving')
  // Removes leftovers of killed processes within two hours; a failure is retried then. Does not keep the process alive.
  setInterval(() => void sweepFolder(arriving, sweepMs).catch(() => undefined), sweepMs).unref()
  const newPath = async () => {
    await mkdir(arriving, { recursive: true, mode: 0o700 })
    return join(arriving, `${randomBytes(16).toString('hex')}.part`)
  }
  return {
    async receive(body, { maxBytes }) {
      const path = await newPath()
      const meter = createMeter(maxBytes)
      try {
        await pipeline(body, meter.pass, createWriteStream(path, { mode: 0o600, flush: true }))
      } catch (error) {
        await rm(path, { force: true })
        throw spaceFailure(error)
      }
      return received(path, shelf, meter.result())
    },
    async draft() {
      const path = await newPath()
      return { path, discard: () => rm(path, { force: true }), finish: async () => received(path, shelf, await measure(path)) }
    },
    open: async (key, range) => (isFileKey(key) ? shelf.open(key, range) : undefined),
    remove: async (key) => (isFileKey(key) ? shelf.remove(key) : undefined),
    sweep: (olderThanMs) => sweepFolder(arriving, olderThanMs),
  }
}

function received(path: string, shelf: FileBackend, { size, sha256 }: { size: number; sha256: Buffer }): ReceivedFile {
  return {
    path,
    size,
    sha256,
    async keep() {
      const key = randomBytes(24).toString('hex')
      await shelf.put(path, key, size).catch(async (error: unknown) => {
        await rm(path, { force: true })
        throw spaceFailure(error)
      })
      return key
    },
    discard: () => rm(path, { force: true }),
  }
}

function createMeter(maxBytes: number) {
  const hash = createHash('sha256')
  let size = 0
  const pass = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) return done(new Failure('TOO_LARGE'))
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { pass, result: () => ({ size, sha256: hash.digest() }) }
}

async function measure(path: string): Promise<{ size: number; sha256: Buffer }> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path) as Readable & AsyncIterable<Buffer>) {
    size += chunk.length
    hash.update(chunk)
  }
  return { size, sha256: hash.digest() }
}

async function sweepFolder(folder: string, olderThanMs: number): Promise<number> {
  const names = await readdir(folder).catch(() => [] as string[])
  let count = 0
  for (const name of names.filter((one) => one.endsWith('.part'))) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (!found || Date.now() - found.mtimeMs < olderThanMs) continue
    await rm(join(folder, name), { force: true })
    count += 1
  }
  return count
}

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'QuotaExceeded', 'XMinioStorageFull'])

function spaceFailure(error: unknown): unknown {
  const { code, name } = error as { code?: string; name?: string }
  return fullCodes.has(code ?? '') || fullCodes.has(name ?? '') ? new Failure('NO_SPACE') : error
}
