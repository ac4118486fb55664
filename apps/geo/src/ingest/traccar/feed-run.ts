import type { GeoPools } from '@outpost/platform/db/pool'
import type { Log } from '@outpost/platform/log'
import type { Feed, Identities } from '../identity.ts'
import type { Store } from '../store.ts'
import { runBridge } from './bridge.ts'
import { createCursors, feedPrefix } from './cursors.ts'
import { endLease, noProgress, readProgress, renewLease, type Progress } from './progress.ts'
import type { Repaired } from './repair.ts'
import type { TraccarClient } from './rest.ts'
import { importDevices } from './import-devices.ts'
import { importLinks, type Fleet } from './import-links.ts'
import { importRecords } from './import-records.ts'

export interface FeedRun {
  feed: Feed
  client: TraccarClient
  /** Host of the server; distinguishes the records of two servers. */
  server: string
  historyDays: number
  /** Also registers the server's devices, and reads everything. */
  isImport: boolean
  pool: GeoPools['geo']
  store: Store
  identities: Pick<Identities, 'forget'>
  now: () => number
  log: Log
  signal: AbortSignal
}

const minute = 60
const day = 86_400_000
const maxSkipped = 100

/** Seconds until the next run: a quarter of an hour, less after a failure. */
export const secondsToNextRun = (failures: number): number => Math.min(15 * minute, failures === 0 ? 15 * minute : 30 * 2 ** (failures - 1))

/** Reads a Traccar server once: registers the devices that an import requests, fills gaps, and records its progress. */
export async function runFeed(run: FeedRun): Promise<Progress> {
  const { feed, pool, now, log } = run
  const before = await readProgress(pool, feed)
  // A run that crashed or was stopped during an import leaves that state behind.
  const isImport = run.isImport || (['running', 'interrupted'].includes(before.state) && before.kind === 'import')
  const startedAt = new Date(now()).toISOString()
  const isThorough = isImport || before.thoroughAt === null || now() - Date.parse(before.thoroughAt) > day
  const progress: Progress = {
    ...noProgress,
    state: 'running',
    kind: isImport ? 'import' : 'repair',
    startedAt,
    thoroughAt: before.thoroughAt,
    failures: before.failures,
  }
  const end = new AbortController()
  const abort = () => end.abort()
  run.signal.addEventListener('abort', abort, { once: true })
  try {
    await renewOrAbort(run, progress, end)
    const fleet = isImport ? await importFleet(run, progress) : null
    await runBridge(
      {
        ...run,
        feed,
        cursors: cursorsOf(run, progress, end),
        onDevice: (result, devices) => note(run, progress, { result, devices, end }),
        importRecords: () => importRecordsOf(run, progress, fleet),
        signal: end.signal,
      },
      isThorough,
    )
    const isWhole = !end.signal.aborted
    Object.assign(
      progress,
      isWhole
        ? { state: 'done', failures: 0, ...(isThorough ? { thoroughAt: startedAt } : {}) }
        : { state: 'interrupted', message: 'The service was stopped; it goes on by itself.' },
    )
  } catch (error) {
    log.warn({ err: error, feedId: feed.feedId }, 'the Traccar server of a feed could not be read')
    Object.assign(progress, {
      state: 'failed',
      failures: progress.failures + 1,
      message: error instanceof Error ? error.message : String(error),
    })
  } finally {
    run.signal.removeEventListener('abort', abort)
  }
  progress.endedAt = new Date(now()).toISOString()
  await endLease(pool, feed, progress, progress.state === 'interrupted' ? 0 : secondsToNextRun(progress.failures))
  return progress
}

async function renewOrAbort({ pool, feed }: FeedRun, progress: Progress, end: AbortController): Promise<void> {
  if (!(await renewLease(pool, feed, progress))) end.abort()
}

/** A history of months is one device, so every stored piece of it renews the lease. */
function cursorsOf(run: FeedRun, progress: Progress, end: AbortController) {
  const cursors = createCursors(run.pool, async () => run.feed.companyId, feedPrefix(run.feed.feedId))
  return {
    read: cursors.read,
    keep: async (uniqueId: string, until: number) => {
      await cursors.keep(uniqueId, until)
      await renewOrAbort(run, progress, end)
    },
  }
}

async function importFleet({ pool, feed, client, server, identities }: FeedRun, progress: Progress): Promise<Fleet> {
  const [devices, groups] = [await client.devices(), await client.groups()]
  const { made, skipped } = await importDevices(pool, { feed, server, devices, groups })
  identities.forget(made)
  progress.made.devices = made.length
  skip(progress, skipped)
  return { devices: devices.rows, groups: groups.rows }
}

async function importRecordsOf({ pool, feed, client, server }: FeedRun, progress: Progress, fleet: Fleet | null) {
  try {
    const taken = await importRecords(client, { pool, feed, server })
    Object.assign(progress.made, { fences: taken.fences, drivers: taken.drivers })
    skip(progress, taken.skipped)
    if (fleet) progress.made.links = await importLinks(client, { pool, feed, server, fleet })
    return taken
  } catch (error) {
    progress.message = `Fences, drivers or links were not read: ${error instanceof Error ? error.message : String(error)}`
    throw error
  }
}

const skip = (progress: Progress, skipped: Progress['skipped']) =>
  void progress.skipped.push(...skipped.slice(0, Math.max(0, maxSkipped - progress.skipped.length)))

async function note(
  run: FeedRun,
  progress: Progress,
  { result, devices, end }: { result: Repaired; devices: number; end: AbortController },
): Promise<void> {
  progress.devices = devices
  progress.done += 1
  progress.positions += result.seen
  progress.refused += result.refused
  if (result.outcome === 'unknownDevice') progress.unknown += 1
  if (result.outcome === 'failed') {
    progress.failed += 1
    progress.message = result.message ?? null
  }
  // A silent device costs nothing: one progress write for every hundred of them is enough.
  if (result.seen > 0 || progress.done % 100 === 0) await renewOrAbort(run, progress, end)
}
