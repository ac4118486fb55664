import type { ChangeRecord, PushAnswer } from '@outpost/contract/sync/protocol'
import { maxPushChanges } from '@outpost/contract/sync/limits'
import { pauseAfter, pauseAfterWrite, pauseWhileElsewhere, type SyncOutcome } from '@outpost/rules/sync/sync-timing'
import { entityKey } from '../store/core.ts'
import type { LogSummary } from '../store/log.ts'
import type { LoopPorts } from './loop-ports.ts'

export type Trigger = 'start' | 'timer' | 'online' | 'visible' | 'write' | 'asked'

export interface Loop {
  start(): void
  stop(): void
  /** Runs a cycle now (a write: in 3 s); resolves when the cycle is over. Calls while one runs make one more. */
  trigger(why: Trigger): Promise<void>
  /** True whenever a cycle runs or a timer will start one; false only before start and after stop. */
  isArmed(): boolean
}

/** How much unsent work the server believes this device to hold; null until it has said so since the start. */
interface Told {
  pending: number | null
  files: number | null
}

interface CycleResult {
  outcome: SyncOutcome
  retryAfterMs?: number
  message?: string
  needsSignIn?: boolean
  isElsewhere?: boolean
}

/** The sync loop: push until empty, pull until the end, then the timer; the next cycle is armed whatever happened. */
export function createLoop(ports: LoopPorts): Loop {
  let [cancelTimer, running]: [(() => void) | null, Promise<void> | null] = [null, null]
  let [isStopped, isAskedAgain] = [true, false]
  const told: Told = { pending: null, files: null }
  /** The pause of the timer, not when it ends: under a clock that was set anew that would be over, or a day away. */
  let armedFor = Infinity

  const arm = (ms: number): void => {
    cancelTimer?.()
    armedFor = ms
    cancelTimer = isStopped
      ? null
      : ports.setTimer(() => {
          void run()
        }, ms)
  }

  async function runCycle(): Promise<void> {
    let result: CycleResult = { outcome: 'error' }
    try {
      ports.report({ isRunning: true, at: ports.now() })
      result = await attempt(ports, told)
    } finally {
      const pause = pauseAfter(result.outcome, result.retryAfterMs)
      arm(pause)
      ports.report({ isRunning: false, at: ports.now(), nextAt: ports.now() + pause, ...result })
    }
  }

  function run(): Promise<void> {
    if (running) {
      isAskedAgain = true
      return running
    }
    cancelTimer?.()
    cancelTimer = null
    running = runCycle().finally(() => {
      running = null
      if (isAskedAgain && !isStopped) arm(0)
      isAskedAgain = false
    })
    return running
  }

  return {
    start: () => {
      isStopped = false
      arm(0)
    },
    stop: () => {
      isStopped = true
      arm(0)
    },
    trigger: async (why) => {
      // A cycle that is due soon is not put off: where something changes all the time, it would never come.
      const isDueSoon = cancelTimer !== null && armedFor <= pauseAfterWrite
      if (!isStopped && why === 'write' && !running) {
        if (!isDueSoon) arm(pauseAfterWrite)
      } else if (!isStopped) await run()
    },
    isArmed: () => running !== null || cancelTimer !== null,
  }
}

/** One cycle, whatever comes of it. */
async function attempt(ports: LoopPorts, told: Told): Promise<CycleResult> {
  let result: CycleResult = { outcome: 'error', isElsewhere: true, retryAfterMs: pauseWhileElsewhere }
  try {
    await ports.alone(async () => {
      result = await cycle(ports, told)
    })
    return result
  } catch (error) {
    return resultOf(ports, error)
  }
}

/** A failure of the whole cycle, in words. */
function resultOf(ports: LoopPorts, error: unknown): CycleResult {
  const refusal = ports.refusalOf(error)
  if (!refusal) return { outcome: 'error', message: error instanceof Error ? error.message : String(error) }
  const { status, message, retryAfterMs } = refusal
  return { outcome: 'error', message, retryAfterMs, needsSignIn: status === 401 }
}

async function cycle(ports: LoopPorts, told: Told): Promise<CycleResult> {
  if (!(await ports.isOnline())) return { outcome: 'offline' }
  let pushed: CycleResult
  try {
    pushed = await pushAll(ports, told)
  } catch (error) {
    // A server that refuses the push may still answer a pull; without an answer or a session it cannot.
    const status = ports.refusalOf(error)?.status ?? 0
    if (status === 0 || status === 401) throw error
    await pullAll(ports)
    throw error
  }
  await pullAll(ports, await pushOfNew(ports, told, (again) => (pushed = again.outcome === 'error' ? again : pushed)))
  const left = await ports.sendFiles()
  await tellWhatIsLeft(ports, told)
  return left > 0 && pushed.outcome === 'success'
    ? { outcome: 'error', message: `${left} ${left === 1 ? 'photo' : 'photos'} could not be sent.` }
    : pushed
}

/**
 * Sends in passes: each change once a pass, and another pass only after one that got something done. At the end the server
 * knows how much is left: a device that says nothing could be one that has lost what it had announced.
 */
async function pushAll(ports: LoopPorts, told: Told): Promise<CycleResult> {
  let errors = 0
  for (let isProgress = true; isProgress;) {
    const pass = await pushPass(ports, told)
    errors = pass.errors
    isProgress = pass.done > 0 && pass.open > 0
  }
  await tellWhatIsLeft(ports, told)
  return errors > 0
    ? { outcome: 'error', message: `The server could not take ${errors} ${errors === 1 ? 'change' : 'changes'}.` }
    : { outcome: 'success' }
}

/** Says how much unsent work is on the device, where the server believes another number. */
async function tellWhatIsLeft(ports: LoopPorts, told: Told): Promise<void> {
  const summary = await ports.store.summary()
  if (summary.count !== told.pending || summary.files !== told.files) await ports.push([], summary)
  told.pending = summary.count
  told.files = summary.files
}

/** A batch and what the server said of it, not worked in yet. */
interface Answered {
  batch: ChangeRecord[]
  answer: PushAnswer
}
const keyOf = ({ entityType, entityId }: ChangeRecord): string => entityKey(entityType, entityId)
/** Changes of a batch that are over, by what the server says. */
const over = ({ answer }: Answered): number => answer.results.filter(({ status }) => status !== 'waiting' && status !== 'error').length

/**
 * Each change once. While the server works on a batch, the verdicts on the one before are worked in and the next one is prepared, which holds
 * nothing of an entity that is on its way: a change is sent when those before it of its entity have their verdicts, here as well.
 */
async function pushPass(ports: LoopPorts, told: Told): Promise<{ done: number; open: number; errors: number }> {
  const blocked = new Set<string>()
  const sums = { done: 0, errors: 0 }
  let [limit, batch, behind]: [number, ChangeRecord[], Answered | null] = [maxPushChanges, [], null]
  for (;;) {
    const summary = await ports.store.summary()
    const report: LogSummary = { ...summary, count: summary.count - (behind ? over(behind) : 0) }
    const pushing: Promise<PushAnswer | 'halve' | null> = batch.length > 0 ? pushOrHalve(ports, batch, report) : Promise.resolve(null)
    const preparing: Promise<ChangeRecord[]> = workIn(ports, behind, { blocked, sums }).then(() =>
      ports.store.takeBatch({ limit, blocked, onTheWay: new Set(batch.map(keyOf)) }),
    )
    const [answered, prepared] = await Promise.allSettled([pushing, preparing])
    if (prepared.status === 'rejected') throw prepared.reason
    if (answered.status === 'rejected') throw answered.reason
    const answer = answered.value
    if (answer === 'halve') {
      limit = Math.max(1, Math.floor(batch.length / 2))
      // What was prepared may be as little to blame, but is of the former size, and behind this one.
      ;[batch, behind] = [[], null]
      continue
    }
    behind = answer && { batch, answer }
    if (behind) Object.assign(told, { pending: report.count - over(behind), files: summary.files })
    batch = prepared.value
    if (batch.length === 0 && !behind) return { ...sums, open: blocked.size }
  }
}

/** Works the verdicts on a batch in; what stays open is not sent again in this pass. */
async function workIn(
  ports: LoopPorts,
  answered: Answered | null,
  { blocked, sums }: { blocked: Set<string>; sums: { done: number; errors: number } },
): Promise<void> {
  if (!answered) return
  const { batch, answer } = answered
  const applied = await ports.store.applyVerdicts(answer.results, batch)
  sums.done += applied.done
  sums.errors += applied.errors
  for (const key of applied.open) blocked.add(key)
  // A change the answer is silent about is as open as one that waits.
  const named = new Set(answer.results.map((result) => result.changeId))
  for (const change of batch) if (!named.has(change.changeId)) blocked.add(keyOf(change))
}

/** What a server answers to a body that it does not take: one of the changes may be to blame. */
const bodyRefusals: readonly number[] = [400, 413, 422]

async function pushOrHalve(ports: LoopPorts, batch: ChangeRecord[], summary: LogSummary): Promise<PushAnswer | 'halve'> {
  try {
    return await ports.push(batch, summary)
  } catch (error) {
    const refusal = ports.refusalOf(error)
    if (!refusal || !bodyRefusals.includes(refusal.status)) throw error
    const [only] = batch
    if (batch.length > 1 || !only) return 'halve'
    // When the server refuses a push without changes too, this change is not to blame.
    if (refusal.status !== 413) await ports.push([], summary)
    // One change that no server takes would stop all others for ever.
    await ports.store.setAside(only.changeId, refusal.status === 413 ? 'TOO_LARGE' : 'VALIDATION', refusal.message)
    return 'halve'
  }
}

/** Resets in one cycle, at most: a server that always asks to start anew must not keep a device busy for ever. */
const maxResets = 2

/**
 * Pulls until the end, or until the device is nearly full: the room that is left is for unsent work. Between two pages goes what is
 * written meanwhile: where many come at once, or others write all the time, that end is far away.
 */
async function pullAll(ports: LoopPorts, pushNew: () => Promise<void> = async () => undefined): Promise<void> {
  for (let resets = 0; await ports.hasRoom();) {
    const point = await ports.store.pullPoint()
    const answer = await ports.pull(point.cursor)
    if (answer.reset && point.cursor !== null) {
      resets += 1
      if (resets > maxResets) throw new Error('The server asks to start anew again and again.')
      await ports.store.beginFullPull()
      continue
    }
    if (answer.more && answer.cursor === point.cursor) throw new Error('The server sends the same page again.')
    await ports.store.applyPage(answer, point)
    if (!answer.more) return
    await pushNew()
  }
}

/** Pushes if something was written since the last time, and reports the result. */
async function pushOfNew(ports: LoopPorts, told: Told, hear: (pushed: CycleResult) => void): Promise<() => Promise<void>> {
  let { maxClientSeq: newest } = await ports.store.summary()
  return async () => {
    const { maxClientSeq } = await ports.store.summary()
    if (maxClientSeq === newest) return
    newest = maxClientSeq
    hear(await pushAll(ports, told))
  }
}
