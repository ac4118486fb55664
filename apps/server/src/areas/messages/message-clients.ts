import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { enqueue } from '@outpost/platform/outbox'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import { getRecord, type WireRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { accusedOf, clientMessage, type Channel } from './message.resource.ts'

/** The job that sends one message. */
export const sendJobName = 'clientMessages.send'

export interface NewMessage {
  /** Null where the person is no client of ours. */
  clientId: string | null
  tenantId: string
  paymentId?: string
  complaintId?: string
  kind: 'receipt' | 'complaint' | 'reminder'
  channel: Channel
  subject: string
  text: string
  /** An address, or a number in international form without the plus. */
  sentTo: string
}

/** Stores messages to clients and has the outbox send them, in the running transaction. Gives their ids, in order. */
export async function messageClients(ctx: Ctx, messages: readonly NewMessage[]): Promise<string[]> {
  if (messages.length === 0) return []
  const accused = await accusedOf(
    ctx,
    messages.flatMap(({ complaintId }) => complaintId ?? []),
  )
  const made = await writeRecords(
    ctx,
    clientMessage,
    messages.map(({ subject, ...rest }) => {
      const columns = { ...rest, subject: subject.slice(0, 200), hiddenFromUserId: accused.get(rest.complaintId ?? '') ?? null }
      return { kind: 'create' as const, input: {}, columns }
    }),
  )
  const { id: companyId } = ctx.company
  await enqueue(
    ctx.sql,
    made.map(({ id }) => ({ companyId, userId: null, type: sendJobName, payload: { messageId: id } })),
  )
  return made.map(({ id }) => id)
}

/** Where clients are reached: their own address and number first, then those among their contacts. */
export interface Reach {
  clientId: string
  tenantId: string
  name: string
  mail: string | null
  sms: string | null
}

export const reachOf = (ctx: Ctx, clientIds: readonly string[]): Promise<Reach[]> =>
  ctx.sql.query<Reach & Record<string, unknown>>(sql`
    select c."id" as "clientId", c."tenantId", concat_ws(' ', c."firstName", c."lastName") as name,
      coalesce(nullif(c."emailAddress", ''), (select k."value" from client_contact k where k."companyId" = c."companyId" and k."clientId" = c."id" and k."kind" = 'E-mail' order by k."id" limit 1)) as mail,
      nullif(c."trimmedPhonenumber", '') as sms
    from client c where c."companyId" = ${ctx.company.id}::uuid and c."id" = any(${[...clientIds]}::uuid[]) and c."deletedAt" is null`)

const waiting = { message: 'This message is on its way already.' }

/** Sends a message once more, as a message of its own. CONFLICT while it, or the same one again, is on its way. */
export async function resendMessage(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, clientMessage, id)
  await ctx.sql.exec(sql`select from client_message where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for update`)
  const record = await getRecord(ctx, clientMessage, id)
  const { channel, sentTo, subject, text } = record
  const isWaiting = await ctx.sql.maybe(sql`
    select from client_message where "companyId" = ${ctx.company.id}::uuid and "status" = 'Waiting' and "channel" = ${String(channel)} and "sentTo" = ${String(sentTo)}
      and "subject" = ${String(subject)} and "text" = ${String(text)} limit 1`)
  if (isWaiting) fail('CONFLICT', waiting)
  const [made] = await messageClients(ctx, [messageOf(record)])
  return { data: { clientMessage: await getRecord(ctx, clientMessage, made ?? fail('NOT_FOUND')) }, message: 'The message is sent again' }
}

function messageOf(record: WireRecord): NewMessage {
  const of = (key: string) => (typeof record[key] === 'string' ? record[key] : null)
  const [paymentId, complaintId] = [of('paymentId'), of('complaintId')]
  return {
    clientId: of('clientId'),
    tenantId: of('tenantId') ?? '',
    ...(paymentId ? { paymentId } : {}),
    ...(complaintId ? { complaintId } : {}),
    kind: record['kind'] as NewMessage['kind'],
    channel: record['channel'] as Channel,
    subject: of('subject') ?? '',
    text: of('text') ?? '',
    sentTo: of('sentTo') ?? '',
  }
}
