import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { FileShelf } from './types.ts'

export interface S3Options {
  /** Address of an S3-compatible store; left out for AWS itself. */
  endpoint?: string | undefined
  region?: string | undefined
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** Files in a bucket of an S3-compatible store. */
export function s3Shelf({ endpoint, region = 'us-east-1', bucket, accessKeyId, secretAccessKey }: S3Options): FileShelf & { close(): void } {
  const client = new S3Client({
    region, credentials: { accessKeyId, secretAccessKey },
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Stores other than AWS do not all know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return {
    async put(path, key, size) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: createReadStream(path), ContentLength: size }))
      await rm(path, { force: true })
    },
    async open(key, range) {
      try {
        const found = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }))
        const whole = Number(found.ContentRange?.split('/')[1] ?? found.ContentLength ?? 0)
        return { body: found.Body as Readable, size: whole }
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    },
    remove: async (key) => void (await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))),
    close: () => client.destroy(),
  }
}
