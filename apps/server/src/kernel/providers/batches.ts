import { Failure } from '@outpost/contract/errors'
import { pgErrorKind } from '@outpost/platform/db/errors'
import { repeatOnConflict } from '@outpost/platform/db/context'
import type { Ctx } from '../types.ts'
import { doAll, doOnce, storeAll, type ProviderAnswer, type ReceivedMessage } from './store.ts'

/** A door that takes messages in batches. */
export interface BatchedDoor<Message> {
  provider: string
  keepDays: number
  runAll(ctx: Ctx, messages: readonly Message[]): Promise<ProviderAnswer[]>
  accepted: ProviderAnswer
  /** A stored message is answered after this time, processed or not: what is under way goes on, and the job does the rest. */
  patienceMs: number
}

interface Waiting<Message> extends ReceivedMessage {
  ctx: Ctx
  message: Message
  settle: { resolve(answer: ProviderAnswer): void; reject(error: unknown): void }
}
type Stored<Message> = Waiting<Message> & { id: string }

/** Messages of one transaction: few enough that it is short, enough that what a transaction costs is shared. */
const most = 50
/** A job that looks for what was left is written this often at most, and runs so long after. */
const [planEveryMs, finishAfterMs] = [10_000, 20_000]

/**
 * A door whose messages are stored and done in batches: what comes while one batch is under way is the next one, so a batch grows with the load and what a transaction
 * costs is shared. One queue for each company. Gives the answer of a message: after its work, or once it is stored where that takes long or cannot be done now.
 */
export function answerInBatches<Message>(door: BatchedDoor<Message>) {
  const queues = new Map<string, Queue<Message>>()
  return (ctx: Ctx, one: ReceivedMessage & { message: Message }): Promise<ProviderAnswer> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(ctx.company.id) ?? makeQueue(door)
      queues.set(ctx.company.id, queue)
      queue.add({ ...one, ctx, settle: { resolve, reject } })
    })
}

interface Queue<Message> {
  add(one: Waiting<Message>): void
}

function makeQueue<Message>(door: BatchedDoor<Message>): Queue<Message> {
  let plannedAt = 0
  const work = inBatches<Stored<Message>>(most, (some) => processBatch(door, some))
  const store = inBatches<Waiting<Message>>(most * 4, async (some) => {
    const isDue = Date.now() - plannedAt >= planEveryMs
    const finishAt = isDue ? new Date(Date.now() + finishAfterMs) : undefined
    try {
      const [first] = some
      const ids = first ? await storeAll(first.ctx, { provider: door.provider, keepDays: door.keepDays, finishAt }, some) : undefined
      if (isDue) plannedAt = Date.now()
      for (const one of some) {
        const id = ids?.get(one.providerId)
        if (id === undefined) one.settle.reject(new Error('the message was stored and is not there'))
        else {
          setTimeout(() => one.settle.resolve(door.accepted), door.patienceMs).unref()
          work({ ...one, id })
        }
      }
    } catch (error) {
      for (const { settle } of some) settle.reject(error)
    }
  })
  return { add: store }
}

/** Runs over what is given in batches, one after the other; what comes meanwhile is the next batch. */
function inBatches<One>(size: number, run: (some: readonly One[]) => Promise<void>): (one: One) => void {
  const waiting: One[] = []
  let isRunning = false
  const go = async () => {
    isRunning = true
    // What came with the same turn of the loop is one batch.
    await new Promise((done) => setImmediate(done))
    while (waiting.length > 0) await run(waiting.splice(0, size))
    isRunning = false
  }
  return (one) => {
    waiting.push(one)
    if (!isRunning) void go()
  }
}

async function processBatch<Message>(door: BatchedDoor<Message>, some: readonly Stored<Message>[]): Promise<void> {
  const [first] = some
  if (!first) return
  const messages = new Map(some.map(({ id, message }) => [id, message]))
  try {
    const answers = await repeatOnConflict(() => doAll(first.ctx, messages, door.runAll))
    for (const { id, settle } of some) settle.resolve(answers.get(id) ?? door.accepted)
  } catch (error) {
    // Where the database is at fault, each by itself would fare no better; else one of them is, and the others are not to wait for it.
    if (isPassing(error)) for (const { settle } of some) settle.resolve(door.accepted)
    else for (const own of Map.groupBy(some, ({ id }) => id).values()) await processAlone(door, own)
  }
}

async function processAlone<Message>(door: BatchedDoor<Message>, own: readonly Stored<Message>[]): Promise<void> {
  const [first] = own
  if (!first) return
  try {
    const answer = await doOnce(first.ctx, first.id, first.message, door.runAll)
    for (const { settle } of own) settle.resolve(answer)
  } catch (error) {
    first.ctx.log.error({ err: error, provider: door.provider, message: first.id }, 'a stored message could not be done')
    for (const { settle } of own)
      if (isRefusal(error)) settle.reject(error)
      else settle.resolve(door.accepted)
  }
}

const passing = new Set(['busy', 'unreachable', 'lockTimeout', 'statementTimeout', 'deadlock', 'serialization', 'full'])
const isPassing = (error: unknown) => passing.has(pgErrorKind(error) ?? '')
/** The message is refused for what it says, now and later. */
export const isRefusal = (error: unknown): boolean => error instanceof Failure && error.error.status < 500
