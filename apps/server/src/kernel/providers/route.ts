import { errorAnswer, type Failure } from '@outpost/contract/errors'
import { toFailure } from '@outpost/platform/failures'
import { z } from 'zod'
import { open, route } from '../area.ts'
import type { Sends } from '../route-options.ts'
import type { Answer, Ctx, FinishMessage, Route } from '../types.ts'
import { admit, type Proof } from './connection.ts'
import { finishing } from './finish.ts'
import { doOnce, storeAll, type ProviderAnswer, type ReceivedMessage } from './store.ts'
import { answerInBatches } from './batches.ts'

export type { ProviderAnswer } from './store.ts'

interface DoorOf<Message> {
  proof: Proof
  /** The provider whose connection opens this door, where several doors are one provider's; left out: the route's own name. */
  connection?: string
  /** Reads the bytes that came over a connection; a ZodError or Failure is answered by `refuse`. */
  read(raw: Buffer, connectionId: string): Message
  /** The provider's own id of the message: what has it has been said already. */
  idOf(message: Message): string
  /** Media type of what is sent back; default JSON. */
  sends?: Sends
  /** How a refusal reads there; left out: a line of JSON with code and message. */
  refuse?(failure: Failure): ProviderAnswer
  /** Bytes; default 256 KiB. */
  bodyLimit?: number
  /** What is stored of the bytes, where not all of them may be: a PIN that somebody typed. */
  keep?(raw: Buffer): Buffer
  /** Days for which the bytes of a message are kept; default 90. Its id and answer stay: what was done once is never done again. */
  keepDays?: number
  /** Calls a minute from one address; default 600. */
  limit?: number
}
interface DoorOfOne<Message> extends DoorOf<Message> {
  /** What follows, once for each id, in one transaction; what leaves the program goes through the outbox (enqueue). */
  run(ctx: Ctx, message: Message): Promise<ProviderAnswer>
  runAll?: never
}
/** A door where many call at once: what follows from messages that came together is done in one transaction, and what was stored is done in any case. */
interface DoorOfMany<Message> extends Omit<DoorOf<Message>, 'keep'> {
  /** An answer for each, in order. */
  runAll(ctx: Ctx, messages: readonly Message[]): Promise<ProviderAnswer[]>
  /** What is said of a message that is stored and is done a little later: the database is busy, or away. */
  accepted: ProviderAnswer
  /** Milliseconds after which a stored message is answered with `accepted`, processed or not; default 2,000. */
  patienceMs?: number
  keep?: never
}
export type ProviderDoor<Message> = DoorOfOne<Message> | DoorOfMany<Message>

const input = z.strictObject({ key: z.string().max(200) })
const json = 'application/json; charset=utf-8'

/**
 * The route that a provider calls, with `:key` of a connection in its path (openConnection). The message is stored as it came
 * before anything follows from it; said again, at once or later, it gets the first answer and nothing happens twice.
 */
export function providerRoute<Message>(name: string, method: 'POST' | 'PUT', path: `${string}/:key`, door: ProviderDoor<Message>): Route {
  const refuse = door.refuse ?? plainRefusal
  const { answer, finish } = answering(name, door)
  return route(
    name,
    method,
    path,
    open('a provider with a key, and a signature or an address of its own'),
    {
      kind: 'public',
      input,
      ...(finish ? { finish } : {}),
      run: async ({ key }, { raw = Buffer.alloc(0), ip, headers, log }): Promise<Answer> => {
        try {
          const { ctx, connectionId } = await admit(door.connection ?? name, door.proof, { key, raw, ip, headers })
          const message = door.read(raw, connectionId)
          return { text: await answer(ctx, { connectionId, providerId: door.idOf(message), raw, message }) }
        } catch (error) {
          return { text: refuse(toFailure(error, log)) }
        }
      },
    },
    {
      own: true,
      raw: true,
      sends: door.sends ?? 'application/json',
      limit: door.limit ?? 600,
      bodyLimit: door.bodyLimit ?? 262_144,
      summary: `What ${name} calls`,
    },
  )
}

function plainRefusal({ error, more }: Failure): ProviderAnswer {
  const { status, code, message } = errorAnswer(error, more)
  return { status, type: json, text: JSON.stringify({ code, message }) }
}

type Answering<Message> = (ctx: Ctx, one: ReceivedMessage & { message: Message }) => Promise<ProviderAnswer>

/** How a message is stored and done: by itself, or with those that came together with it. */
function answering<Message>(provider: string, door: ProviderDoor<Message>): { answer: Answering<Message>; finish?: FinishMessage } {
  const keepDays = door.keepDays ?? 90
  if (door.runAll) {
    const { runAll, accepted, patienceMs = 2_000 } = door
    const own = { provider, keepDays, runAll, accepted, patienceMs }
    return { answer: answerInBatches(own), finish: finishing(own, door.read) }
  }
  const { run, keep } = door
  const answer: Answering<Message> = async (ctx, { message, raw, ...one }) => {
    const ids = await storeAll(ctx, { provider, keepDays }, [{ ...one, raw: keep?.(raw) ?? raw }])
    const id = ids.get(one.providerId)
    if (id === undefined) throw new Error('the message was stored and is not there')
    return doOnce(ctx, id, message, async (inner, [given]) => (given === undefined ? [] : [await run(inner, given)]))
  }
  return { answer }
}
