import { setTimeout as wait } from 'node:timers/promises'
import { transactionIn } from '@outpost/platform/db/context'
import { isRowRefused } from '@outpost/platform/db/errors'
import type { Log } from '@outpost/platform/log'
import type { DbContext } from '@outpost/platform/types'
import type { GeoPools } from '@outpost/platform/db/pool'
import type { Fix } from '../../positions/fix.ts'
import { stateOf, type KnownDevice } from '../identity.ts'
import { reviseLatest, upsertLatest } from './latest.sql.ts'
import { trackableTimes } from './trackable.ts'
import { summarise, type Row } from './summary.ts'
import { insertPositions, upsertDirty } from './write.sql.ts'

/**
 * The result for fixes: committed, refused by Postgres for their content, or not written because the device changed since its lookup
 * (deleted, disabled, another identity).
 */
export type Written = 'stored' | 'refused' | 'outdated'

export interface Writer {
  /** Resolves when the result is known, which may take as long as the database is away. */
  write(device: KnownDevice, fixes: readonly Fix[]): Promise<Written>
  /** Rows not yet committed. */
  waiting(): number
  /** True when devices should not be read for now. */
  isFull(): boolean
  /** Settles once there is room again. */
  room(): Promise<void>
  /** Writes pending rows, for at most limitMs. */
  close(limitMs?: number): Promise<void>
}

export interface WriterOptions {
  pool: GeoPools['ingest']
  log: Log
  /** Called with the devices of a batch once it is committed; must not throw. */
  onStored?: (devices: KnownDevice[]) => void
  /** How long the first row of a batch waits for more. */
  lingerMs?: number
  batchRows?: number
  /** Above this many rows in memory, devices must wait. */
  maxRows?: number
}

interface Job {
  device: KnownDevice
  fixes: readonly Fix[]
  settle: (written: Written) => void
}
interface State {
  options: Required<Omit<WriterOptions, 'onStored'>> & Pick<WriterOptions, 'onStored'>
  queue: Job[]
  rows: number
  queuedRows: number
  active: number
  timer: NodeJS.Timeout | undefined
  isClosed: boolean
  roomWaiters: (() => void)[]
}

/** Concurrent batches: while one waits for the disk, Postgres reads the next. */
const lanes = 2
const allCompanies: DbContext = { company: null, scope: [], user: null, tenant: null }

/** Commits fixes in batches, and keeps them in memory until they are: an acknowledgement waits for write(). */
export function createWriter({ lingerMs = 40, batchRows = 500, maxRows = 100_000, ...rest }: WriterOptions): Writer {
  const state: State = {
    options: { ...rest, lingerMs, batchRows, maxRows },
    queue: [],
    rows: 0,
    queuedRows: 0,
    active: 0,
    timer: undefined,
    isClosed: false,
    roomWaiters: [],
  }
  return {
    write: async (device, given) => {
      const fixes = device.userId === null ? given : await trackableFixes(state, device, given)
      return fixes.length === 0 ? 'stored' : new Promise((settle) => add(state, { device, fixes, settle }))
    },
    waiting: () => state.rows,
    isFull: () => state.rows >= maxRows,
    room: () => (state.rows < maxRows ? Promise.resolve() : new Promise((done) => state.roomWaiters.push(done))),
    close: (limitMs = 10_000) => close(state, limitMs),
  }
}

/** Of a person's phone, waiting while the database is away. What may not be stored counts as done: the phone shall not send it again. */
async function trackableFixes(
  { options: { pool, log }, isClosed }: State,
  device: KnownDevice,
  fixes: readonly Fix[],
): Promise<readonly Fix[]> {
  for (let pause = 50; !isClosed; pause = Math.min(pause * 2, 2_000)) {
    try {
      const times = await trackableTimes(
        pool,
        device,
        fixes.map(({ fixTime }) => fixTime),
      )
      return fixes.filter(({ fixTime }) => times.has(fixTime))
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'positions of a phone wait for the database')
      await wait(pause)
    }
  }
  throw new Error('The writer is closed')
}

function add(state: State, job: Job): void {
  state.queue.push(job)
  state.rows += job.fixes.length
  state.queuedRows += job.fixes.length
  const { lingerMs, batchRows } = state.options
  if (state.queuedRows >= batchRows) start(state)
  else
    state.timer ??= setTimeout(() => {
      state.timer = undefined
      start(state)
    }, lingerMs)
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
    if (state.rows < state.options.maxRows) for (const done of state.roomWaiters.splice(0)) done()
    start(state)
  })
}

/** Takes whole jobs up to the batch size; a single job may be larger. */
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
      await store(
        pool,
        jobs.flatMap(({ device, fixes }) => fixes.map((fix) => ({ device, fix }))),
      )
      for (const job of jobs) job.settle('stored')
      onStored?.(jobs.map(({ device }) => device))
      return
    } catch (error) {
      if (error instanceof Outdated) return commit(state, withoutOutdated(jobs, error.devices))
      // Only an error of Postgres about the row itself refuses it; any other error may pass.
      if (isRowRefused(error)) return isolateRefused(state, jobs, error)
      // A closed writer gives up: unacknowledged data are sent again.
      if (state.isClosed) return
      log.warn({ reason: (error as Error).message, jobs: jobs.length }, 'positions wait for the database')
      await wait(pause)
    }
  }
}

/** A row that Postgres refuses must not block the others: the batch is halved until the row is alone. */
async function isolateRefused(state: State, jobs: readonly Job[], error: unknown): Promise<void> {
  const [only] = jobs
  if (jobs.length > 1) {
    const half = jobs.length >> 1
    await commit(state, jobs.slice(0, half))
    return commit(state, jobs.slice(half))
  }
  state.options.log.error({ err: error, device: only?.device.deviceId }, 'positions that cannot be stored')
  only?.settle('refused')
}

/** Thrown to roll back a batch: these devices changed since their lookup. */
class Outdated extends Error {
  readonly devices: ReadonlySet<string>
  constructor(devices: readonly string[]) {
    super('devices have changed since they were looked up')
    this.devices = new Set(devices)
  }
}

/** Another job of the device may have the current generation. */
function withoutOutdated(jobs: readonly Job[], outdated: ReadonlySet<string>): Job[] {
  const { gone = [], there = [] } = Object.groupBy(jobs, ({ device }) => (outdated.has(stateOf(device)) ? 'gone' : 'there'))
  for (const job of gone) job.settle('outdated')
  return there
}

async function store(pool: GeoPools['ingest'], rows: readonly Row[]): Promise<void> {
  const summaries = summarise(rows)
  await transactionIn(
    pool,
    allCompanies,
    async (own) => {
      let fresh = 0
      for (const wave of waves(rows)) {
        const written = await own.one<{ fresh: number; outdated: string[] | null }>(insertPositions(wave))
        if (written.outdated) throw new Outdated(written.outdated)
        fresh += written.fresh
      }
      await Promise.all([
        own.exec(fresh === rows.length ? upsertLatest(summaries) : reviseLatest(summaries)),
        own.exec(upsertDirty(summaries)),
      ])
    },
    { retry: true },
  )
}

/** One statement cannot upsert the same row twice, so the second message of a time goes into a second statement. */
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
