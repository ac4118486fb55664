import type { Readable } from 'node:stream'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { fail, failField } from '@outpost/contract/errors'
import { pgErrorKind } from '@outpost/platform/db/errors'
import type { FileStore, ReceivedFile } from '@outpost/platform/files/types'
import { allowedType, isOfExtension, plainName } from './file-types.ts'

/** What an upload route takes; left out: ten files of 25 MiB each, of every type that may be stored. */
export interface UploadLimits {
  files?: number
  /** Bytes of one file. */
  maxBytes?: number
  /** Extensions without the dot. */
  types?: readonly string[]
}

/** A file of a form: it has arrived whole, and its type is known by its content. */
export interface UploadedFile {
  fieldName: string
  /** Without what a path or a header could not carry. */
  name: string
  mimeType: string
  size: number
  sha256: Buffer
  /** Puts the bytes into the store and gives their key; asked again, the same. They go again when the call fails. */
  keep(): Promise<string>
  /** Throws the bytes away. */
  drop(): Promise<void>
}

/** The fields of a form as text (several of one name as a list) and its files. */
export interface Form {
  fields: Record<string, string | string[]>
  files: readonly UploadedFile[]
}

export const largestFile = 26_214_400
const maxFiles = 10
const maxFields = 100

/** Limits of an upload route with nothing left out. */
export const limitsOf = (upload: true | UploadLimits): Required<Pick<UploadLimits, 'files' | 'maxBytes'>> & UploadLimits => ({
  files: maxFiles,
  maxBytes: largestFile,
  ...(upload === true ? {} : upload),
})

/**
 * Runs a call with the form that came with it. All of it is taken in before the call runs, so that fields may follow files.
 * What a call that fails had stored is removed again, what it did not store is thrown away. Errors: TOO_MANY_FILES,
 * TOO_LARGE, UNSUPPORTED_TYPE, NO_SPACE, INVALID for an empty file.
 */
export async function withForm<Result>(
  request: FastifyRequest,
  upload: true | UploadLimits | undefined,
  { store, run }: { store: FileStore; run: (form?: Form) => Promise<Result> },
): Promise<Result> {
  if (!upload || request.isMultipart?.() !== true) return run()
  const files: StoredUpload[] = []
  try {
    const fields = await receiveParts(request, { limits: limitsOf(upload), store, files })
    const result = await run({ fields, files })
    await Promise.all(files.map((file) => file.discard()))
    return result
  } catch (error) {
    // Whether a transaction was committed is not known when the database went away: then rows may name the bytes.
    const isUnknown = pgErrorKind(error) === 'unreachable'
    await Promise.all(files.map((file) => (isUnknown ? file.discard() : file.drop())))
    throw error
  }
}

/** Takes in all parts; the files go into the given list, so that whoever stops on the way can remove them. */
async function receiveParts(
  request: FastifyRequest,
  { limits, store, files }: { limits: ReturnType<typeof limitsOf>; store: FileStore; files: StoredUpload[] },
): Promise<Form['fields']> {
  const fields = new Map<string, string[]>()
  let count = 0
  // One more of each than is taken: the one too many is seen here and has a name.
  for await (const part of request.parts({
    limits: { files: limits.files + 1, fields: maxFields + 1, parts: limits.files + maxFields + 2, fileSize: limits.maxBytes },
  })) {
    if (part.type === 'file') {
      if (files.length === limits.files)
        fail('TOO_MANY_FILES', {
          message: limits.files === 1 ? 'Send one file at a time.' : `Send ${limits.files} files at a time at most.`,
        })
      files.push(await receiveFile(store, part, limits))
    } else {
      count += 1
      if (count > maxFields || part.valueTruncated || part.fieldnameTruncated) fail('TOO_LARGE')
      fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), textOf(part)])
    }
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]))
}

const textOf = ({ fieldname, value }: MultipartValue): string =>
  typeof value === 'string' ? value : failField(fieldname, 'must be a string')

/** A received file that is neither kept nor thrown away yet: `discard` throws away what was not kept. */
export interface StoredUpload extends UploadedFile {
  discard(): Promise<void>
}

async function receiveFile(
  store: FileStore,
  { fieldname, filename, file }: MultipartFile,
  { maxBytes, types }: UploadLimits & { maxBytes: number },
): Promise<StoredUpload> {
  const received = await store.receive(file as Readable, { maxBytes })
  try {
    // A body cut at the limit of the multipart reader looks whole to everybody behind it.
    if (file.truncated) fail('TOO_LARGE')
    if (received.size === 0) failField(fieldname, 'is empty')
    if (types && !isOfExtension(filename, types))
      fail('UNSUPPORTED_TYPE', { message: `Only files of these types are taken: ${types.join(', ')}.` })
    return await uploadOf(received, { fieldName: fieldname, name: filename, store })
  } catch (error) {
    await received.discard()
    throw error
  }
}

/** A file that has arrived whole, whichever way; its type is looked at. UNSUPPORTED_TYPE, and the bytes are gone. */
export async function uploadOf(
  received: ReceivedFile,
  { fieldName, name, store }: { fieldName: string; name: string; store: FileStore },
): Promise<StoredUpload> {
  try {
    const mimeType = (await allowedType(received.path, name)) ?? fail('UNSUPPORTED_TYPE')
    let key: Promise<string> | undefined
    return {
      fieldName,
      name: plainName(name),
      mimeType,
      size: received.size,
      sha256: received.sha256,
      keep: () => (key ??= received.keep()),
      drop: async () =>
        key === undefined
          ? received.discard()
          : key.then(
              (kept) => store.remove(kept),
              () => undefined,
            ),
      discard: async () => (key === undefined ? received.discard() : undefined),
    }
  } catch (error) {
    await received.discard()
    throw error
  }
}
