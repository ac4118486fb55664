import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import type { FileBackend } from './types.ts'

export interface S3Options {
  /** Address of an S3-compatible store; left out for AWS itself. */
  endpoint?: string | undefined
  region?: string | undefined
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** Files in a bucket of an S3-compatible store. */
export function s3Backend(options: S3Options): FileBackend {
  const { bucket: Bucket } = options
  // Large: loaded with the first file, and never when files are on disk.
  let opening: ReturnType<typeof openS3> | undefined
  const store = () => (opening ??= openS3(options))
  return {
    async put(path, key, size) {
      const { client, sdk } = await store()
      await client.send(new sdk.PutObjectCommand({ Bucket, Key: key, Body: createReadStream(path), ContentLength: size }))
      await rm(path, { force: true })
    },
    async open(key, range) {
      const { client, sdk } = await store()
      try {
        const part = range ? { Range: `bytes=${range.start}-${range.end}` } : {}
        const found = await client.send(new sdk.GetObjectCommand({ Bucket, Key: key, ...part }))
        return { body: found.Body as Readable, size: Number(found.ContentRange?.split('/')[1] ?? found.ContentLength ?? 0) }
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined
        throw error
      }
    },
    async remove(key) {
      const { client, sdk } = await store()
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: key }))
    },
  }
}

/** A client of the store, with the library that it is loaded from. */
export async function openS3({ endpoint, region = 'us-east-1', accessKeyId, secretAccessKey }: S3Options) {
  const sdk = await import('@aws-sdk/client-s3')
  const client: S3Client = new sdk.S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Not all stores other than AWS support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { client, sdk }
}
