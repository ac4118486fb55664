import type { ErrorAnswer, FieldError } from '@outpost/contract/errors'
import type { Envelope } from '@outpost/contract/envelope'
import { queryText } from '@outpost/client/query'
import { reportReached, reportUnreached } from './connection.ts'
import { endings, refreshSession, refusedAs } from '../session/refresh.ts'
import { t } from '../session/labels.ts'
import { getSession } from '../session/store.ts'
import { endSession, getTenantId, getToken } from '../session/token.ts'
import { takeEarlyRead } from '../session/early.ts'
import { noteRead } from './first-reads.ts'
import { isPackingRefused, noteNoPacking, packedBody } from './packed-body.ts'
import { sendForm } from './send-form.ts'
import { leaveCallCrumb } from './errors/breadcrumbs.ts'

/**
 * A call that did not succeed, in the words of the server, translated where they are known. `status` is 0 and `code` 'NETWORK' when no answer of ours came
 * (no connection, time-out, a gateway or a captive portal that answers with its own page).
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly title?: string
  readonly fields?: FieldError[]
  readonly details?: Record<string, unknown>
  readonly requestId?: string
  /** Seconds of the Retry-After header, as milliseconds. */
  readonly retryAfterMs?: number

  constructor(
    parts: Partial<Omit<ErrorAnswer, 'status' | 'code' | 'success'>> & {
      status: number
      code: string
      message: string
      retryAfterMs?: number
    },
  ) {
    super(t(parts.message))
    this.name = 'ApiError'
    this.status = parts.status
    this.code = parts.code
    this.title = parts.title === undefined ? undefined : t(parts.title)
    this.fields = parts.fields?.map((one) => ({ ...one, message: t(one.message) }))
    this.details = parts.details
    this.requestId = parts.requestId
    this.retryAfterMs = parts.retryAfterMs
  }
}

/**
 * True when there is no verdict of the server: it was not reached, something on the way answered in its place, or it says
 * itself that it can do nothing at present. The case for local data.
 */
export const isNetworkError = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.status === 408 || error.code === 'UNAVAILABLE')

/** A save that neither the server took nor this device keeps. */
export const notKept = (error: ApiError): ApiError =>
  new ApiError({ status: 0, code: 'NETWORK', message: `${error.message} Nothing was saved: this device keeps no changes.` })

export type Query = Record<string, string | number | boolean | null | undefined | object>
export interface CallOptions {
  query?: Query
  body?: unknown
  signal?: AbortSignal
  timeoutMs?: number
  headers?: Record<string, string>
  isRenewed?: boolean
  isBare?: boolean
  /** The call takes its JSON compressed. */ isPackable?: boolean
  /** Of a form: called with the share (0 to 1) that has been sent. */ onProgress?: (share: number) => void
}
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const defaultTimeoutMs = 60_000

const isBytes = (body: unknown): body is ArrayBuffer => body instanceof ArrayBuffer

function headersOf(body: unknown, extra: Record<string, string> = {}): Record<string, string> {
  const token = getToken()
  const tenantId = getTenantId()
  return {
    accept: 'application/json',
    'cache-control': 'no-cache',
    'x-ui-version': import.meta.env.VITE_VERSION ?? 'dev',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(tenantId ? { 'x-tenant-id': tenantId } : {}),
    ...(body === undefined || body instanceof FormData
      ? {}
      : { 'content-type': isBytes(body) ? 'application/octet-stream' : 'application/json' }),
    ...extra,
  }
}

const noAnswer = (message: string) => new ApiError({ status: 0, code: 'NETWORK', message })

/** Sends a body compressed where that is possible; a server or a gateway that does not take it so gets it plain at once. */
async function send(method: Method, path: string, { isPackable, ...options }: CallOptions): Promise<Response> {
  const packed = isPackable ? await packedBody(options.body) : null
  if (!packed) return sendOnce(method, path, options)
  const headers = { ...options.headers, 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const response = await sendOnce(method, path, { ...options, headers, body: packed })
  if (!isPackingRefused(response)) return response
  const plain = await sendOnce(method, path, options)
  if (plain.ok) noteNoPacking()
  return plain
}

async function sendOnce(method: Method, path: string, options: CallOptions): Promise<Response> {
  const { query, body, signal, timeoutMs = defaultTimeoutMs, headers, onProgress } = options
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    if (onProgress && body instanceof FormData)
      return await sendForm(method, path + queryText(query), {
        headers: headersOf(body, headers),
        body,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        onProgress,
      })
    const response = await fetch(path + queryText(query), {
      method,
      headers: headersOf(body, headers),
      body: body === undefined ? undefined : body instanceof FormData || isBytes(body) ? body : JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    return response
  } catch (cause) {
    if (signal?.aborted) throw cause
    reportUnreached()
    throw noAnswer(limit.aborted ? 'The server did not answer in time.' : 'The server cannot be reached.')
  }
}

/** What the server said in refusing; without its envelope the answer is somebody else's and no verdict. */
async function failureOf(response: Response): Promise<ApiError> {
  const answer = (await readJson(response)) as Partial<ErrorAnswer> | null
  if (answer?.success !== false || typeof answer.code !== 'string') {
    reportUnreached()
    return noAnswer(`Something on the way answered for the server (status ${response.status}).`)
  }
  if (answer.code === 'UNAVAILABLE') reportUnreached()
  else reportReached()
  const seconds = Number(response.headers.get('retry-after'))
  return new ApiError({
    ...answer,
    status: response.status,
    code: answer.code,
    message: answer.message ?? `The server answered with status ${response.status}.`,
    requestId: answer.requestId ?? response.headers.get('x-request-id') ?? undefined,
    ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
  })
}

const readJson = async (response: Response): Promise<unknown> =>
  response.headers.get('content-type')?.includes('json') ? response.json().catch(() => null) : null

/** Renews the session once, or uses the token that another call renewed meanwhile; false: the session is over. */
async function renew(usedToken: string | null): Promise<boolean> {
  if (getToken() !== usedToken && getToken() !== null) return true
  const outcome = await refreshSession()
  if (outcome === 'unreachable') throw noAnswer('The server cannot be reached.')
  // Also a refusal is an answer: who signs in anew does so at the office, not at this device.
  reportReached()
  return outcome === 'renewed'
}

/** After work without a connection there is a signed-in person but no token yet: it is fetched before the first call. */
async function takeToken(path: string): Promise<string | null> {
  const isWithout = getToken() === null && getSession().phase === 'in' && !path.startsWith('/api/auth/')
  if (!isWithout || (await renew(null))) return getToken()
  endSession(refusedAs())
  // Nobody is asked without a token: what the page wanted besides would only be refused one by one.
  throw new ApiError({ status: 401, code: 'SESSION_EXPIRED', message: t('Your session has ended. Sign in again.') })
}

async function call(method: Method, path: string, options: CallOptions): Promise<Response> {
  const usedToken = await takeToken(path)
  const response = await send(method, path, options)
  leaveCallCrumb(method, path, response.status)
  if (response.ok) return response
  const failure = await failureOf(response)
  const mayRenew = failure.status === 401 && usedToken !== null && !options.isRenewed && failure.code !== 'INVALID_CREDENTIALS'
  if (!mayRenew) throw failure
  const ending = endings.get(failure.code)
  if (!ending && (await renew(usedToken))) return call(method, path, { ...options, isRenewed: true })
  endSession(ending ?? refusedAs())
  throw failure
}

async function callJson<Data>(method: Method, path: string, options: CallOptions): Promise<Envelope<Data>> {
  if (method === 'GET' && !options.isBare) {
    const address = path + queryText(options.query)
    noteRead(address)
    const early = (await takeEarlyRead(address)) as Envelope<Data> | undefined
    if (early?.success === true) return early
  }
  const response = await call(method, path, options)
  if (response.status === 204) return { success: true, data: {} as Data }
  const answer = (await readJson(response)) as Envelope<Data> | null
  // The sync protocol answers without an envelope; a captive portal answers 200 with its own page, which is no answer of ours.
  const isOurs = answer !== null && (options.isBare === true || answer.success === true)
  if (!isOurs) throw foreign()
  reportReached()
  return options.isBare ? { success: true, data: answer as unknown as Data } : answer
}

function foreign(): ApiError {
  reportUnreached()
  return noAnswer('The answer did not come from the server.')
}

/** File name of a content-disposition header, or the last part of the path. */
function fileNameOf(response: Response, path: string): string {
  const header = response.headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1]
  if (encoded) return decodeURIComponent(encoded)
  return /filename="?([^";]+)"?/i.exec(header)?.[1] ?? path.split('/').at(-1) ?? 'download'
}

/** Offers bytes to the user as a file. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** The calls of the console. All answer with an envelope or throw ApiError. */
export const api = {
  get: <Data = Record<string, unknown>>(path: string, query?: Query, options: CallOptions = {}) =>
    callJson<Data>('GET', path, { ...options, query }),
  post: <Data = Record<string, unknown>>(path: string, body: unknown = {}, options: CallOptions = {}) =>
    callJson<Data>('POST', path, { ...options, body }),
  put: <Data = Record<string, unknown>>(path: string, body: unknown = {}, options: CallOptions = {}) =>
    callJson<Data>('PUT', path, { ...options, body }),
  del: <Data = Record<string, unknown>>(path: string, body?: unknown, options: CallOptions = {}) =>
    callJson<Data>('DELETE', path, { ...options, body }),
  /** Any method, for calls that a view names. */
  call: <Data = Record<string, unknown>>(method: Method, path: string, options: CallOptions = {}) => callJson<Data>(method, path, options),
  /** The bytes of a stored picture. */
  blob: async (path: string, options: Pick<CallOptions, 'signal'> = {}): Promise<Blob> => (await call('GET', path, options)).blob(),
  /** Fetches a file and hands it to the user; POST when there is a body. */
  download: async (path: string, body?: unknown): Promise<void> => {
    const response = await call(body === undefined ? 'GET' : 'POST', path, { body })
    // Files of ours have a name; a page in their place has none.
    if (!response.headers.has('content-disposition')) throw foreign()
    saveFile(await response.blob(), fileNameOf(response, path))
  },
}
