import type { Log } from '@outpost/platform/log'
import type { GeoPools } from '@outpost/platform/db/pool'
import { longSilence } from '../fences/track.ts'
import { packWeeks } from './packing.ts'
import { forgetOld, longestOf, readKeeping } from './retention.ts'

export interface HousekeepingOptions {
  pools: GeoPools
  log: Log
  /** Positions older than this go, of companies that have not said otherwise; 0 keeps all. */
  keepDays: number
}

const day = 86_400_000
const hour = 3_600_000
const minute = 60_000

/** Makes the weeks of positions ahead and drops the old ones, once now and then every day, packs those that have ended; each minute looks what time has made untrue. */
export async function startHousekeeping(options: HousekeepingOptions): Promise<{ stop(): Promise<void> }> {
  const { pools, log } = options
  await makePartitions(pools.ingest)
  const end = new AbortController()
  let forgetting: Promise<unknown> = Promise.resolve()
  const forget = () => (forgetting = forgetting.then(() => forgetAll(options, end.signal)).catch((error: unknown) => log.warn({ err: error }, 'old positions stay for now')))
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

/** Eight weeks ahead, and five back for buffered positions; several processes may do it at once. */
async function makePartitions(pool: GeoPools['ingest']): Promise<void> {
  await pool.query(`select geo.ensure_partitions(now() - interval '5 weeks', now() + interval '8 weeks')`)
}

/** Drops the weeks that no company wants any more, then deletes what single companies want no more. */
export async function forgetAll({ pools, log, keepDays }: HousekeepingOptions, signal?: AbortSignal): Promise<void> {
  const keeping = await readKeeping(pools.ingest, keepDays)
  const longest = longestOf(keeping, keepDays)
  if (longest > 0) await pools.ingest.query(`select geo.drop_partitions(now() - make_interval(days => $1))`, [longest])
  const forgotten = await forgetOld(pools.geo, { keeping, longest, now: Date.now(), ...(signal ? { signal } : {}) })
  if (forgotten.positions + forgotten.others > 0) log.info(forgotten, 'forgotten by the wish of their companies')
}

/** As Traccar has it: after ten minutes without a frame a device is neither here nor gone. */
const silent = `update geo.device d set "status" = 'unknown', "statusAt" = now() from geo.device_health h
  where d."status" = 'online' and h."companyId" = d."companyId" and h."deviceId" = d."id" and h."lastFrameAt" < now() - interval '10 minutes'`

/** Where a device stands to its fences is believed for as long as no hole is begun. */
const stale = `update geo.fence_state set "isStale" = true where not "isStale" and "asOf" < now() - make_interval(secs => ${longSilence / 1_000})`

/** What the server has not taken up an hour after its time it never will: its own tries end within minutes. */
const leftAlone = `update geo.reaction set "state" = 'failed', "result" = 'The server did not take it up.', "endedAt" = now()
  where "state" = 'waiting' and "type" <> 'webhook' and "nextAt" < now() - interval '1 hour'`

/** Says of devices that fell silent, and of where they stand to fences, that nobody knows, and of reactions that the server left alone that they failed. */
export async function sweep(pool: GeoPools['ingest']): Promise<void> {
  for (const text of [silent, stale, leftAlone]) await pool.query(text)
}

function every(ms: number, log: Log, run: () => Promise<unknown>): NodeJS.Timeout {
  const timer = setInterval(() => void run().catch((error: unknown) => log.warn({ err: error }, 'housekeeping waits')), ms)
  timer.unref()
  return timer
}
