import type { Readable } from 'node:stream'

/** A received file that waits for its check: stored under a key, or discarded. */
export interface ReceivedFile {
  /** Path of the bytes on this machine until then. */
  path: string
  size: number
  sha256: Buffer
  /** Stores the file and returns its random key. Throws NO_SPACE when it does not fit. */
  keep(): Promise<string>
  discard(): Promise<void>
}

export interface ByteRange {
  start: number
  end: number
}
export interface OpenFile {
  body: Readable
  size: number
}

/** Files by random key, on local disk or in an S3-compatible store; names and types are in the database. */
export interface FileStore {
  /** Receives a stream. Throws TOO_LARGE beyond maxBytes, NO_SPACE on a full disk; an aborted stream leaves nothing. */
  receive(body: Readable, limits: { maxBytes: number }): Promise<ReceivedFile>
  /** An empty temporary file, by path, for content that is written here; the writer then keeps or discards it. */
  draft(): Promise<{ path: string; finish(): Promise<ReceivedFile>; discard(): Promise<void> }>
  /** Undefined when there is no file under the key. */
  open(key: string, range?: ByteRange): Promise<OpenFile | undefined>
  remove(key: string): Promise<void>
  /** Removes leftovers of interrupted uploads; returns their number. */
  sweep(olderThanMs: number): Promise<number>
}

/** Storage of complete files. */
export interface FileBackend {
  put(path: string, key: string, size: number): Promise<void>
  open(key: string, range?: ByteRange): Promise<OpenFile | undefined>
  remove(key: string): Promise<void>
}

/** Only keys that we create are valid; anything else never reaches a disk or a bucket. */
export const isFileKey = (key: string) => /^[0-9a-f]{48}$/.test(key)
