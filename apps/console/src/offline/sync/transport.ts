import type { ChangeRecord, PullAnswer, PushAnswer } from '@outpost/contract/sync'
import { readPullPage, type PullPage } from '@outpost/contract/sync-pull'
import { pullPageSize, syncProtocol } from '@outpost/contract/sync-limits'
import { api, ApiError } from '../../data/api.ts'
import { call, pathOf } from '../../data/calls.ts'
import type { ClassifyFileError, SendFile } from './files.ts'
import type { KindAdditions } from '../kinds.ts'
import type { LogSummary } from '../store/log.ts'
import type { Refusal } from './loop.ts'
import type { Attention } from '../store/shapes.ts'

/** POST /api/sync/push: one verdict a change. Throws ApiError. */
export async function push(
  changes: ChangeRecord[],
  { summary, deviceId, persisted }: { summary: LogSummary; deviceId: string; persisted: boolean },
): Promise<PushAnswer> {
  const { data } = await api.post<PushAnswer>(
    pathOf('sync.push'),
    {
      protocol: syncProtocol,
      deviceId,
      clientNow: new Date().toISOString(),
      pendingCount: summary.count,
      oldestPendingAt: summary.oldest,
      persisted,
      maxClientSeq: summary.maxClientSeq,
      storeId: summary.storeId,
      appVersion: import.meta.env.VITE_VERSION ?? 'dev',
      changes,
    },
    { isBare: true },
  )
  if (!Array.isArray(data.results)) throw new Error('The server answered the push without verdicts.')
  return data
}

/** GET /api/sync/pull: one page of changes since the cursor. Throws ApiError. */
export async function pull(cursor: string | null): Promise<PullAnswer> {
  const { data } = await api.get<PullPage>(pathOf('sync.pull'), { cursor, limit: pullPageSize }, { isBare: true })
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

/** The way a file goes: stored under its own id, then tied to its record; both are harmless twice. Throws ApiError. */
export const fileSender =
  (additions: KindAdditions): SendFile =>
  async ({ id, name, mime, sha256, ownerType, ownerId }, bytes) => {
    const form = new FormData()
    form.append('file', new Blob([bytes], { type: mime }), name)
    await api.post(pathOf('storage.upload'), form, { query: { id, sha256, ownerType, ownerId }, timeoutMs: 180_000 })
    await additions[ownerType]?.attach?.({ ownerId, id })
  }

/** No answer or no session stops the round; a busy server is asked again later; anything else is the server's last word. */
export const classifyFileError: ClassifyFileError = (error) => {
  if (!(error instanceof ApiError) || error.status === 0 || error.status === 401) return 'stop'
  return error.status >= 500 || error.status === 429 ? 'later' : { refusal: error.message }
}
