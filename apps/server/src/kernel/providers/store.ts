import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import { enqueueJob } from '../jobs/enqueue.ts'
import type { Ctx } from '../types.ts'

/** What is sent back to a provider, in its own format. */
export interface ProviderAnswer {
  status?: number
  type: string
  text: string
}

export interface ReceivedMessage {
  connectionId: string
  providerId: string
  raw: Buffer
}

/**
 * Stores messages as they came, or finds those that were sent before, in a transaction of its own: they stay whatever follows. Gives their ids by the
 * provider's own. With `finishAt` a job is written with them that does then what was left.
 */
export function storeAll(
  ctx: Ctx,
  { provider, keepDays, finishAt }: { provider: string; keepDays: number; finishAt?: Date | undefined },
  messages: readonly ReceivedMessage[],
): Promise<Map<string, string>> {
  const rows = messages.map(({ connectionId, providerId, raw }) => ({ connectionId, providerId, body: raw.toString('hex') }))
  return ctx.transaction(async (inner) => {
    const insert = inner.sql.exec(
      prepared(
        sql`
      insert into provider_message ("companyId", "id", "provider", "connectionId", "providerId", "body", "expiresAt")
      select ${ctx.company.id}::uuid, uuidv7(), ${provider}, "connectionId", "providerId", decode("body", 'hex'), now() + ${`${keepDays} days`}::interval
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g("connectionId" uuid, "providerId" text, "body" text) order by "providerId" on conflict do nothing`,
        'write',
      ),
    )
    // Sent behind it, without waiting for its answer.
    const select = inner.sql.query<{ id: string; providerId: string }>(
      prepared(
        sql`
      select "id", "providerId" from provider_message
      where "companyId" = ${ctx.company.id}::uuid and "provider" = ${provider} and "providerId" = any(${messages.map(({ providerId }) => providerId)}::text[])`,
        'write',
      ),
    )
    const [, found] = await Promise.all([insert, select])
    if (finishAt) await planFinish(inner, provider, finishAt)
    return new Map(found.map(({ id, providerId }) => [providerId, id]))
  })
}

export const finishMessages = 'providers.finishMessages'
const planFinish = (ctx: Ctx, provider: string, runAt: Date): Promise<unknown> => enqueueJob(ctx, finishMessages, { provider }, runAt)

type Work<Message> = (ctx: Ctx, messages: readonly Message[]) => Promise<ProviderAnswer[]>

/**
 * Does what follows from stored messages, once for each, in one transaction; gives the answers by id. What has an answer keeps it. Those who do the same at once
 * wait for each other here: rows are locked in one order.
 */
export function doAll<Message>(ctx: Ctx, stored: ReadonlyMap<string, Message>, work: Work<Message>): Promise<Map<string, ProviderAnswer>> {
  return ctx.transaction(async (inner) => {
    const rows = await inner.sql.query<{ id: string; answer: string | null }>(
      prepared(
        sql`select "id", "answer" from provider_message where "companyId" = ${ctx.company.id}::uuid and "id" = any(${[...stored.keys()]}::uuid[]) order by "id" for update`,
        'write',
      ),
    )
    const answers = new Map(
      rows.flatMap(({ id, answer }) => (answer === null ? [] : [[id, JSON.parse(answer) as ProviderAnswer] as const])),
    )
    const open = [...stored].filter(([id]) => !answers.has(id))
    if (open.length === 0) return answers
    const given = await work(
      inner,
      open.map(([, message]) => message),
    )
    const done = open.flatMap(([id], place) => {
      const answer = given[place]
      return answer ? [{ id, answer }] : []
    })
    await keepAnswers(inner, done)
    for (const { id, answer } of done) answers.set(id, answer)
    return answers
  })
}

const keepAnswers = (ctx: Ctx, done: readonly { id: string; answer: ProviderAnswer }[]) =>
  ctx.sql.exec(
    prepared(
      sql`
    update provider_message m set "doneAt" = now(), "answer" = g."answer", "lastError" = null
    from jsonb_to_recordset(${JSON.stringify(done.map(({ id, answer }) => ({ id, answer: JSON.stringify(answer) })))}::jsonb) as g("id" uuid, "answer" text)
    where m."companyId" = ${ctx.company.id}::uuid and m."id" = g."id"`,
      'write',
    ),
  )

/** One message by itself. What goes wrong is noted with it, and thrown. */
export async function doOnce<Message>(ctx: Ctx, id: string, message: Message, work: Work<Message>): Promise<ProviderAnswer> {
  try {
    const answer = (await doAll(ctx, new Map([[id, message]]), work)).get(id)
    if (!answer) throw new Error('the message has no answer')
    return answer
  } catch (error) {
    const words = error instanceof Error ? error.message.slice(0, 500) : 'failed'
    await ctx.transaction((inner) =>
      inner.sql.exec(
        sql`update provider_message set "lastError" = ${words} where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "doneAt" is null`,
      ),
    )
    throw error
  }
}
