import type { Log } from '@outpost/platform/log'
import type { Relay } from '@outpost/platform/relay'

/** Ids that changed, by company, gathered for a moment while somebody watches that company. */
export interface ChangeBatches {
  note(companyId: string, ids: Iterable<string>): void
  /** Companies that are named as watched. */
  followed(): string[]
  /** Hands on what is left. */
  close(): Promise<void>
}

export interface ChangeBatchOptions {
  relay: Pick<Relay, 'subscribe'>
  /** Names the companies somebody watches. */
  topic: 'geo.followed' | 'geo.eventsFollowed'
  log: Log
  everyMs: number
  now: () => number
  /** What it rejects comes again with the next turn. */
  send(companyId: string, ids: readonly string[]): Promise<void>
}

/** The server names a company every ten seconds while somebody watches it. */
const followedMs = 30_000

/** Hands on what was noted at most once in a while: what changes within a moment goes in one message. */
export function createChangeBatches({ relay, topic, log, everyMs, now, send }: ChangeBatchOptions): ChangeBatches {
  const changed = new Map<string, Set<string>>()
  const named = new Map<string, number>()
  let sending = Promise.resolve()
  let isSending = false
  // Who watched before this process started has not been named to it yet.
  const startedAt = now()
  const isFollowed = (company: string) => Math.max(startedAt, named.get(company) ?? 0) + followedMs > now()
  const add = (companyId: string, ids: Iterable<string>) => {
    const known = changed.get(companyId) ?? new Set()
    for (const id of ids) known.add(id)
    changed.set(companyId, known)
  }
  const stop = relay.subscribe(topic, ({ companyIds }) => {
    for (const company of companyIds) named.set(company, now())
  })
  const sendAll = async () => {
    const due = [...changed]
    changed.clear()
    for (const [companyId, ids] of due) {
      await send(companyId, [...ids]).catch((error: unknown) => {
        log.warn({ err: error, topic }, 'live messages wait')
        add(companyId, ids)
      })
    }
  }
  const timer = setInterval(() => {
    if (isSending || changed.size === 0) return
    isSending = true
    sending = sendAll().finally(() => { isSending = false })
  }, everyMs)
  timer.unref()
  return {
    note(companyId, ids) {
      if (isFollowed(companyId)) add(companyId, ids)
    },
    followed: () => [...named.keys()].filter(isFollowed),
    close: async () => {
      clearInterval(timer)
      stop()
      await sending
      await sendAll()
    },
  }
}
