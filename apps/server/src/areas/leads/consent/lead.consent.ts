import { createHash } from 'node:crypto'
import { fail, failField } from '@outpost/contract/errors'
import { enqueue } from '@outpost/platform/outbox'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { makeLinkToken } from '../../../kernel/public/link.ts'
import { getRecord, updateRecord, type WireRecord } from '../../../kernel/resource/records.ts'
import { hashSecret } from '../../../kernel/session/tokens/opaque.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Setting } from '../../../kernel/settings/define.ts'
import { settingOf } from '../../../kernel/settings/read.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { contactFor, refuseSecondMarketing, type Contact, type SmsDomain } from './lead.contact.ts'
import { familyOf } from '../merging/lead.family.ts'
import { lead } from '../lead.resource.ts'
import { consentSettings } from './consent.settings.ts'

/** What consent is asked for. Marketing is asked once a person and a no to it is final (domain rule 4.2). */
export const consentPurposes = ['CREDIT_CHECK', 'MARKETING'] as const
export type ConsentPurpose = (typeof consentPurposes)[number]
/** Raise when the words change; the evidence names the version a client answered. */
const textVersions: Record<ConsentPurpose, string> = { CREDIT_CHECK: 'credit-check-1', MARKETING: 'marketing-1' }

/** The words a client agrees to; the evidence keeps their version and hash. */
export const consentText = (company: string, purpose: ConsentPurpose) =>
  purpose === 'MARKETING'
    ? `${company} asks to send you offers of its loans and services by phone, SMS and e-mail. You may say no, and you may withdraw later. You will not be asked again.`
    : `${company} asks to check your credit record and to keep your details for this loan application. You may say no, and you may withdraw later.`

export const consentInput = z.strictObject({
  tenantId: idSchema.optional(),
  leadId: idSchema,
  mobileNumber: z.string().trim().max(25).optional(),
  purpose: z.enum(consentPurposes).nullish(),
})

/**
 * Asks the client for consent by a link at the lead's own contact points, no
 * oftener than the settings of the lead's tenant allow; links sent before for the same purpose end. The link is made inside the job that sends it, so that
 * no secret lies in the queue.
 */
export async function requestConsent(ctx: Ctx, input: z.infer<typeof consentInput>, smsDomain: SmsDomain): Promise<Answer> {
  const purpose = input.purpose ?? 'CREDIT_CHECK'
  return withStream(ctx, async (inner) => {
    const found = await getRecord(inner, lead, input.leadId)
    if (purpose === 'CREDIT_CHECK' && found['consentStatus'] === 'GRANTED')
      fail('CONFLICT', { message: 'The client has granted consent already.' })
    if (input.tenantId && input.tenantId !== found['tenantId']) failField('tenantId', 'is not the tenant of this lead')
    const contact = await contactFor(inner, found, { typed: input.mobileNumber, smsDomain })
    if (purpose === 'MARKETING') await refuseSecondMarketing(inner, input.leadId, contact)
    await refuseTooSoon(inner, input.leadId)
    await endOpenRequests(inner, input.leadId, purpose)
    const consentId = await fileRequest(inner, found, { ...contact, purpose })
    const saved =
      purpose === 'MARKETING'
        ? found
        : await updateRecord(inner, lead, input.leadId, {
            consentStatus: 'REQUESTED',
            ...(['Contacted', 'Nurture'].includes(String(found['status'])) ? { status: 'Consent requested' } : {}),
          })
    return { data: { lead: saved, consentId }, message: 'Consent request sent.' }
  })
}

interface Filing extends Contact {
  purpose: ConsentPurpose
}

/** Files the request and hands its sending and its end over to jobs. */
async function fileRequest(ctx: Ctx, found: WireRecord, { mobileNumber, emailAddress, purpose }: Filing): Promise<string> {
  const validDays = await settingOf(ctx, consentSettings.validDays, String(found['tenantId']))
  const row = await ctx.sql.one<{ id: string; expiresAt: Date }>(sql`
    insert into lead_consent ("companyId", "id", "tenantId", "leadId", "purpose", "channel", "mobileNumber", "textVersion", "textHash", "requestedByUserId", "expiresAt")
    values (${ctx.company.id}, gen_random_uuid(), ${String(found['tenantId'])}, ${found.Id}, ${purpose}, ${emailAddress ? 'E-MAIL' : 'SMS'}, ${mobileNumber},
      ${textVersions[purpose]}, ${createHash('sha256').update(consentText(ctx.company.name, purpose)).digest()}, ${ctx.user.id}, now() + ${`${validDays} days`}::interval)
    returning "id", "expiresAt"`)
  await enqueue(ctx.sql, [
    {
      companyId: ctx.company.id,
      userId: ctx.user.id,
      type: 'leads.sendConsent',
      payload: { consentId: row.id, tenantId: found['tenantId'] },
    },
    { companyId: ctx.company.id, userId: null, type: 'leads.expireConsent', payload: { consentId: row.id }, runAt: row.expiresAt },
  ])
  return row.id
}

/** Ends the links of a lead and of those merged into it that nobody has answered: after a new request, an answer or a withdrawal they count no more. */
export async function endOpenRequests(ctx: Ctx, leadId: string, purpose: string): Promise<void> {
  await ctx.sql.exec(sql`
    update lead_consent set "status" = 'EXPIRED' where "companyId" = ${ctx.company.id} and "leadId" in ${familyOf(ctx, leadId)} and "purpose" = ${purpose} and "status" = 'REQUESTED'`)
}

/** Requests of the last 24 hours, how many a day there may be, and seconds until the next one is allowed (0: now). */
export async function consentPause(ctx: Ctx, leadId: string): Promise<{ today: number; maxPerDay: number; retryAfterSeconds: number }> {
  const sent = await ctx.sql.one<{ today: number; since: number | null; tenantId: string | null }>(sql`
    select count(*)::int as today, extract(epoch from now() - max("requestedAt"))::float8 as since,
      (select l."tenantId" from lead l where l."companyId" = ${ctx.company.id} and l."id" = ${leadId}) as "tenantId" from lead_consent
    where "companyId" = ${ctx.company.id} and "leadId" = ${leadId} and "requestedAt" > now() - interval '1 day'`)
  const ofLead = (setting: Setting) => settingOf(ctx, setting, sent.tenantId ?? ctx.tenant.id)
  const [minutes, maxPerDay] = await Promise.all([ofLead(consentSettings.coolDownMinutes), ofLead(consentSettings.perDay)])
  return { today: sent.today, maxPerDay, retryAfterSeconds: sent.since === null ? 0 : Math.max(0, Math.ceil(minutes * 60 - sent.since)) }
}

async function refuseTooSoon(ctx: Ctx, leadId: string): Promise<void> {
  const { today, maxPerDay, retryAfterSeconds } = await consentPause(ctx, leadId)
  if (retryAfterSeconds > 0) fail('COOL_DOWN', { details: { retryAfterSeconds } })
  if (today >= maxPerDay)
    fail('COOL_DOWN', {
      message: `This client was asked ${maxPerDay} times today. Try again tomorrow.`,
      details: { retryAfterSeconds: 86_400 },
    })
}

/** Makes the link's secret; called by the job that sends it. The token names the company, so that the public page finds the row under its wall. */
export async function issueConsentLink(
  ctx: Ctx,
  consentId: string,
): Promise<(Contact & { token: string; purpose: ConsentPurpose; name: string; expiresAt: Date }) | undefined> {
  const token = makeLinkToken(ctx.company.id)
  return ctx.sql.maybe(sql`
    update lead_consent c set "tokenHash" = ${hashSecret(token)} from lead l
    where c."companyId" = ${ctx.company.id} and c."id" = ${consentId} and c."status" = 'REQUESTED' and l."companyId" = c."companyId" and l."id" = c."leadId"
    returning ${token}::text as token, c."purpose", c."mobileNumber" as "mobileNumber", l."emailAddress" as "emailAddress", l."firstName" as name, c."expiresAt"`)
}
