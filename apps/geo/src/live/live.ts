import { readIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import type { Log } from '@outpost/platform/log'
import type { FiledPosition, Relay } from '@outpost/platform/relay'
import type { DbContext } from '@outpost/platform/types'
import { livePositions } from './rows.ts'

/** Tells the server, and through it who watches, what devices do: what changed within a moment goes in one message. */
export interface Live {
  /** Something newer of these devices is committed. */
  note(devices: Iterable<{ companyId: string, deviceId: string }>): void
  /** Tells what is left. */
  close(): Promise<void>
}

export interface LiveOptions {
  pool: GeoPools['geo']
  relay: Pick<Relay, 'publish' | 'subscribe'>
  log: Log
  everyMs?: number
  now?: () => number
}

interface State { changed: Map<string, Set<string>>, followed: Map<string, number>, sending: Promise<void>, isSending: boolean }

/** The server names a company every ten seconds while somebody watches it. */
const followedMs = 30_000
/** The relay takes messages of up to 256 KiB. */
const mostInMessage = 500

/** Reads what is committed rather than what came in: two messages of one device may have been united, and an older one changes nothing. */
export function createLive({ pool, relay, log, everyMs = 300, now = Date.now }: LiveOptions): Live {
  const state: State = { changed: new Map(), followed: new Map(), sending: Promise.resolve(), isSending: false }
  // Who watched before this process started has not been named to it yet.
  const startedAt = now()
  const isFollowed = (company: string) => Math.max(startedAt, state.followed.get(company) ?? 0) + followedMs > now()
  const stop = relay.subscribe('geo.followed', ({ companyIds }) => {
    for (const company of companyIds) state.followed.set(company, now())
  })
  const send = async () => {
    const changed = [...state.changed]
    state.changed.clear()
    for (const [companyId, deviceIds] of changed) {
      await tell({ pool, relay }, companyId, [...deviceIds]).catch((error: unknown) => {
        log.warn({ err: error }, 'positions for the live map wait')
        add(state, companyId, deviceIds)
      })
    }
  }
  const timer = setInterval(() => {
    if (state.isSending || state.changed.size === 0) return
    state.isSending = true
    state.sending = send().finally(() => { state.isSending = false })
  }, everyMs)
  timer.unref()
  return {
    note(devices) {
      for (const { companyId, deviceId } of devices) if (isFollowed(companyId)) add(state, companyId, [deviceId])
    },
    close: async () => {
      clearInterval(timer)
      stop()
      await state.sending
      await send()
    },
  }
}

function add({ changed }: State, companyId: string, deviceIds: Iterable<string>): void {
  const known = changed.get(companyId) ?? new Set()
  for (const id of deviceIds) known.add(id)
  changed.set(companyId, known)
}

/** The server cuts it to the reach of each who watches; here the whole company is read. */
async function tell({ pool, relay }: Pick<LiveOptions, 'pool' | 'relay'>, companyId: string, deviceIds: readonly string[]): Promise<void> {
  const context: DbContext = { company: companyId, scope: '*', user: null, tenant: null }
  for (let from = 0; from < deviceIds.length; from += mostInMessage) {
    const some = deviceIds.slice(from, from + mostInMessage)
    const positions = await readIn<FiledPosition>(pool, context, livePositions(companyId, [sql`l."deviceId" = any(${some}::uuid[])`]))
    if (positions.length > 0) relay.publish('geo.positions', { companyId, positions })
  }
}
