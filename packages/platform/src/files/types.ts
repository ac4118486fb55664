import type { Readable } from 'node:stream'

/** Bytes that arrived and wait to be looked at: kept under a key, or thrown away. */
export interface ReceivedFile {
  /** Where the bytes are on this machine until then. */
  path: string
  size: number
  sha256: Buffer
  /** Puts the file into the store and gives its random key. Stops with NO_SPACE when it does not fit. */
  keep(): Promise<string>
  discard(): Promise<void>
}

export interface ByteRange { start: number, end: number }
export interface OpenFile { body: Readable, size: number }

/** Files by random key, on local disk or in an S3-compatible store; names and types stand in the database. */
export interface FileStore {
  /** Takes a stream in. Stops with TOO_LARGE beyond maxBytes, NO_SPACE on a full disk; a cut stream leaves nothing. */
  receive(body: Readable, limits: { maxBytes: number }): Promise<ReceivedFile>
  /** An empty place for a file that is written here, by path; the writer then keeps or discards it. */
  draft(): Promise<{ path: string, finish(): Promise<ReceivedFile>, discard(): Promise<void> }>
  /** Undefined when there is no file under the key. */
  open(key: string, range?: ByteRange): Promise<OpenFile | undefined>
  remove(key: string): Promise<void>
  /** Removes what interrupted uploads left behind; gives their number. */
  sweep(olderThanMs: number): Promise<number>
}

/** Where finished files live. */
export interface FileShelf {
  put(path: string, key: string, size: number): Promise<void>
  open(key: string, range?: ByteRange): Promise<OpenFile | undefined>
  remove(key: string): Promise<void>
}

/** Keys are made by us; anything else never reaches a disk or a bucket. */
export const isFileKey = (key: string) => /^[0-9a-f]{48}$/.test(key)
