import { setTimeout as wait } from 'node:timers/promises'
import { transactionIn } from '@outpost/platform/db/context'
import { isRowRefused } from '@outpost/platform/db/errors'
import type { Log } from '@outpost/platform/log'
import type { DbContext } from '@outpost/platform/types'
import type { GeoPools } from '@outpost/platform/db/pool'
import type { Fix } from '../../positions/fix.ts'
import { stateOf, type KnownDevice } from '../identity.ts'
import { reviseLatest, upsertLatest } from './latest.sql.ts'
import { summarise, type Row } from './summary.ts'
import { insertPositions, upsertDirty } from './write.sql.ts'

/**
 * What became of fixes: committed, refused by Postgres for what they are, or not written because the device is not what
 * it was when it was looked up (deleted, switched off, given another identity).
 */
export type Written = 'stored' | 'refused' | 'outdated'

export interface Writer {
  /** Resolves when it is clear what becomes of the fixes, which may take as long as the database is away. */
  write(device: KnownDevice, fixes: readonly Fix[]): Promise<Written>
  /** Rows not yet committed. */
  waiting(): number
  /** True when no more should be read from devices for now. */
  isFull(): boolean
  /** Settles once there is room again. */
  room(): Promise<void>
  /** Writes what waits, for at most limitMs. */
  close(limitMs?: number): Promise<void>
}

export interface WriterOptions {
  pool: GeoPools['ingest']
  log: Log
  /** Told of the devices of a batch once it is committed; must not throw. */
  onStored?: (devices: KnownDevice[]) => void
  /** How long the first row of a batch waits for company. */
  lingerMs?: number
  batchRows?: number
  /** Beyond this many rows in memory devices are made to wait. */
  mostRows?: number
}

interface Job { device: KnownDevice, fixes: readonly Fix[], settle: (written: Written) => void }
interface State { options: Required<Omit<WriterOptions, 'onStored'>> & Pick<WriterOptions, 'onStored'>, queue: Job[], rows: number, queuedRows: number, active: number, timer: NodeJS.Timeout | undefined, isClosed: boolean, roomWaiters: (() => void)[] }

/** Batches under way at once: while one waits for the disk the next is read by Postgres. */
const lanes = 2
const ofAll: DbContext = { company: null, scope: [], user: null, tenant: null }

/** Commits fixes in batches, and keeps them in memory until they are: an acknowledgement waits for write(). */
export function createWriter({ lingerMs = 40, batchRows = 500, mostRows = 100_000, ...rest }: WriterOptions): Writer {
  const state: State = { options: { ...rest, lingerMs, batchRows, mostRows }, queue: [], rows: 0, queuedRows: 0, active: 0, timer: undefined, isClosed: false, roomWaiters: [] }
  return {
    write: (device, fixes) => (fixes.length === 0 ? Promise.resolve('stored') : new Promise((settle) => add(state, { device, fixes, settle }))),
    waiting: () => state.rows,
    isFull: () => state.rows >= mostRows,
    room: () => (state.rows < mostRows ? Promise.resolve() : new Promise((done) => state.roomWaiters.push(done))),
    close: (limitMs = 10_000) => close(state, limitMs),
  }
}

function add(state: State, job: Job): void {
  state.queue.push(job)
  state.rows += job.fixes.length
  state.queuedRows += job.fixes.length
  const { lingerMs, batchRows } = state.options
  if (state.queuedRows >= batchRows) start(state)
  else state.timer ??= setTimeout(() => { state.timer = undefined; start(state) }, lingerMs)
}

function start(state: State): void {
  if (state.queue.length === 0 || state.active >= lanes) return
  if (state.timer) clearTimeout(state.timer)
  state.timer = undefined
  const jobs = take(state)
  state.active += 1
  void commit(state, jobs).finally(() => {
    state.active -= 1
    const size = jobs.reduce((sum, job) => sum + job.fixes.length, 0)
    state.rows -= size
    if (state.rows < state.options.mostRows) for (const done of state.roomWaiters.splice(0)) done()
    start(state)
  })
}

/** Whole jobs up to a batch; one job alone may be larger. */
function take(state: State): Job[] {
  let size = 0
  let count = 0
  for (const job of state.queue) {
    if (count > 0 && size + job.fixes.length > state.options.batchRows) break
    size += job.fixes.length
    count += 1
  }
  state.queuedRows -= size
  return state.queue.splice(0, count)
}

async function commit(state: State, jobs: readonly Job[]): Promise<void> {
  const { pool, log, onStored } = state.options
  if (jobs.length === 0) return
  for (let pause = 50; ; pause = Math.min(pause * 2, 2_000)) {
    try {
      await store(pool, jobs.flatMap(({ device, fixes }) => fixes.map((fix) => ({ device, fix }))))
      for (const job of jobs) job.settle('stored')
      onStored?.(jobs.map(({ device }) => device))
      return
    } catch (error) {
      if (error instanceof Outdated) return commit(state, withoutOutdated(jobs, error.devices))
      // Nothing but Postgres's own word on the row condemns it: whatever else goes wrong may pass.
      if (isRowRefused(error)) return refuse(state, jobs, error)
      // A closed writer gives up: what is not acknowledged is sent again.
      if (state.isClosed) return
      log.warn({ reason: (error as Error).message, jobs: jobs.length }, 'positions wait for the database')
      await wait(pause)
    }
  }
}

/** One row that Postgres does not take must not hold up the others: the batch is halved until it stands alone. */
async function refuse(state: State, jobs: readonly Job[], error: unknown): Promise<void> {
  const [only] = jobs
  if (jobs.length > 1) {
    const half = jobs.length >> 1
    await commit(state, jobs.slice(0, half))
    return commit(state, jobs.slice(half))
  }
  state.options.log.error({ err: error, device: only?.device.deviceId }, 'positions that cannot be stored')
  only?.settle('refused')
}

/** Thrown inside a batch, so that nothing of it stays: these devices are not what they were when they were looked up. */
class Outdated extends Error {
  readonly devices: ReadonlySet<string>
  constructor(devices: readonly string[]) {
    super('devices have changed since they were looked up')
    this.devices = new Set(devices)
  }
}

/** Another job may know the device as it is now. */
function withoutOutdated(jobs: readonly Job[], outdated: ReadonlySet<string>): Job[] {
  const { gone = [], there = [] } = Object.groupBy(jobs, ({ device }) => (outdated.has(stateOf(device)) ? 'gone' : 'there'))
  for (const job of gone) job.settle('outdated')
  return there
}

async function store(pool: GeoPools['ingest'], rows: readonly Row[]): Promise<void> {
  const summaries = summarise(rows)
  await transactionIn(pool, ofAll, async (own) => {
    let fresh = 0
    for (const wave of waves(rows)) {
      const written = await own.one<{ fresh: number, outdated: string[] | null }>(insertPositions(wave))
      if (written.outdated) throw new Outdated(written.outdated)
      fresh += written.fresh
    }
    await Promise.all([own.exec(fresh === rows.length ? upsertLatest(summaries) : reviseLatest(summaries)), own.exec(upsertDirty(summaries))])
  }, { retry: true })
}

/** One statement cannot meet the same row twice, so the second message of a moment goes into a second statement. */
function waves(rows: readonly Row[]): Row[][] {
  const seen = new Map<string, number>()
  const result: Row[][] = []
  for (const row of rows) {
    const key = `${row.device.deviceId} ${row.fix.fixTime}`
    const wave = seen.get(key) ?? 0
    seen.set(key, wave + 1)
    ;(result[wave] ??= []).push(row)
  }
  return result
}

async function close(state: State, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs
  if (state.timer) clearTimeout(state.timer)
  state.timer = undefined
  start(state)
  while (state.rows > 0 && Date.now() < end) await wait(20)
  state.isClosed = true
}
