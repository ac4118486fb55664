import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '@outpost/platform/log'
import type { Sender } from '../deliver.ts'
import type { Feed } from '../identity.ts'
import type { Store } from '../store.ts'
import type { TraccarDevice } from './records.ts'
import { repairGaps, type Repaired } from './repair.ts'
import type { TraccarClient } from './rest.ts'

/** Per device identity: until when (epoch milliseconds) its history is complete. */
export interface Cursors {
  read(): Promise<ReadonlyMap<string, number>>
  keep(uniqueId: string, until: number): Promise<void>
}

export interface BridgeOptions {
  client: TraccarClient
  store: Store
  cursors: Cursors
  /** The feed the server forwards into, or its token; decides which company owns the devices. */
  feed: Feed | { token: string }
  now: () => number
  log: Log
  /** How much history to read for a device that is seen for the first time. */
  historyDays: number
  /** Imports what else the server has (fences, drivers); part of a thorough run, which continues when it fails. */
  importRecords?: () => Promise<{ skipped: readonly { message: string }[] }>
  /** Called after each device, with the total number of devices. */
  onDevice?: (result: Repaired, devices: number) => Promise<void>
  signal?: AbortSignal
}

const minute = 60_000
const hour = 3_600_000
const day = 86_400_000
/** Forwarding takes this long; newer positions are not missing yet. */
const forwardingDelayMs = 2 * minute

/**
 * Reads a Traccar server once: lists unknown devices for adoption by name, and fills the history of the others from where it was
 * complete. An ordinary run looks back one hour, a thorough one two days, for devices that upload their buffer late.
 */
export async function runBridge(options: BridgeOptions, isThorough: boolean): Promise<Repaired[]> {
  const { client, store, cursors, now, historyDays, signal, log, onDevice } = options
  const sender = senderOf(options.feed)
  const to = now() - forwardingDelayMs
  const { rows, skipped } = await client.devices()
  if (skipped.length > 0) log.warn({ skipped: skipped.slice(0, 20) }, 'devices of Traccar that cannot be read')
  if (isThorough) {
    await listUnknownDevices(rows, store, sender)
    await options.importRecords?.().then(
      (taken) => log.info({ ...taken, skipped: taken.skipped.slice(0, 20) }, 'taken over from Traccar'),
      (error: unknown) => log.warn({ err: error }, 'fences and drivers of Traccar could not be taken over'),
    )
  }
  const until = await cursors.read()
  const lookBack = isThorough ? 2 * day : hour
  const devices = rows
    .filter(({ isDisabled }) => !isDisabled)
    .map((device) => {
      const known = until.get(device.uniqueId)
      return { device, since: known === undefined ? to - historyDays * day : known - lookBack }
    })
  return repairGaps(
    {
      client,
      delivery: { store, now },
      sender,
      keepCursor: (uniqueId, at) => cursors.keep(uniqueId, at),
      ...(signal ? { signal } : {}),
      ...(onDevice ? { onDevice: (result: Repaired) => onDevice(result, devices.length) } : {}),
    },
    devices,
    to,
  )
}

const senderOf = (feed: BridgeOptions['feed']): Sender => ({
  protocol: 'traccar',
  remote: null,
  isFeed: true,
  takesCommand: false,
  isHistory: true,
  ...('token' in feed ? feed : { token: null, feed }),
})

/** Passes every device to the store, which lists unknown ones with name, model and phone. */
async function listUnknownDevices(devices: readonly TraccarDevice[], store: Store, sender: Sender): Promise<void> {
  for (const { uniqueId, words } of devices) await store(uniqueId, [], { ...sender, refused: [], device: words })
}

/** Runs the bridge now (our own downtime was an outage too) and every 15 min, a thorough run once a day. */
export function startBridge(options: BridgeOptions & { everyMs?: number }): { stop(): Promise<void> } {
  const { everyMs = 15 * minute, log } = options
  const end = new AbortController()
  const perDay = Math.max(1, Math.round(day / everyMs))
  const running = (async () => {
    for (let run = 0; !end.signal.aborted; run += 1) {
      try {
        logResults(log, await runBridge({ ...options, signal: end.signal }, run % perDay === 0))
      } catch (error) {
        if (!end.signal.aborted) log.warn({ err: error }, 'the Traccar server could not be read')
      }
      await wait(everyMs, undefined, { signal: end.signal, ref: false }).catch(() => undefined)
    }
  })()
  return {
    stop: async () => {
      end.abort()
      await options.client.close()
      await running
    },
  }
}

function logResults(log: Log, results: readonly Repaired[]): void {
  const count = (outcome: Repaired['outcome']) => results.filter((one) => one.outcome === outcome).length
  const failed = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'badToken')
  log.info(
    {
      devices: results.length,
      positions: results.reduce((sum, { seen }) => sum + seen, 0),
      unknown: count('unknownDevice'),
      failed: failed.length,
    },
    'Traccar bridge',
  )
  for (const { uniqueId, outcome, message } of failed.slice(0, 10))
    log.warn({ uniqueId, outcome, message }, 'the history of a device could not be filled')
}
