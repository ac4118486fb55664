import { setTimeout as wait } from 'node:timers/promises'
import { openOutgoing, type Outgoing } from '@outpost/platform/outgoing'
import type { Fix } from '../../positions/fix.ts'
import { readTraccarPosition } from './position.ts'
import { takeDevices, takeDrivers, takeFences, takeGroups, type Taken, type TraccarDevice, type TraccarDriver, type TraccarFence, type TraccarGroup } from './records.ts'

export interface TraccarAccess {
  /** Address of the server, without /api. */
  url: string
  /** A token of one of its users; else e-mail and password. */
  login: { token: string } | { email: string, password: string }
  /** The way out; the caller's own where addresses must be checked, else that of the operator. */
  outgoing?: Outgoing
  limitMs?: number
  /** First pause before a call that failed is tried again; it is tried three times. */
  retryMs?: number
}

/** One stretch of a device's history, committed as a whole by who reads it: both ends in epoch milliseconds. */
export interface RouteWindow { from: number, to: number, fixes: Fix[], unreadable: number }

export interface TraccarClient {
  devices(): Promise<Taken<TraccarDevice>>
  fences(): Promise<Taken<TraccarFence>>
  /** Ids (as text) of the fences that watch a device or all devices of a group. */
  fencesOf(of: { deviceId: number } | { groupId: number }): Promise<string[]>
  drivers(): Promise<Taken<TraccarDriver>>
  groups(): Promise<Taken<TraccarGroup>>
  /** The positions of a device from `from` to `to`, oldest window first; the next is asked for when the last was taken. */
  route(traccarId: number, from: number, to: number): AsyncGenerator<RouteWindow>
  /** Ends what is under way, too. */
  close(): Promise<void>
}

export type TraccarFault = 'unreachable' | 'forbidden' | 'answer' | 'tooMuch'
/** Why a Traccar server could not be read, in words for the operator. */
export type TraccarError = Error & { fault: TraccarFault }

const day = 86_400_000
/** Answers with so many are taken for cut off (Traccar's report.maxPositions). */
const mostPositions = 50_000
const mostBytes = 67_108_864
const shortestWindow = 60_000
const tries = 3

/** Reads a Traccar server through its REST API: what it knows (import), and where its devices were (gap repair). */
export function traccarClient(access: TraccarAccess): TraccarClient {
  const outgoing = access.outgoing ?? openOutgoing({ reach: 'operator', connections: 2, maxResponseSize: mostBytes })
  const read = (path: string, query: Record<string, string> = {}) => readList({ limitMs: 60_000, retryMs: 1_000, ...access }, outgoing, path, query)
  return {
    devices: async () => takeDevices(await read('/api/devices')),
    fences: async () => takeFences(await read('/api/geofences')),
    fencesOf: async (of) => takeFences(await read('/api/geofences', Object.fromEntries(Object.entries(of).map(([key, value]) => [key, String(value)])))).rows.map(({ traccarId }) => String(traccarId)),
    drivers: async () => takeDrivers(await read('/api/drivers')),
    groups: async () => takeGroups(await read('/api/groups')),
    route: (traccarId, from, to) => readRoute((start, end) => read('/api/reports/route', { deviceId: String(traccarId), from: new Date(start).toISOString(), to: new Date(end).toISOString() }), from, to),
    close: async () => { if (!access.outgoing) await outgoing.destroy() },
  }
}

/** Windows of a day, halved while they hold more than the server gives at once, and grown again. */
async function* readRoute(read: (from: number, to: number) => Promise<unknown[]>, from: number, to: number): AsyncGenerator<RouteWindow> {
  let size = day
  for (let start = from; start < to;) {
    const end = Math.min(start + size, to)
    const list = await read(start, end).catch((error: unknown) => ((error as TraccarError).fault === 'tooMuch' && size > shortestWindow ? null : Promise.reject(error)))
    if (list === null || (list.length >= mostPositions && size > shortestWindow)) {
      size = Math.max(shortestWindow, Math.ceil(Math.min(size, end - start) / 2))
      continue
    }
    const positions = list.map(readTraccarPosition)
    const fixes = positions.flatMap((one) => ('fix' in one ? [one.fix] : []))
    yield { from: start, to: end, fixes, unreadable: positions.length - fixes.length }
    start = end
    size = Math.min(day, size * 2)
  }
}

type Settings = Required<Pick<TraccarAccess, 'limitMs' | 'retryMs'>> & TraccarAccess

async function readList(settings: Settings, outgoing: Outgoing, path: string, query: Record<string, string>): Promise<unknown[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readOnce(settings, outgoing, path, query)
    } catch (error) {
      const failure = asFailure(error)
      if (failure.fault !== 'unreachable' || attempt === tries || isClosed(error)) throw failure
      await wait(settings.retryMs * 2 ** (attempt - 1))
    }
  }
}

async function readOnce({ url, login, limitMs }: Settings, outgoing: Outgoing, path: string, query: Record<string, string>): Promise<unknown[]> {
  const address = new URL(`${url.replace(/\/+$/, '')}${path}`)
  if (!/^https?:$/.test(address.protocol)) throw failure('answer', 'The address of a Traccar server begins with http:// or https://')
  for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value)
  const authorization = 'token' in login ? `Bearer ${login.token}` : `Basic ${Buffer.from(`${login.email}:${login.password}`).toString('base64')}`
  const { statusCode, body } = await outgoing.request(address, { signal: AbortSignal.timeout(limitMs), headers: { authorization, accept: 'application/json' } })
  if (statusCode !== 200) {
    await body.dump({ limit: 65_536 }).catch(() => undefined)
    throw refusalOf(statusCode)
  }
  const value: unknown = JSON.parse(await body.text())
  if (!Array.isArray(value)) throw failure('answer', 'The server answered with something else than a list')
  return value
}

function refusalOf(status: number): TraccarError {
  if (status === 401 || status === 403) return failure('forbidden', `The Traccar server refused the token or password (${status})`)
  // A window longer than its report.periodLimit or too full for it.
  if (status === 400 || status === 413) return failure('tooMuch', `The Traccar server refused the request (${status})`)
  if (status === 429 || status >= 500) return failure('unreachable', `The Traccar server is in trouble (${status})`)
  return failure('answer', `This is no Traccar server, or an unknown address of it (${status})`)
}

function asFailure(error: unknown): TraccarError {
  if (error instanceof Error && 'fault' in error) return error as TraccarError
  if ((error as { code?: unknown } | null)?.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return failure('tooMuch', 'The answer is larger than 64 MiB')
  if (error instanceof SyntaxError) return failure('answer', 'The server did not answer with JSON')
  return failure('unreachable', 'The Traccar server does not answer')
}

const isClosed = (error: unknown) => ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'].includes(String((error as { code?: unknown } | null)?.code))

const failure = (fault: TraccarFault, message: string): TraccarError => Object.assign(new Error(message), { fault })
