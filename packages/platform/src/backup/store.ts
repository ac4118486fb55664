import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { openS3, type S3Options } from '../files/s3.ts'

/** Where backups lie: a folder (another disc, a mounted share) or a bucket. Keys are paths with slashes. */
export interface BackupStore {
  /** Stores the file at `path` whole or not at all. */
  put(key: string, path: string): Promise<void>
  /** Undefined when there is none. */
  open(key: string): Promise<Readable | undefined>
  /** Keys under a prefix, sorted. */
  list(prefix: string): Promise<string[]>
  remove(key: string): Promise<void>
}

/** Backups in a folder of this machine. */
export function folderStore(folder: string): BackupStore {
  const place = (key: string) => join(folder, ...key.split('/'))
  return {
    async put(key, path) {
      await mkdir(dirname(place(key)), { recursive: true, mode: 0o700 })
      const unfinished = `${place(key)}.part`
      await copyFile(path, unfinished)
      const handle = await open(unfinished, 'r')
      await handle.sync().finally(() => handle.close())
      await rename(unfinished, place(key))
    },
    open: async (key) => ((await exists(place(key))) ? createReadStream(place(key)) : undefined),
    async list(prefix) {
      const names = await readdir(place(prefix), { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      return names
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
        .sort()
    },
    remove: (key) => rm(place(key), { force: true }),
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Backups in a bucket of an S3-compatible store; keys begin with `prefix`. */
export function bucketStore({ prefix = '', ...options }: S3Options & { prefix?: string }): BackupStore {
  const { bucket: Bucket } = options
  let opening: ReturnType<typeof openS3> | undefined
  const store = () => (opening ??= openS3(options))
  const nameOf = (key: string) => (prefix === '' ? key : `${prefix}/${key}`)
  return {
    async put(key, path) {
      const { client, sdk } = await store()
      const { size } = await stat(path)
      await client.send(new sdk.PutObjectCommand({ Bucket, Key: nameOf(key), Body: createReadStream(path), ContentLength: size }))
    },
    async open(key) {
      const { client, sdk } = await store()
      try {
        return (await client.send(new sdk.GetObjectCommand({ Bucket, Key: nameOf(key) }))).Body as Readable
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined
        throw error
      }
    },
    async list(prefixOfKeys) {
      const { client, sdk } = await store()
      const keys: string[] = []
      for (let ContinuationToken: string | undefined; ;) {
        const page = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: `${nameOf(prefixOfKeys)}/`, ContinuationToken }))
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key.slice(nameOf('').length))
        ContinuationToken = page.NextContinuationToken
        if (!ContinuationToken) return keys.sort()
      }
    },
    async remove(key) {
      const { client, sdk } = await store()
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: nameOf(key) }))
    },
  }
}
