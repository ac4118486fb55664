import type { Log } from '@outpost/platform/log'
import type { GeoPools } from '@outpost/platform/db/pool'
import { longSilence } from '../fences/track.ts'
import { packWeeks } from './packing.ts'
import { deleteExpiredRows, longestRetention, readRetention } from './retention.ts'

export interface HousekeepingOptions {
  pools: GeoPools
  log: Log
  /** Positions older than this are deleted for companies that have not chosen otherwise; 0 keeps all. */
  keepDays: number
}

const day = 86_400_000
const hour = 3_600_000
const minute = 60_000

/**
 * Creates the coming weekly partitions and deletes the old ones, at start and every day; packs ended weeks every hour; every minute
 * updates what becomes untrue by time alone.
 */
export async function startHousekeeping(options: HousekeepingOptions): Promise<{ stop(): Promise<void> }> {
  const { pools, log } = options
  await makePartitions(pools.ingest)
  const end = new AbortController()
  let forgetting: Promise<unknown> = Promise.resolve()
  const forget = () =>
    (forgetting = forgetting
      .then(() => deleteExpired(options, end.signal))
      .catch((error: unknown) => log.warn({ err: error }, 'old positions stay for now')))
  void forget()
  const often = every(minute, log, () => sweep(pools.ingest))
  const daily = every(day, log, async () => {
    await makePartitions(pools.ingest)
    await forget()
  })
  const packing = every(hour, log, () => packWeeks(pools.ingest, { now: Date.now(), signal: end.signal }))
  return {
    async stop() {
      clearInterval(often)
      clearInterval(daily)
      clearInterval(packing)
      end.abort()
      await forgetting
    },
  }
}

/** Eight weeks ahead, and five back for buffered positions; safe in several processes at once. */
async function makePartitions(pool: GeoPools['ingest']): Promise<void> {
  await pool.query(`select geo.ensure_partitions(now() - interval '5 weeks', now() + interval '8 weeks')`)
}

/** Drops the weeks that no company needs any more, then deletes what single companies no longer keep. */
export async function deleteExpired({ pools, log, keepDays }: HousekeepingOptions, signal?: AbortSignal): Promise<void> {
  const keeping = await readRetention(pools.ingest, keepDays)
  const longest = longestRetention(keeping, keepDays)
  if (longest > 0) await pools.ingest.query(`select geo.drop_partitions(now() - make_interval(days => $1))`, [longest])
  const forgotten = await deleteExpiredRows(pools.geo, { keeping, longest, now: Date.now(), ...(signal ? { signal } : {}) })
  if (forgotten.positions + forgotten.others > 0) log.info(forgotten, 'forgotten by the wish of their companies')
}

/** As in Traccar: after ten minutes without a frame a device is neither online nor offline. */
const silentDevices = `update geo.device d set "status" = 'unknown', "statusAt" = now() from geo.device_health h
  where d."status" = 'online' and h."companyId" = d."companyId" and h."deviceId" = d."id" and h."lastFrameAt" < now() - interval '10 minutes'`

/** The state of a device at its fences is trusted until a gap begins. */
const staleFenceStates = `update geo.fence_state set "isStale" = true where not "isStale" and "asOf" < now() - make_interval(secs => ${longSilence / 1_000})`

/** A reaction that the server has not taken up an hour after its time never will be: its own retries end within minutes. */
const abandonedReactions = `update geo.reaction set "state" = 'failed', "result" = 'The server did not take it up.', "endedAt" = now()
  where "state" = 'waiting' and "type" <> 'webhook' and "nextAt" < now() - interval '1 hour'`

/** Marks silent devices and their fence states as unknown, and abandoned reactions as failed. */
export async function sweep(pool: GeoPools['ingest']): Promise<void> {
  for (const text of [silentDevices, staleFenceStates, abandonedReactions]) await pool.query(text)
}

function every(ms: number, log: Log, run: () => Promise<unknown>): NodeJS.Timeout {
  const timer = setInterval(() => void run().catch((error: unknown) => log.warn({ err: error }, 'housekeeping waits')), ms)
  timer.unref()
  return timer
}
