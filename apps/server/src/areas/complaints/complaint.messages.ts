import { fail } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { nameOf } from '../../kernel/names.ts'
import { getRecord, updateRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx, JobDefinition } from '../../kernel/types.ts'
import { messageClients } from '../messages/index.ts'
import { factsOf, letterTitles, paragraphsOf, type Facts, type LetterKind } from './complaint.letters.ts'
import { ways } from './complaint.options.ts'
import { complaint } from './complaint.resource.ts'

const wayNames = ways.map(({ value }) => value)
export const replyInput = z.strictObject({
  id: idSchema,
  way: z.enum(wayNames),
  text: z
    .string()
    .trim()
    .min(1, 'is required')
    .max(4_000)
    .refine((text) => !text.includes('\0'), 'may not hold the NUL character'),
})
export const letterInput = z.strictObject({
  id: idSchema,
  kind: z.enum(['acknowledgement', 'status']),
  way: z.enum(['mail', 'post']).default('mail'),
})
const message = z.strictObject({
  Id: identifierSchema,
  at: z.iso.datetime(),
  kind: z.enum(['reply', 'acknowledgement', 'status']),
  way: z.enum(wayNames),
  text: z.string(),
  sentTo: z.string().nullable(),
  state: z.enum(['Waiting', 'Sent', 'Failed']).nullable(),
  who: z.string(),
})
export const messagesAnswer = z.strictObject({ messages: z.array(message) })
export const messageAnswer = z.strictObject({ message: z.strictObject({ Id: identifierSchema }) })

interface NewMessage {
  id: string
  kind: 'reply' | LetterKind
  way: (typeof wayNames)[number]
  text: string
}

/** Stores a message to the client, and mails it where that was chosen. INVALID on way when there is no address. */
async function storeMessage(ctx: Ctx, { id, kind, way, text }: NewMessage): Promise<string> {
  const facts = await factsOf(ctx, id)
  const sentTo = way === 'mail' ? (facts?.email ?? null) : null
  if (way === 'mail' && sentTo === null) fail('INVALID', { fields: [{ field: 'way', message: 'cannot be e-mail: no address is known' }] })
  const [messageId = null] = facts && sentTo !== null ? await messageClients(ctx, [letterOf(ctx, { id, kind, text, facts, sentTo })]) : []
  const { Id } = await ctx.sql.one<{ Id: string }>(sql`
    insert into complaint_message ("companyId", "complaintId", "kind", "way", "text", "sentTo", "messageId", "userId", "realUserId", "at")
    values (${ctx.company.id}::uuid, ${id}::uuid, ${kind}, ${way}, ${text}, ${sentTo}, ${messageId}::uuid, ${ctx.user.id}::uuid, ${ctx.realUser.id}::uuid, clock_timestamp()) returning "id" as "Id"`)
  return Id
}

function letterOf(
  { company }: Ctx,
  { id, kind, text, facts, sentTo }: Omit<NewMessage, 'way'> & { facts: Facts; sentTo: string },
): Parameters<typeof messageClients>[1][number] {
  const title = kind === 'reply' ? 'About your complaint' : letterTitles[kind]
  return {
    clientId: facts.clientId,
    tenantId: facts.tenantId,
    complaintId: id,
    kind: 'complaint',
    channel: 'mail',
    subject: `${company.name}: ${title} (${facts.number})`,
    text: [`Dear ${facts.name},`, '', text, '', facts.handler ?? company.name, company.name].join('\n'),
    sentTo,
  }
}

/** Sends what a server of the version before has queued, while both run. */
export const formerMailJob: JobDefinition<{ complaintId: string; messageId: string }> = {
  name: 'complaints.mail',
  run: async (ctx, { complaintId: id, messageId }) => {
    const facts = await factsOf(ctx, id)
    const told = await ctx.sql.maybe<Pick<NewMessage, 'kind' | 'text'> & { sentTo: string }>(sql`
      select "kind", "text", "sentTo" from complaint_message where "companyId" = ${ctx.company.id}::uuid and "id" = ${messageId}::uuid and "sentTo" is not null`)
    if (facts && told) await messageClients(ctx, [letterOf(ctx, { id, facts, ...told })])
  },
}

/** Writes down a reply to the client: the first one stops the clock of the first response, and nothing else does. */
export async function replyToClient(ctx: Ctx, { id, way, text }: z.infer<typeof replyInput>): Promise<Answer> {
  const record = await getRecord(ctx, complaint, id)
  const Id = await storeMessage(ctx, { id, kind: 'reply', way, text })
  if (record['firstResponseAt'] === null) await updateRecord(ctx, complaint, id, { firstResponseAt: new Date() })
  return { data: { message: { Id } }, message: 'Reply written down' }
}

/** Mails a letter, or writes down that it went by post. It is no reply: the first-response clock runs on. */
export async function sendLetter(ctx: Ctx, { id, kind, way }: z.infer<typeof letterInput>): Promise<Answer> {
  await getRecord(ctx, complaint, id)
  const Id = await writeLetter(ctx, { id, kind, way })
  return { data: { message: { Id } }, message: way === 'mail' ? 'Letter sent' : 'Letter written down' }
}

/** The letter of a complaint by mail or post, as the caller sends it. */
export async function writeLetter(ctx: Ctx, { id, kind, way }: { id: string; kind: LetterKind; way: 'mail' | 'post' }): Promise<string> {
  const facts = await factsOf(ctx, id)
  if (!facts) return fail('NOT_FOUND')
  return storeMessage(ctx, { id, kind, way, text: [letterTitles[kind], ...(await paragraphsOf(ctx, kind, facts))].join('\n\n') })
}

/** Messages to the client about a complaint that the caller sees, newest first. */
export async function messagesOf(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, complaint, id)
  const messages = await ctx.sql.query(sql`
    select m."id" as "Id", m."at", m."kind", m."way", m."text", m."sentTo", s."status" as state, coalesce(nullif(${nameOf('u')}, ''), 'Outpost') as who
    from complaint_message m left join client_message s on s."companyId" = m."companyId" and s."id" = m."messageId" left join app_user u on u."companyId" = m."companyId" and u."id" = m."userId"
    where m."companyId" = ${ctx.company.id}::uuid and m."complaintId" = ${id}::uuid order by m."at" desc, m."id" desc limit 500`)
  return { data: { messages } }
}
