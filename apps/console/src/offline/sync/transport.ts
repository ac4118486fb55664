import type { ChangeRecord, PullAnswer, PushAnswer } from '@outpost/contract/sync/protocol'
import { readPullPage, type PullPage } from '@outpost/contract/sync/pull'
import { pullPageSize, syncProtocol } from '@outpost/contract/sync/limits'
import { api, ApiError } from '../../data/api.ts'
import { call, pathOf } from '../../data/calls.ts'
import { setServerNow } from '../../session/token.ts'
import type { ClassifyFileError, SendFile, WaitingFile } from './files.ts'
import type { KindAdditions } from '../kinds.ts'
import type { LogSummary } from '../store/log.ts'
import type { Refusal } from './loop-ports.ts'
import type { Attention } from '../store/shapes.ts'
import { newPace, portionSizes, sendPortions, type Arrived } from './portions.ts'

/** What a device says of itself with each push. */
export interface Report {
  summary: LogSummary
  deviceId: string
  persisted: boolean
  /** Why the last cycle did not succeed. */
  lastError: string | null
  /** Refused changes that its person has to decide on. */
  attention: number
}

/** POST /api/sync/push: one verdict a change. Throws ApiError. */
export async function push(changes: ChangeRecord[], { summary, deviceId, persisted, lastError, attention }: Report): Promise<PushAnswer> {
  const { data } = await api.post<PushAnswer>(
    pathOf('sync.push'),
    {
      protocol: syncProtocol,
      deviceId,
      clientNow: new Date().toISOString(),
      pendingCount: summary.count,
      pendingFiles: summary.files,
      oldestPendingAt: summary.oldest,
      persisted,
      maxClientSeq: summary.maxClientSeq,
      storeId: summary.storeId,
      appVersion: import.meta.env.VITE_VERSION ?? 'dev',
      lastError: lastError?.slice(0, 300) ?? null,
      attentionCount: attention,
      changes,
    },
    { isBare: true, isPackable: true },
  )
  if (!Array.isArray(data.results)) throw new Error('The server answered the push without verdicts.')
  setServerNow(data.serverNow)
  return data
}

/** GET /api/sync/pull: one page of changes since the cursor; given up when the signal aborts. Throws ApiError. */
export async function pull(cursor: string | null, signal: AbortSignal): Promise<PullAnswer> {
  const { data } = await api.get<PullPage>(pathOf('sync.pull'), { cursor, limit: pullPageSize }, { isBare: true, signal })
  if (!Array.isArray(data.changes) || typeof data.cursor !== 'string') throw new Error('The server answered the pull without a page.')
  return readPullPage(data)
}

/** Tells the office of a change that the server could not take. */
export async function postDeadLetter({ change, message }: Attention): Promise<void> {
  await call('sync.keepDeadLetters', {
    body: { deviceId: change.deviceId, envelopes: [change], reason: message || 'The server failed on it again and again.' },
  })
}

/** Reads what a call threw. */
export function refusalOf(error: unknown): Refusal | null {
  return error instanceof ApiError
    ? { status: error.status, message: error.message, ...(error.retryAfterMs ? { retryAfterMs: error.retryAfterMs } : {}) }
    : null
}

/** Told of a file on its way: how many bytes the office has. */
export type FileProgress = (file: WaitingFile, sent: number) => void

/** The way a file goes: stored under its own id, at once or in portions, then tied to its record; all of it is harmless twice. Throws ApiError. */
export const fileSender =
  (additions: KindAdditions, onProgress: FileProgress = () => undefined): SendFile =>
  async (file, bytes) => {
    const { id, name, mime, sha256, ownerType, ownerId } = file
    const told = { sha256, ownerType, ownerId }
    if (bytes.byteLength > portionSizes.first) await sendInPortions(file, bytes, onProgress)
    else {
      const form = new FormData()
      form.append('file', new Blob([bytes], { type: mime }), name)
      await api.post(pathOf('storage.upload'), form, { query: { id, ...told } })
    }
    await additions[ownerType]?.attach?.({ ownerId, id })
  }

/** What the line carries, as the last portions found it. */
const line = newPace()

interface PortionsData {
  received: number
  file?: object
}
const arrivedOf = ({ data: { received, file } }: { data: PortionsData }): Arrived => ({ received, isStored: file !== undefined })

function sendInPortions(file: WaitingFile, bytes: ArrayBuffer, onProgress: FileProgress): Promise<void> {
  const { id, name, sha256, ownerType, ownerId, size } = file
  const path = pathOf('storage.portions', { id })
  return sendPortions(
    bytes,
    {
      look: async () => arrivedOf(await api.get<PortionsData>(path)),
      put: async ({ offset, bytes: body, timeoutMs }) =>
        arrivedOf(await api.put<PortionsData>(path, body, { query: { offset, size, name, sha256, ownerType, ownerId }, timeoutMs })),
      receivedIn: (error) => {
        const received = error instanceof ApiError ? error.details?.received : undefined
        return typeof received === 'number' ? received : undefined
      },
      now: () => Date.now(),
      onProgress: (sent) => onProgress(file, sent),
    },
    line,
  )
}

/** No answer or no session stops the round; a busy server is asked again later; anything else is the server's last word. */
export const classifyFileError: ClassifyFileError = (error) => {
  if (!(error instanceof ApiError) || error.status === 0 || error.status === 401) return 'stop'
  return error.status >= 500 || error.status === 429 ? 'later' : { refusal: error.message }
}
