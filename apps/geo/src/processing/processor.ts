import { availableParallelism } from 'node:os'
import type { GeoPools } from '@outpost/platform/db/pool'
import { gauge } from '@outpost/platform/http/metrics'
import type { Log } from '@outpost/platform/log'
import { processDevice } from './device.ts'
import type { DeviceRef } from './subject.ts'

export interface ProcessorOptions {
  pools: GeoPools
  log: Log
  /** Milliseconds for which messages are collected before a device is processed, and between two passes. */
  lingerMs?: number
  everyMs?: number
  /** Devices of one pass; the rest follows at once in the next. */
  maxDevices?: number
  /** Devices processed concurrently; by default half of the processors, the rest is for ingest and calls. */
  lanes?: number
}

export interface Processor {
  /** Runs one pass: processes due devices and returns their number. */
  pass(): Promise<number>
  start(): void
  /** Stops after the current devices. */
  stop(): Promise<void>
}

interface Failure {
  until: number
  times: number
}

/**
 * Turns messages into trips, stops, visits and events. Safe in several processes: a device that another process has is skipped. A
 * failing device waits longer each time, and does not delay the others.
 */
export function createProcessor({
  pools,
  log,
  lingerMs = 2_000,
  everyMs = 1_000,
  maxDevices = 200,
  lanes = Math.max(1, availableParallelism() >> 1),
}: ProcessorOptions): Processor {
  const failures = new Map<string, Failure>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isOpen = true

  async function bringUpToDate(device: DeviceRef): Promise<void> {
    try {
      await processDevice(pools.geo, device)
      failures.delete(device.deviceId)
    } catch (error) {
      const times = (failures.get(device.deviceId)?.times ?? 0) + 1
      failures.set(device.deviceId, { times, until: Date.now() + Math.min(600_000, 1_000 * 2 ** times) })
      log.error({ err: error, deviceId: device.deviceId, times }, 'device not processed')
    }
  }

  async function pass(): Promise<number> {
    const resting = [...failures].filter(([, { until }]) => until > Date.now()).map(([deviceId]) => deviceId)
    const devices = await dueDevices(pools, { lingerMs, resting, most: maxDevices })
    const queue = devices.values()
    const lane = async () => {
      for (const device of queue) if (isOpen) await bringUpToDate(device)
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    behind.set(await secondsBehind(pools))
    return devices.length
  }

  function next(ms: number): void {
    if (!isOpen) return
    timer = setTimeout(() => {
      running = look()
    }, ms)
  }
  async function look(): Promise<void> {
    const count = await pass().catch((error: unknown) => {
      log.warn({ err: error }, 'processing waits')
      return 0
    })
    next(count === maxDevices ? 0 : everyMs)
  }

  return {
    pass,
    start: () => next(everyMs),
    async stop() {
      isOpen = false
      clearTimeout(timer)
      await running
    },
  }
}

const behind = gauge('geo_processing_behind_seconds', 'For how long the oldest message waits to become trips, stops and events')

/** Those of devices that fail count too: they are the ones to look for. */
async function secondsBehind({ ingest }: GeoPools): Promise<number> {
  const { rows } = await ingest.query<{ seconds: number }>(
    `select coalesce(extract(epoch from now() - min("dateCreated")), 0)::float8 as seconds from geo.dirty`,
  )
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/** Devices with messages that have waited long enough, the longest waiting first. */
async function dueDevices(
  { ingest }: GeoPools,
  { lingerMs, resting, most }: { lingerMs: number; resting: string[]; most: number },
): Promise<DeviceRef[]> {
  const { rows } = await ingest.query<DeviceRef>(
    `select "companyId", "deviceId" from geo.dirty
    where "dateCreated" <= now() - make_interval(secs => $1::float8 / 1000) and "deviceId" <> all($2::uuid[]) order by "dateCreated" limit $3`,
    [lingerMs, resting, most],
  )
  return rows
}
