import { createHash, randomBytes } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { trimPhone } from '@outpost/rules/phone'
import { enqueue } from '@outpost/platform/outbox'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { getRecord, updateRecord } from '../../kernel/resource/records.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { lead } from './lead.resource.ts'

/** Seconds between two requests to the same lead, and requests a day; messages cost money and patience. */
const coolDownSeconds = 60
const mostADay = 5
const validDays = 7
/** Raise when the words change; the evidence names the version a client answered. */
const textVersion = 'credit-check-1'

let smsDomain: string | undefined

/** Domain of the mail-to-SMS gateway; without one only clients with an e-mail address can be asked. */
export function useSmsDomain(domain: string | undefined): void {
  smsDomain = domain
}

/** Where a message to the client goes; undefined when no way leads there. */
export const consentAddress = (client: { emailAddress: string | null, mobileNumber: string }) =>
  client.emailAddress ?? (smsDomain ? `${client.mobileNumber}@${smsDomain}` : undefined)

/** The words a client agrees to; the evidence keeps their version and hash. */
export const consentText = (company: string) =>
  `${company} asks to check your credit record and to keep your details for this loan application. You may say no, and you may withdraw later.`

export const consentInput = z.strictObject({ tenantId: z.uuid().optional(), leadId: z.uuid(), mobileNumber: z.string().trim().max(25).optional() })

/**
 * Asks the client for consent to a credit check by a link, valid for 7 days. At most one a minute and 5 a day a lead.
 * The link is made inside the job that sends it, so that no secret lies in the queue.
 */
export async function requestConsent(ctx: Ctx, input: z.infer<typeof consentInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const found = await getRecord(inner, lead, input.leadId)
    if (found['consentStatus'] === 'GRANTED') fail('CONFLICT', { message: 'The client has granted consent already.' })
    if (input.tenantId && input.tenantId !== found['tenantId']) fail('INVALID', { fields: [{ field: 'tenantId', message: 'is not the tenant of this lead' }] })
    await refuseTooSoon(inner, input.leadId)
    const typed = input.mobileNumber ?? String(found['phonenumber'])
    const mobile = trimPhone(typed, inner.company.country) ?? fail('INVALID', { fields: [{ field: 'mobileNumber', message: 'is not a phone number' }] })
    const emailAddress = found['emailAddress'] as string | null
    if (!consentAddress({ emailAddress, mobileNumber: mobile })) {
      fail('NOT_CONFIGURED', { message: 'No SMS gateway is configured on this installation. Add an e-mail address to the lead, or ask the operator for one.' })
    }
    const row = await inner.sql.one<{ id: string, expiresAt: Date }>(sql`
      insert into lead_consent ("companyId", "id", "tenantId", "leadId", "channel", "mobileNumber", "textVersion", "textHash", "requestedByUserId", "expiresAt")
      values (${inner.company.id}, gen_random_uuid(), ${found['tenantId'] as string}, ${input.leadId}, ${emailAddress ? 'E-MAIL' : 'SMS'}, ${mobile},
        ${textVersion}, ${createHash('sha256').update(consentText(inner.company.name)).digest()}, ${inner.user.id}, now() + ${`${validDays} days`}::interval)
      returning "id", "expiresAt"`)
    await enqueue(inner.sql, [
      { companyId: inner.company.id, userId: inner.user.id, type: 'leads.sendConsent', payload: { consentId: row.id, tenantId: found['tenantId'] } },
      { companyId: inner.company.id, userId: null, type: 'leads.expireConsent', payload: { consentId: row.id }, runAt: row.expiresAt },
    ])
    const saved = await updateRecord(inner, lead, input.leadId, {
      consentStatus: 'REQUESTED', ...(['Contacted', 'Nurture'].includes(String(found['status'])) ? { status: 'Consent requested' } : {}),
    })
    return { data: { lead: saved, consentId: row.id }, message: 'Consent request sent.' }
  })
}

/** Requests of the last 24 hours, how many a day there may be, and seconds until the next one is allowed (0: now). */
export async function consentPause(ctx: Ctx, leadId: string): Promise<{ today: number, mostADay: number, retryAfterSeconds: number }> {
  const sent = await ctx.sql.one<{ today: number, since: number | null }>(sql`
    select count(*)::int as today, extract(epoch from now() - max("requestedAt"))::float8 as since from lead_consent
    where "companyId" = ${ctx.company.id} and "leadId" = ${leadId} and "requestedAt" > now() - interval '1 day'`)
  return { today: sent.today, mostADay, retryAfterSeconds: sent.since === null ? 0 : Math.max(0, Math.ceil(coolDownSeconds - sent.since)) }
}

async function refuseTooSoon(ctx: Ctx, leadId: string): Promise<void> {
  const { today, retryAfterSeconds } = await consentPause(ctx, leadId)
  if (retryAfterSeconds > 0) fail('COOL_DOWN', { details: { retryAfterSeconds } })
  if (today >= mostADay) fail('COOL_DOWN', { message: `This client was asked ${mostADay} times today. Try again tomorrow.`, details: { retryAfterSeconds: 86_400 } })
}

export const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Makes the link's secret; called by the job that sends it. The token names the company, so that the public page finds the row under its wall. */
export async function issueConsentLink(ctx: Ctx, consentId: string): Promise<{ token: string, mobileNumber: string, emailAddress: string | null, name: string } | undefined> {
  const token = `${ctx.company.id}.${randomBytes(32).toString('base64url')}`
  return ctx.sql.maybe(sql`
    update lead_consent c set "tokenHash" = ${hashOf(token)} from lead l
    where c."companyId" = ${ctx.company.id} and c."id" = ${consentId} and c."status" = 'REQUESTED' and l."companyId" = c."companyId" and l."id" = c."leadId"
    returning ${token}::text as token, c."mobileNumber" as "mobileNumber", l."emailAddress" as "emailAddress", l."firstName" as name`)
}
