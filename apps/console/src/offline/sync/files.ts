import { partition } from 'es-toolkit/array/partition'
import { maxFileBytes, maxFilesBytes } from '@outpost/rules/sync/sync-timing'
import type { Core } from '../store/core.ts'
import type { Step } from '../store/database.ts'
import type { FileRow } from '../store/shapes.ts'
import { portionSizes } from './portions.ts'

/** A file as it is given to the store: its bytes are copied at once, a picked file is only a lazy handle. */
export interface NewFile {
  /** Given where a record names its file; a new one else. */
  id?: string
  name: string
  mime: string
  bytes: ArrayBuffer
  ownerType: string
  ownerId: string
}
/** A waiting file without its bytes, and its state. */
export interface WaitingFile extends Omit<FileRow, 'bytes'> {
  state: 'ready' | 'waits' | 'held' | 'refused'
}
/** What sends one file; throws what the API throws. Twice is once: the id is the file's own. */
export type SendFile = (file: WaitingFile, bytes: ArrayBuffer) => Promise<void>
/** What a thrown error means for a file: the server will not have it, or it comes again later. */
export type ClassifyFileError = (error: unknown) => { refusal: string } | 'later' | 'stop'

/** Rows for files, sealed and hashed; everything slow happens before the write. Fails when the device has no room left. */
export async function fileRows(core: Core, files: readonly NewFile[]): Promise<FileRow[]> {
  const held = (await allRows(core)).reduce((sum, row) => sum + row.size, 0)
  const added = files.reduce((sum, file) => sum + file.bytes.byteLength, 0)
  if (files.some((file) => file.bytes.byteLength > maxFileBytes))
    throw new Error('The photo is too large. Take it again with a lower resolution.')
  if (held + added > maxFilesBytes || (await isNearlyFull(added)))
    throw new Error('There is no room for more photos on this device. Connect and let those be sent that wait.')
  return Promise.all(
    files.map(async ({ bytes, id = crypto.randomUUID(), ...file }): Promise<FileRow> => {
      return {
        ...file,
        id,
        size: bytes.byteLength,
        sha256: await sha256(bytes),
        at: new Date().toISOString(),
        attempts: 0,
        bytes: await core.sealFile(id, bytes),
      }
    }),
  )
}

async function isNearlyFull(added: number): Promise<boolean> {
  const storage = typeof navigator === 'undefined' ? undefined : (navigator.storage as StorageManager | undefined)
  const { quota = 0, usage = 0 } = (await storage?.estimate?.()) ?? {}
  return quota > 0 && usage + added * 2 > quota
}

export async function sha256(bytes: ArrayBuffer): Promise<string> {
  return [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const allRows = (core: Core): Promise<FileRow[]> => core.db.read((db) => db.getAll('blobs'))

/** The change that takes a refused one's place, and the record that it is about. */
export interface NextChange {
  changeId: string
  ownerId: string
}

/** Steps that make the files of a change follow another one, or go with it. */
export async function followSteps(core: Core, changeId: string, next: NextChange | null): Promise<Step[]> {
  const rows = (await allRows(core)).filter((row) => row.changeId === changeId)
  return rows.map((row) => (next === null ? { in: 'blobs', drop: row.id } : { in: 'blobs', put: { ...row, ...next } }))
}

/** Keeps files of an entity; they follow its newest change that the server has not taken yet, if there is one. */
export function addFiles(core: Core, files: readonly NewFile[]): Promise<void> {
  return core.exclusive(async () => {
    const rows = await fileRows(core, files)
    const steps = await Promise.all(
      rows.map(async (row): Promise<Step> => {
        const changeId = (await core.pendingOf(row.ownerType, row.ownerId)).at(-1)?.changeId
        return { in: 'blobs', put: changeId === undefined ? row : { ...row, changeId } }
      }),
    )
    await core.db.commit(steps)
    core.touch({ type: 'file' })
  })
}

/** All waiting files, oldest first. */
export async function waitingFiles(core: Core): Promise<WaitingFile[]> {
  const rows = (await allRows(core)).toSorted((a, b) => a.at.localeCompare(b.at))
  return Promise.all(
    rows.map(async ({ bytes: _bytes, ...row }) => ({
      ...row,
      state: row.refusal === undefined ? await stateOf(core, row.changeId) : ('refused' as const),
    })),
  )
}

async function stateOf(core: Core, changeId: string | undefined): Promise<WaitingFile['state']> {
  if (changeId === undefined) return 'ready'
  const [waits, refused] = await core.db.read((db) =>
    Promise.all([db.getFromIndex('log', 'changeId', changeId), db.get('attention', changeId)]),
  )
  if (waits) return 'waits'
  return refused ? 'held' : 'ready'
}

export async function fileBytes(core: Core, id: string): Promise<ArrayBuffer | undefined> {
  const row = await core.db.read((db) => db.get('blobs', id))
  return row && core.openFile(id, row.bytes)
}

/** Files of one portion on their way together: on a line with long answers most of the time of each is waiting. */
const together = 4

/**
 * Sends the files whose changes were taken, small ones some at a time, large ones by themselves; a file leaves the device only when the
 * server has confirmed it. One that is refused stays for a person to decide and stops nobody. What is written meanwhile goes first: the
 * other files follow in the cycle after it. Gives how many could not be sent.
 */
export async function sendFiles(core: Core, send: SendFile, judge: ClassifyFileError): Promise<number> {
  const written = await changesIn(core)
  const ready = (await waitingFiles(core)).filter(({ state }) => state === 'ready')
  const [small, large] = partition(ready, ({ size }) => size <= portionSizes.first)
  let [failed, isStopped] = [0, false]
  // Lanes take the next file as soon as they are free, so that the line carries one while another is answered.
  const lane = async (queue: Iterator<WaitingFile>): Promise<void> => {
    for (let next = queue.next(); !next.done && !isStopped; next = queue.next()) {
      if ((await changesIn(core)) > written) return
      try {
        // Added after the wait: other lanes count meanwhile.
        if ((await sendOne(core, next.value, { send, judge })) === 'later') failed += 1
      } catch (error) {
        isStopped = true
        throw error
      }
    }
  }
  for (const [files, lanes] of [[small, together] as const, [large, 1] as const]) {
    const queue = files.values()
    const ended = await Promise.allSettled(Array.from({ length: lanes }, () => lane(queue)))
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }
  return failed
}

/** Throws what must stop all others. */
async function sendOne(
  core: Core,
  file: WaitingFile,
  { send, judge }: { send: SendFile; judge: ClassifyFileError },
): Promise<'done' | 'later'> {
  const bytes = await fileBytes(core, file.id)
  if (!bytes) return 'done'
  let outcome: 'done' | 'later' = 'done'
  try {
    await send(file, bytes)
    await core.exclusive(() => core.db.commit([{ in: 'blobs', drop: file.id }]))
  } catch (error) {
    const verdict = judge(error)
    if (verdict === 'stop') throw error
    if (verdict === 'later') outcome = 'later'
    await change(core, file.id, { attempts: file.attempts + 1, ...(verdict === 'later' ? {} : verdict) })
  }
  core.touch({ type: 'file' })
  return outcome
}

const changesIn = (core: Core): Promise<number> => core.db.logCount()

function change(core: Core, id: string, parts: Partial<FileRow>): Promise<void> {
  return core.exclusive(async () => {
    const row = await core.db.read((db) => db.get('blobs', id))
    if (row) await core.db.commit([{ in: 'blobs', put: { ...row, ...parts } }])
  })
}

/** Tries a refused file again at the next cycle. */
export async function retryFile(core: Core, id: string): Promise<void> {
  await change(core, id, { refusal: undefined })
  core.touch({ type: 'file' })
}

export async function dropFile(core: Core, id: string): Promise<void> {
  await core.exclusive(() => core.db.commit([{ in: 'blobs', drop: id }]))
  core.touch({ type: 'file' })
}
