import { setTimeout as wait } from 'node:timers/promises'
import { openOutgoing, type Outgoing } from '@outpost/platform/outgoing'
import type { Fix } from '../../positions/fix.ts'
import { readTraccarPosition } from './position.ts'
import {
  parseDevices,
  parseDrivers,
  parseFences,
  parseGroups,
  type ParsedList,
  type TraccarDevice,
  type TraccarDriver,
  type TraccarFence,
  type TraccarGroup,
} from './records.ts'

export interface TraccarAccess {
  /** Address of the server, without /api. */
  url: string
  /** A token of one of its users; else e-mail and password. */
  login: { token: string } | { email: string; password: string }
  /**
   * The outgoing client; default: the operator's, which may reach private addresses. Pass one that checks addresses for addresses that
   * users name.
   */
  outgoing?: Outgoing
  /** First pause before a failed call is retried; there are three tries. */
  retryMs?: number
}

/** One time window of a device's history, which its reader commits as a whole; both ends in epoch milliseconds. */
export interface RouteWindow {
  from: number
  to: number
  fixes: Fix[]
  unreadable: number
}

export interface TraccarClient {
  devices(): Promise<ParsedList<TraccarDevice>>
  fences(): Promise<ParsedList<TraccarFence>>
  /** Ids (as text) of the fences that watch a device or all devices of a group. */
  fencesOf(of: { deviceId: number } | { groupId: number }): Promise<string[]>
  drivers(): Promise<ParsedList<TraccarDriver>>
  groups(): Promise<ParsedList<TraccarGroup>>
  /** The positions of a device from `from` to `to`, oldest window first; the next window is requested when the last one was consumed. */
  route(traccarId: number, from: number, to: number): AsyncGenerator<RouteWindow>
  /** Also aborts running calls. */
  close(): Promise<void>
}

export type TraccarFault = 'unreachable' | 'forbidden' | 'answer' | 'tooMuch'
/** The reason why a Traccar server could not be read, in words for the operator. */
export type TraccarError = Error & { fault: TraccarFault }

/** Of the outgoing client for Traccar servers. */
export const traccarLimits = { connections: 2, limitMs: 60_000, maxResponseSize: 67_108_864 }

const day = 86_400_000
/** Answers of this size are assumed to be truncated (Traccar's report.maxPositions). */
const maxPositions = 50_000
const minWindow = 60_000
const maxTries = 3

/** A client of a Traccar server's REST API: its records (import) and its devices' history (gap repair). */
export function traccarClient(access: TraccarAccess): TraccarClient {
  const outgoing = access.outgoing ?? openOutgoing({ reach: 'operator', ...traccarLimits })
  const read = (path: string, query: Record<string, string> = {}) => readList({ retryMs: 1_000, ...access }, outgoing, path, query)
  return {
    devices: async () => parseDevices(await read('/api/devices')),
    fences: async () => parseFences(await read('/api/geofences')),
    fencesOf: async (of) =>
      parseFences(
        await read('/api/geofences', Object.fromEntries(Object.entries(of).map(([key, value]) => [key, String(value)]))),
      ).rows.map(({ traccarId }) => String(traccarId)),
    drivers: async () => parseDrivers(await read('/api/drivers')),
    groups: async () => parseGroups(await read('/api/groups')),
    route: (traccarId, from, to) =>
      readRoute(
        (start, end) =>
          read('/api/reports/route', { deviceId: String(traccarId), from: new Date(start).toISOString(), to: new Date(end).toISOString() }),
        from,
        to,
      ),
    close: async () => {
      if (!access.outgoing) await outgoing.destroy()
    },
  }
}

/** Windows of a day, halved while they hold more than the server returns at once, and enlarged again. */
async function* readRoute(read: (from: number, to: number) => Promise<unknown[]>, from: number, to: number): AsyncGenerator<RouteWindow> {
  let size = day
  for (let start = from; start < to;) {
    const end = Math.min(start + size, to)
    const list = await read(start, end).catch((error: unknown) =>
      (error as TraccarError).fault === 'tooMuch' && size > minWindow ? null : Promise.reject(error),
    )
    if (list === null || (list.length >= maxPositions && size > minWindow)) {
      size = Math.max(minWindow, Math.ceil(Math.min(size, end - start) / 2))
      continue
    }
    const positions = list.map(readTraccarPosition)
    const fixes = positions.flatMap((one) => ('fix' in one ? [one.fix] : []))
    yield { from: start, to: end, fixes, unreadable: positions.length - fixes.length }
    start = end
    size = Math.min(day, size * 2)
  }
}

type Settings = Required<Pick<TraccarAccess, 'retryMs'>> & TraccarAccess

async function readList(settings: Settings, outgoing: Outgoing, path: string, query: Record<string, string>): Promise<unknown[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readOnce(settings, outgoing, path, query)
    } catch (error) {
      const failure = asFailure(error)
      if (failure.fault !== 'unreachable' || attempt === maxTries || isClosed(error)) throw failure
      await wait(settings.retryMs * 2 ** (attempt - 1))
    }
  }
}

async function readOnce({ url, login }: Settings, outgoing: Outgoing, path: string, query: Record<string, string>): Promise<unknown[]> {
  const address = new URL(`${url.replace(/\/+$/, '')}${path}`)
  if (!/^https?:$/.test(address.protocol)) throw failure('answer', 'The address of a Traccar server begins with http:// or https://')
  for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value)
  const authorization =
    'token' in login ? `Bearer ${login.token}` : `Basic ${Buffer.from(`${login.email}:${login.password}`).toString('base64')}`
  const { statusCode, body } = await outgoing.request(address, {
    headers: { authorization, accept: 'application/json' },
  })
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
  // A window that exceeds the server's report.periodLimit or has too many positions.
  if (status === 400 || status === 413) return failure('tooMuch', `The Traccar server refused the request (${status})`)
  if (status === 429 || status >= 500) return failure('unreachable', `The Traccar server is in trouble (${status})`)
  return failure('answer', `This is no Traccar server, or an unknown address of it (${status})`)
}

function asFailure(error: unknown): TraccarError {
  if (error instanceof Error && 'fault' in error) return error as TraccarError
  if ((error as { code?: unknown } | null)?.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return failure('tooMuch', 'The answer is larger than 64 MiB')
  if (error instanceof SyntaxError) return failure('answer', 'The server did not answer with JSON')
  return failure('unreachable', 'The Traccar server does not answer')
}

const isClosed = (error: unknown) => ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'].includes(String((error as { code?: unknown } | null)?.code))

const failure = (fault: TraccarFault, message: string): TraccarError => Object.assign(new Error(message), { fault })
