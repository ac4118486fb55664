import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openS3, type S3Options } from '../files/s3.ts'
import { isFileKey } from '../files/types.ts'

/** Where uploaded files are in use: the server's folder or its bucket. Keys are random, the bytes behind one never change. */
export interface FilePlace {
  /** For messages. */
  name: string
  /** What to ask oneself when it is empty all at once. */
  doubt: string
  /** How long a list of it is good enough; a bucket of a million files is listed by a thousand calls. */
  listedEveryMs: number
  /** What is on its way, or is no file of ours, is none. */
  keys(): Promise<string[]>
  /** Calls use with the path of the bytes; false when the file has gone meanwhile. */
  read(key: string, use: (path: string) => Promise<void>): Promise<boolean>
  write(key: string, body: Readable): Promise<void>
  /** Whether what lies there already may stay when files are laid down; a folder must be new. */
  isFilledUp: boolean
}

/** Files as files/disk.ts lays them. */
export function folderPlace(folder: string): FilePlace {
  const pathOf = (key: string) => join(folder, key.slice(0, 2), key)
  return {
    name: `the folder of files ${folder}`,
    doubt: 'is it mounted?',
    listedEveryMs: 0,
    isFilledUp: false,
    async keys() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
        // Made with the first upload.
        if (error.code === 'ENOENT') return []
        throw error
      })
      return entries.filter((entry) => entry.isFile() && isFileKey(entry.name)).map(({ name }) => name)
    },
    async read(key, use) {
      try {
        await use(pathOf(key))
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
        throw error
      }
    },
    async write(key, body) {
      await mkdir(join(folder, key.slice(0, 2)), { recursive: true, mode: 0o700 })
      await pipeline(body, createWriteStream(pathOf(key), { mode: 0o600, flush: true }))
    },
  }
}

/** Files as files/s3.ts puts them: the key is the name of the object. */
export function bucketPlace(options: S3Options, workDir: string): FilePlace {
  const { bucket: Bucket } = options
  let opening: ReturnType<typeof openS3> | undefined
  const store = () => (opening ??= openS3(options))
  const throughFile = async <Result>(fill: (path: string) => Promise<Result>): Promise<Result> => {
    const folder = await mkdtemp(join(workDir, 'outpost-file-'))
    return fill(join(folder, 'bytes')).finally(() => rm(folder, { recursive: true, force: true }))
  }
  return {
    name: `the bucket of files ${Bucket}`,
    doubt: 'is it the right one?',
    listedEveryMs: 300_000,
    isFilledUp: true,
    async keys() {
      const { client, sdk } = await store()
      const keys: string[] = []
      for (let ContinuationToken: string | undefined; ;) {
        const page = await client.send(new sdk.ListObjectsV2Command({ Bucket, ContinuationToken }))
        for (const { Key } of page.Contents ?? []) if (Key !== undefined && isFileKey(Key)) keys.push(Key)
        ContinuationToken = page.NextContinuationToken
        if (!ContinuationToken) return keys
      }
    },
    async read(key, use) {
      const { client, sdk } = await store()
      try {
        const found = await client.send(new sdk.GetObjectCommand({ Bucket, Key: key }))
        await throughFile(async (path) => {
          await pipeline(found.Body as Readable, createWriteStream(path, { mode: 0o600 }))
          if (found.ContentLength !== undefined && (await stat(path)).size !== found.ContentLength) throw new Error(`${key} came in part`)
          await use(path)
        })
        return true
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return false
        throw error
      }
    },
    async write(key, body) {
      const { client, sdk } = await store()
      await throughFile(async (path) => {
        await pipeline(body, createWriteStream(path, { mode: 0o600 }))
        const { size } = await stat(path)
        await client.send(new sdk.PutObjectCommand({ Bucket, Key: key, Body: createReadStream(path), ContentLength: size }))
      })
    },
  }
}
