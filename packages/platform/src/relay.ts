import type { LiveEvent } from '@outpost/contract/geo/events'
import type { LivePosition } from '@outpost/contract/geo/calls'
import { createPostgresRelayBackend, Relay as BullRelay, type RelayMessage } from 'bullmq'
import { randomUUID } from 'node:crypto'
import { secondsHistogram } from './http/metrics.ts'
import type { Log } from './log.ts'
import { postgresConnection, redisConnection, type QueueStore } from './queue.ts'
import { startWithRetry, type Startable, type Started } from './start-with-retry.ts'

/**
 * Messages between processes, at least once while both live. For receivers that can recover from a loss (a list asks again, a socket is
 * checked each 5 s anyway). Not for effects: those go through the outbox.
 */
export interface Relay {
  /** Delivered at once in this process and within milliseconds in the others. Never throws; a lost bus is logged. */
  publish<Topic extends RelayTopic>(topic: Topic, data: RelayTopics[Topic]): void
  /** Returns a function that ends the subscription. */
  subscribe<Topic extends RelayTopic>(topic: Topic, listener: (data: RelayTopics[Topic]) => void): () => void
  /** Settles when everything published so far has been sent. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Messages between processes; ids and small facts, never secrets. */
export interface RelayTopics {
  /** Rights, end or change of sessions. Without sessionId: all of the user's; without userId: all of the company's. */
  'session.changed': {
    companyId: string
    userId?: string
    sessionId?: string
    reason?: 'logout' | 'disabled' | 'expired' | 'replaced' | 'wiped'
  }
  'records.changed': {
    companyId: string
    resource: string
    ids: readonly string[]
    op: 'created' | 'updated' | 'removed'
    tenantIds: readonly string[]
    /** People from whom the rows are hidden. */
    exceptUserIds?: readonly string[]
  }
  /** A message to every socket of a user, or to one session. */
  'user.message': { companyId: string; userId: string; sessionId?: string; event: string; data: unknown }
  /** From the geo service: devices that moved or reported, each with the tenant that decides who may see it. */
  'geo.positions': { companyId: string; positions: readonly FiledPosition[] }
  /** To the geo service: somebody watches these companies; repeated every few seconds while it is so. */
  'geo.followed': { companyIds: readonly string[] }
  /** The same two for events: what happened to devices, and who watches. */
  'geo.events': { companyId: string; events: readonly FiledEvent[] }
  'geo.eventsFollowed': { companyIds: readonly string[] }
  'report.cancel': { companyId: string; runId: string }
}
/** Who may receive it: whoever reaches the tenant and, where the device is on an asset of groups, has one of these roles (by name). */
interface Filed {
  tenantId: string
  seenBy: readonly string[] | null
}
export type FiledPosition = LivePosition & Filed
export type FiledEvent = LiveEvent & Filed
export type RelayTopic = keyof RelayTopics

type Listener = (data: never) => void
interface Parcel {
  origin: string
  topic: RelayTopic
  data: unknown
  /** When it was published, in milliseconds. */
  at?: number
}

/** A relay over BullMQ, on Postgres or Redis; without a store it serves this process alone (tests, tools). */
export function createRelay(store: QueueStore | undefined, log: Log): Relay {
  const origin = randomUUID()
  const listeners = new Map<RelayTopic, Set<Listener>>()
  const leaving = new Set<Promise<unknown>>()
  const deliver = (topic: RelayTopic, data: unknown) => {
    for (const listener of listeners.get(topic) ?? []) {
      try {
        listener(data as never)
      } catch (error) {
        log.error({ err: error, topic }, 'a relay listener failed')
      }
    }
  }
  const bus = store
    ? openBus(store, log, (parcel) => {
        if (parcel.origin === origin) return
        if (parcel.at !== undefined) lag.observe(Math.max(0, Date.now() - parcel.at) / 1_000)
        deliver(parcel.topic, parcel.data)
      })
    : undefined
  return {
    publish(topic, data) {
      deliver(topic, data)
      if (!bus) return
      const parcel: Parcel = { origin, topic, data, at: Date.now() }
      const sent = bus.ready
        .then((open) => open.publish(parcel))
        .catch((error: unknown) => log.warn({ err: error, topic }, 'relay message lost'))
      leaving.add(sent)
      void sent.finally(() => leaving.delete(sent))
    },
    subscribe(topic, listener) {
      const set = listeners.get(topic) ?? new Set()
      listeners.set(topic, set.add(listener as Listener))
      return () => void set.delete(listener as Listener)
    },
    flush: async () => void (await Promise.all(leaving)),
    close: async () => void (await bus?.close()),
  }
}

const lag = secondsHistogram('relay_seconds', 'Time of messages from another process to this one')

/** Opens a bus and subscribes to it, however often its start fails. */
function openBus(store: QueueStore, log: Log, onParcel: (parcel: Parcel) => void): Started<Bus> {
  const common = { namespace: 'outpost', maxMessageSize: 262_144 }
  return startWithRetry(
    () => {
      const bus = store.redisUrl
        ? new BullRelay({ ...common, connection: redisConnection(store.redisUrl) })
        : new BullRelay({ ...common, connection: postgresConnection(store, 3), backend: createPostgresRelayBackend })
      bus.on('error', (error) => log.warn({ err: error }, 'relay'))
      return {
        waitUntilReady: () => bus.subscribe<Parcel>('outpost', (message: RelayMessage<Parcel>) => onParcel(message.data)),
        publish: (parcel: Parcel) => bus.publish('outpost', parcel),
        close: () => bus.close(),
      }
    },
    { log, name: 'relay' },
  )
}

interface Bus extends Startable {
  publish(parcel: Parcel): Promise<unknown>
}
