import type { Office } from './fake-office.ts'
import { databaseName } from './store/core.ts'
import type { LogSummary } from './store/log.ts'
import type { LoopPorts, Progress, Refusal } from './sync/loop-ports.ts'
import { createLoop, type Loop } from './sync/loop.ts'
import { openStore, type OfflineStore } from './store/store.ts'

/** Where a request or a step breaks. */
export type Fault = 'none' | 'request lost' | 'answer lost' | 'server error' | 'signed out' | 'killed'

class Broken extends Error {
  readonly refusal: Refusal | null
  constructor(refusal: Refusal | null) {
    super(refusal?.message ?? 'killed')
    this.refusal = refusal
  }
}
const lost = {
  'request lost': { status: 0, message: 'no connection' },
  'server error': { status: 503, message: 'busy' },
  'signed out': { status: 401, message: 'signed out' },
} as const

export const makeKey = (): Promise<CryptoKey> => crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])

/** The way to the office, which breaks on command: one fault a request or step, in their order. */
function makeWay(office: Office) {
  const state = {
    faults: [] as Fault[],
    isOnline: true,
    maxBatch: Infinity,
    /** So many changes go together. */
    batch: Infinity,
    pushes: [] as number[],
    reports: [] as LogSummary[],
    refuses: null as string | null,
    hasRoom: true,
    /** The office takes photos. */
    takesPhotos: true,
    now: 0,
    isElsewhere: false,
  }
  function ask<T>(serve: () => T): T {
    const kind = state.faults.shift() ?? 'none'
    if (kind in lost) throw new Broken(lost[kind as keyof typeof lost])
    const answer = serve()
    if (kind === 'answer lost') throw new Broken({ status: 0, message: 'no answer' })
    if (kind === 'killed') throw new Broken(null)
    return structuredClone(answer)
  }
  /** Dies before a write when that is the next fault. */
  const dieHere = () => {
    if (state.faults[0] === 'killed' && state.faults.shift()) throw new Broken(null)
  }
  const ports: Pick<LoopPorts, 'isOnline' | 'push' | 'pull' | 'refusalOf'> = {
    isOnline: async () => state.isOnline,
    push: async (changes, summary) => {
      state.reports.push(summary)
      if (changes.length === 0) return ask(() => ({ serverNow: '', results: [] }))
      if (state.refuses !== null && changes.some(({ patch }) => Object.hasOwn(patch, state.refuses ?? '')))
        throw new Broken({ status: 400, message: 'no JSON' })
      if (changes.length > state.maxBatch) throw new Broken({ status: 413, message: 'too large' })
      state.pushes.push(changes.length)
      return ask(() => ({ serverNow: '', results: office.push(changes) }))
    },
    pull: async (cursor) => ask(() => office.pull(cursor)),
    refusalOf: (error) => (error instanceof Broken ? error.refusal : null),
  }
  return { state, ports, dieHere }
}

/** How many writes each database still takes before its device dies; none is written after that. */
const writesLeft = new Map<string, number>()
const beginTransaction = Reflect.get(IDBDatabase.prototype, 'transaction')
IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args: Parameters<IDBDatabase['transaction']>) {
  const left = writesLeft.get(this.name)
  if (left !== undefined && args[1] === 'readwrite') {
    if (left === 0) throw new Broken(null)
    writesLeft.set(this.name, left - 1)
  }
  return beginTransaction.apply(this, args)
}
export const isDeath = (error: unknown): boolean => error instanceof Broken && error.refusal === null

interface Timer {
  run: () => void
  ms: number
}

function bootLoop(
  store: OfflineStore,
  { state, ports, dieHere }: ReturnType<typeof makeWay>,
  { timers, progress }: { timers: Timer[]; progress: Progress[] },
): Loop {
  const loop = createLoop({
    ...ports,
    now: () => state.now,
    setTimer: (run, ms) => {
      const timer = { run, ms }
      timers.push(timer)
      return () => {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1)
      }
    },
    store: {
      ...store,
      takeBatch: (limits) => store.takeBatch({ ...limits, limit: Math.min(limits.limit, state.batch) }),
      applyVerdicts: async (results, sent) => {
        dieHere()
        return store.applyVerdicts(results, sent)
      },
      applyPage: async (answer, point) => {
        dieHere()
        await store.applyPage(answer, point)
      },
    },
    hasRoom: async () => state.hasRoom,
    sendFiles: () =>
      store.files.send(
        async () => {
          if (!state.takesPhotos) throw new Broken({ status: 503, message: 'busy' })
        },
        () => 'later',
      ),
    alone: async (run) => {
      if (!state.isElsewhere) await run()
      return !state.isElsewhere
    },
    report: (one) => progress.push(one),
  })
  loop.start()
  return loop
}

/** A device for tests: a real store over IndexedDB and the real loop, with the network and the clock in the test's hands. */
export async function makeDevice(office: Office, { userId, key }: { userId: string; key: CryptoKey }) {
  const owner = { userId, companyId: 'company', deviceId: crypto.randomUUID(), country: () => 'KE', tenantId: () => 'tenant' }
  const way = makeWay(office)
  const seen = { timers: [] as Timer[], progress: [] as Progress[] }
  let store = await openStore(owner, key)
  let loop = bootLoop(store, way, seen)
  const close = () => {
    loop.stop()
    store.close()
  }
  return {
    ...seen,
    close,
    pushes: way.state.pushes,
    reports: way.state.reports,
    /** A body with this field in a patch is refused as a whole. */
    setRefused: (field: string) => {
      way.state.refuses = field
    },
    setRoom: (has: boolean) => {
      way.state.hasRoom = has
    },
    setTakesPhotos: (does: boolean) => {
      way.state.takesPhotos = does
    },
    store: () => store,
    loop: () => loop,
    sync: (...faults: Fault[]) => {
      way.state.faults = faults
      return loop.trigger('asked')
    },
    setOnline: (is: boolean) => {
      way.state.isOnline = is
    },
    /** Another tab is at it. */
    setElsewhere: (is: boolean) => {
      way.state.isElsewhere = is
    },
    setNow: (ms: number) => {
      way.state.now = ms
    },
    setBatch: (most: number) => {
      way.state.batch = most
    },
    setMaxBatch: (most: number) => {
      way.state.maxBatch = most
    },
    /** The tab dies after so many further writes, in the middle of whatever it does then. */
    dieAfter: (writes: number) => {
      writesLeft.set(databaseName(owner), writes)
    },
    /** The tab dies and is opened again: only what is on disk is left. Gives the torn writes that were found. */
    restart: async () => {
      close()
      writesLeft.delete(databaseName(owner))
      store = await openStore(owner, key)
      const torn = await store.check()
      loop = bootLoop(store, way, seen)
      return torn
    },
  }
}
export type Device = Awaited<ReturnType<typeof makeDevice>>
