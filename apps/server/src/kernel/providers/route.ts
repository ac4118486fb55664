import { errorAnswer, type Failure } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { toFailure } from '@outpost/platform/failures'
import { z } from 'zod'
import { open, route } from '../area.ts'
import type { Sends } from '../route-options.ts'
import type { Answer, Ctx, Route } from '../types.ts'
import { admit, type Proof } from './connection.ts'

/** What is sent back to a provider, in its own format. */
export interface ProviderAnswer {
  status?: number
  type: string
  text: string
}

export interface ProviderDoor<Message> {
  proof: Proof
  /** The provider whose connection opens this door, where several doors are one provider's; left out: the route's own name. */
  connection?: string
  /** Reads the bytes; a ZodError or Failure is answered by `refuse`. */
  read(raw: Buffer): Message
  /** The provider's own id of the message: what has it has been said already. */
  idOf(message: Message): string
  /** What follows, once for each id, in one transaction; what leaves the program goes through the outbox (enqueue). */
  run(ctx: Ctx, message: Message): Promise<ProviderAnswer>
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
}

const input = z.strictObject({ key: z.string().max(200) })
const json = 'application/json; charset=utf-8'

/**
 * The route that a provider calls, with `:key` of a connection in its path (openConnection). The message is stored as it came
 * before anything follows from it; said again, at once or later, it gets the first answer and nothing happens twice.
 */
export function providerRoute<Message>(name: string, method: 'POST' | 'PUT', path: `${string}/:key`, door: ProviderDoor<Message>): Route {
  const refuse = door.refuse ?? plainRefusal
  return route(
    name,
    method,
    path,
    open('a provider with a key, and a signature or an address of its own'),
    {
      kind: 'public',
      input,
      run: async ({ key }, { raw = Buffer.alloc(0), ip, headers, log }): Promise<Answer> => {
        try {
          const { ctx, connectionId } = await admit(door.connection ?? name, door.proof, { key, raw, ip, headers })
          const message = door.read(raw)
          const kept = door.keep?.(raw) ?? raw
          const id = await store(ctx, {
            provider: name,
            connectionId,
            providerId: door.idOf(message),
            raw: kept,
            keepDays: door.keepDays ?? 90,
          })
          return { text: await doOnce(ctx, id, door, message) }
        } catch (error) {
          return { text: refuse(toFailure(error, log)) }
        }
      },
    },
    {
      own: true,
      raw: true,
      sends: door.sends ?? 'application/json',
      limit: 600,
      bodyLimit: door.bodyLimit ?? 262_144,
      summary: `What ${name} calls`,
    },
  )
}

function plainRefusal({ error, more }: Failure): ProviderAnswer {
  const { status, code, message } = errorAnswer(error, more)
  return { status, type: json, text: JSON.stringify({ code, message }) }
}

interface ReceivedMessage {
  provider: string
  connectionId: string
  providerId: string
  raw: Buffer
  keepDays: number
}

/** Stores the message, or finds the one that was sent before; in a transaction of its own, so that it stays whatever follows. */
function store(ctx: Ctx, { provider, connectionId, providerId, raw, keepDays }: ReceivedMessage): Promise<string> {
  return ctx.transaction(async (inner) => {
    await inner.sql.exec(sql`
      insert into provider_message ("companyId", "id", "provider", "connectionId", "providerId", "body", "expiresAt")
      values (${ctx.company.id}::uuid, uuidv7(), ${provider}, ${connectionId}::uuid, ${providerId}, ${raw}, now() + ${`${keepDays} days`}::interval) on conflict do nothing`)
    const { id } = await inner.sql.one<{ id: string }>(sql`
      select "id" from provider_message where "companyId" = ${ctx.company.id}::uuid and "provider" = ${provider} and "providerId" = ${providerId}`)
    return id
  })
}

/** Those who say the same at once wait for each other here; the first does it, the others get its answer. */
async function doOnce<Message>(
  ctx: Ctx,
  id: string,
  { run }: Pick<ProviderDoor<Message>, 'run'>,
  message: Message,
): Promise<ProviderAnswer> {
  try {
    return await ctx.transaction(async (inner) => {
      const row = await inner.sql.one<{ answer: string | null }>(
        sql`select "answer" from provider_message where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for update`,
      )
      if (row.answer !== null) return JSON.parse(row.answer) as ProviderAnswer
      const answer = await run(inner, message)
      await inner.sql.exec(
        sql`update provider_message set "doneAt" = now(), "answer" = ${JSON.stringify(answer)}, "lastError" = null where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`,
      )
      return answer
    })
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 500) : 'failed'
    await ctx.transaction((inner) =>
      inner.sql.exec(
        sql`update provider_message set "lastError" = ${message} where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`,
      ),
    )
    throw error
  }
}
