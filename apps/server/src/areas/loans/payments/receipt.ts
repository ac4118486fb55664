import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { enqueue } from '@outpost/platform/outbox'
import { moneyText } from '@outpost/rules/money'
import { z } from 'zod'
import { getRecord } from '../../../kernel/resource/records.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import { choiceSetting } from '../../../kernel/settings/define.ts'
import { choiceOf } from '../../../kernel/settings/read.ts'
import { wordingFor } from '../../../kernel/settings/wording.ts'
import type { Answer, Ctx, JobDefinition } from '../../../kernel/types.ts'
import { channelsFor, reachOf, receiptChannels, messageClients, type Channel, type NewMessage, type Reach } from '../../messages/index.ts'
import { payment } from './payment.resource.ts'

export const receiptsBy = choiceSetting({
  name: 'receiptsBy',
  section: 'credit',
  label: 'Receipts of payments',
  help: 'How clients get the receipt of a payment that was booked on their loan. A client may have another way; any receipt can be sent by hand.',
  level: 'company',
  options: receiptChannels,
})

const jobName = 'loans.receipts'

/** Has receipts sent of payments that were booked on loans, to clients who get them. In the running transaction. */
export async function planReceipts(ctx: Ctx, paymentIds: readonly string[]): Promise<void> {
  if (paymentIds.length === 0) return
  const wanted = await wantedBy(ctx, paymentIds)
  if (wanted.length === 0) return
  const payload = { paymentIds: wanted.map(({ id }) => id) }
  await enqueue(ctx.sql, { companyId: ctx.company.id, userId: null, type: jobName, payload })
}

interface Wanted {
  id: string
  clientId: string
  way: string
}
/** Those of the payments whose client gets a receipt. What the company pays itself, of a top-up, needs none. */
async function wantedBy(ctx: Ctx, paymentIds: readonly string[]): Promise<Wanted[]> {
  return ctx.sql.query<Wanted & Record<string, unknown>>(sql`
    select w.* from (
      select p."id", p."clientId", coalesce(c."receiptsBy", ${await choiceOf(ctx, receiptsBy)}) as way from payment p join client c on c."companyId" = p."companyId" and c."id" = p."clientId"
      where p."companyId" = ${ctx.company.id}::uuid and p."id" = any(${[...paymentIds]}::uuid[]) and p."status" = 'Posted' and p."method" <> 'topUp') w
    where w.way <> 'none' order by w."id"`)
}

/** Writes the receipts of payments, as they are when it runs: what was taken back meanwhile gets none. */
export const receiptsJob: JobDefinition<{ paymentIds: string[] }> = {
  name: jobName,
  run: async (ctx, { paymentIds }) => {
    const wanted = await wantedBy(ctx, paymentIds)
    const reached = new Map(
      (
        await reachOf(
          ctx,
          wanted.map(({ clientId }) => clientId),
        )
      ).map((one) => [one.clientId, one]),
    )
    const messages: NewMessage[] = []
    for (const { id, clientId, way } of wanted) {
      const reach = reached.get(clientId)
      if (!reach) continue
      for (const channel of channelsFor(way, reach)) messages.push(await receiptOf(ctx, { paymentId: id, channel, reach }))
    }
    await messageClients(ctx, messages)
  },
}

export const sendInput = z.strictObject({ id: idSchema, channel: z.enum(['mail', 'sms']) })

/** Sends the receipt of a payment by hand, once more where it was sent before. INVALID on channel where the client has no address or number for it. */
export async function sendReceipt(ctx: Ctx, { id, channel }: z.infer<typeof sendInput>): Promise<Answer> {
  const record = await getRecord(ctx, payment, id)
  const { status, clientId } = record
  if (status !== 'Posted') fail('CONFLICT', { message: `This payment is ${String(status)}: there is no receipt to send.` })
  const [reach] = typeof clientId === 'string' ? await reachOf(ctx, [clientId]) : []
  if (!reach?.[channel])
    return fail('INVALID', {
      fields: [
        { field: 'channel', message: channel === 'mail' ? 'cannot be e-mail: no address is known' : 'cannot be SMS: no number is known' },
      ],
    })
  await messageClients(ctx, [await receiptOf(ctx, { paymentId: id, channel, reach })])
  return { data: { payment: record }, message: `Receipt is sent to ${reach[channel]}` }
}

interface Facts {
  number: string
  amount: string
  paidOn: string
  reference: string | null
  loan: string
  owed: string
  overpaid: string
  parts: { instalment: number; part: string; amount: string }[]
}
const factsOf = (ctx: Ctx, paymentId: string) =>
  ctx.sql.one<Facts & Record<string, unknown>>(sql`
    select 'R-' || lpad(p."number"::text, greatest(6, length(p."number"::text)), '0') as number, p."amount"::text, to_char(p."paidOn", 'YYYY-MM-DD') as "paidOn", p."providerReference" as reference,
      'L-' || lpad(l."number"::text, greatest(6, length(l."number"::text)), '0') as loan, (l."principalOwed" + l."interestOwed" + l."feesOwed" + l."penaltiesOwed")::text as owed, l."overpaid"::text,
      coalesce((select jsonb_agg(jsonb_build_object('instalment', a."number", 'part', a."part", 'amount', a."amount"::text) order by a."number", a."part")
        from payment_allocation a where a."companyId" = p."companyId" and a."paymentId" = p."id" and a."supersededAt" is null), '[]') as parts
    from payment p join loan l on l."companyId" = p."companyId" and l."id" = p."loanId"
    where p."companyId" = ${ctx.company.id}::uuid and p."id" = ${paymentId}::uuid`)

async function receiptOf(
  ctx: Ctx,
  { paymentId, channel, reach }: { paymentId: string; channel: Channel; reach: Reach },
): Promise<NewMessage> {
  const [facts, { money, day }] = [await factsOf(ctx, paymentId), await wordingFor(ctx.company)]
  // A blank that does not break is no character of an SMS: with one the message takes twice the room.
  const amount = (text: string) => money(moneyText(text)).replaceAll('\u00a0', ' ')
  const reference = facts.reference ? `, reference ${facts.reference}` : ''
  const said = `We received ${amount(facts.amount)} on ${day(facts.paidOn)} for loan ${facts.loan} (receipt ${facts.number}${reference}).`
  const left = Number(facts.overpaid) > 0 ? `Overpaid: ${amount(facts.overpaid)}.` : `Still owed: ${amount(facts.owed)}.`
  const parts = facts.parts.map(
    ({ instalment, part, amount: of }) => `- ${instalment === 0 ? '' : `instalment ${instalment}, `}${part}: ${amount(of)}`,
  )
  return {
    clientId: reach.clientId,
    tenantId: reach.tenantId,
    paymentId,
    kind: 'receipt',
    channel,
    subject: `${ctx.company.name}: receipt ${facts.number}`,
    text:
      channel === 'sms'
        ? `${ctx.company.name}: ${said} ${left}`.slice(0, 480)
        : [
            `Dear ${reach.name},`,
            '',
            said,
            ...(parts.length > 0 ? ['', 'It was used for:', ...parts] : []),
            '',
            left,
            '',
            ctx.company.name,
          ].join('\n'),
    sentTo: reach[channel] ?? '',
  }
}
