import type { Log } from '@outpost/platform/log'
import type { Relay } from '@outpost/platform/relay'

/** Collects changed ids by company, for a moment, while somebody watches that company. */
export interface ChangeBatches {
  note(companyId: string, ids: Iterable<string>): void
  /** Companies that are watched. */
  followed(): string[]
  /** Sends what is left. */
  close(): Promise<void>
}

export interface ChangeBatchOptions {
  relay: Pick<Relay, 'subscribe'>
  /** Names the watched companies. */
  topic: 'geo.followed' | 'geo.eventsFollowed'
  log: Log
  everyMs: number
  now: () => number
  /** A rejected batch is repeated with the next one. */
  send(companyId: string, ids: readonly string[]): Promise<void>
}

/** The server repeats a company every ten seconds while somebody watches it. */
const watchedMs = 30_000

/** Sends collected ids at a limited rate: changes within a moment go in one message. */
export function createChangeBatches({ relay, topic, log, everyMs, now, send }: ChangeBatchOptions): ChangeBatches {
  const changed = new Map<string, Set<string>>()
  const named = new Map<string, number>()
  let sending = Promise.resolve()
  let isSending = false
  // A watcher from before this process started has not been announced to it yet.
  const startedAt = now()
  const isFollowed = (company: string) => Math.max(startedAt, named.get(company) ?? 0) + watchedMs > now()
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
    sending = sendAll().finally(() => {
      isSending = false
    })
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
