import { fail } from '@outpost/contract/errors'
import { z } from 'zod'
import { createRecord, getRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { planVisit } from '../loans/index.ts'
import { reachOf, messageClients } from '../messages/index.ts'
import { collection } from './collection.resource.ts'
import { loanContact, outcomes } from './contact.resource.ts'
import { dunningActions } from './dunning.resource.ts'

const oneOf = (options: readonly { value: string }[]) =>
  z.string().refine((text) => options.some(({ value }) => value === text), `must be one of ${options.map(({ value }) => value).join(', ')}`)
const note = z.string().trim().max(1_000).nullable().optional()
export const contactInput = z.strictObject({ id: idSchema, action: oneOf(dunningActions), outcome: oneOf(outcomes), note })

/** Notes what was done about a late loan; the step it was due for is done by it. */
export async function contact(ctx: Ctx, { id, ...given }: z.infer<typeof contactInput>): Promise<Answer> {
  return noted(ctx, await getRecord(ctx, collection, id), given, 'Noted')
}

async function noted(ctx: Ctx, row: WireRecord, given: object, message: string): Promise<Answer> {
  const { Id } = await createRecord(
    ctx,
    loanContact,
    {},
    { ...given, loanId: row.Id, clientId: row['clientId'], tenantId: row['tenantId'], daysPastDue: row['daysPastDue'] },
  )
  return { data: { loanContact: await getRecord(ctx, loanContact, Id) }, message }
}

const text = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(480)
  .refine((words) => !words.includes('\0'), 'may not hold the NUL character')
export const messageInput = z.strictObject({ id: idSchema, channel: z.enum(['sms', 'mail']), text })

/** Sends the client of a late loan a message, and notes that it was done. INVALID on channel where the client has no number or address. */
export async function sendMessage(ctx: Ctx, { id, channel, text: words }: z.infer<typeof messageInput>): Promise<Answer> {
  const row = await getRecord(ctx, collection, id)
  const [reach] = await reachOf(ctx, [String(row['clientId'])])
  const sentTo = reach?.[channel]
  if (!reach || !sentTo) {
    const message = channel === 'mail' ? 'cannot be e-mail: no address is known' : 'cannot be SMS: no number is known'
    return fail('INVALID', { fields: [{ field: 'channel', message }] })
  }
  const { clientId, tenantId } = reach
  const subject = `${ctx.company.name}: your loan ${String(row['loanNumber'])}`
  await messageClients(ctx, [{ clientId, tenantId, kind: 'reminder', channel, subject, text: words, sentTo }])
  return noted(ctx, row, { action: 'Message', outcome: 'Sent', note: words }, `Message is sent to ${sentTo}`)
}

export const visitInput = z.strictObject({ id: idSchema, startDate: z.iso.datetime({ offset: true }), note })
export const visitAnswer = z.strictObject({ activityId: idSchema })

/** Plans a visit of the caller to the client of a late loan. */
export async function visit(ctx: Ctx, { id, startDate, note: about }: z.infer<typeof visitInput>): Promise<Answer> {
  const row = await getRecord(ctx, collection, id)
  const activityId = await planVisit(ctx, {
    name: `Visit about loan ${String(row['loanNumber'])}`,
    description: about ?? `${String(row['daysPastDue'])} days past due.`,
    tenantId: String(row['tenantId']),
    clientId: String(row['clientId']),
    people: [ctx.user.id],
    start: new Date(startDate),
  })
  if (!activityId)
    return fail('INVALID', { fields: [{ field: 'startDate', message: 'needs a type of activity in this branch: make one first' }] })
  return { data: { activityId }, message: 'Visit planned' }
}
