import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { getRecord, updateRecord } from '../../../kernel/resource/records.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { userName } from '../../../kernel/names.ts'
import { consentPause, consentPurposes, endOpenRequests } from './lead.consent.ts'
import { familyOf } from '../merging/lead.family.ts'
import { lead } from '../lead.resource.ts'

/** Every request for a lead's consent with its evidence, newest first, and when the next one may be sent. */
export async function leadConsents(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, lead, id)
  const consents = await ctx.sql.query(sql`
    select t."id" as "Id", t."purpose", t."channel", t."mobileNumber", t."textVersion", encode(t."textHash", 'hex') as "textHash",
      case when t."status" = 'REQUESTED' and t."expiresAt" <= now() then 'EXPIRED' else t."status" end as status,
      t."requestedAt", t."answeredAt", t."expiresAt", t."withdrawnAt", t."reason", t."evidence"->>'ip' as ip, t."evidence"->>'userAgent' as device,
      ${userName(sql`t."companyId"`, sql`t."requestedByUserId"`)} as who
    from lead_consent t where t."companyId" = ${ctx.company.id} and t."leadId" in ${familyOf(ctx, id)} order by t."requestedAt" desc limit 200`)
  const pause = await consentPause(ctx, id)
  return { data: { consents, requests: { total: consents.length, ...pause, note: noteOf(consents.length, pause) } } }
}

function noteOf(total: number, { today, maxPerDay, retryAfterSeconds }: Awaited<ReturnType<typeof consentPause>>): string {
  if (total === 0) return ''
  const next =
    today >= maxPerDay
      ? 'no more may be sent today'
      : retryAfterSeconds > 0
        ? `the next one may be sent in ${retryAfterSeconds} seconds`
        : 'another one may be sent'
  return `Asked ${total === 1 ? 'once' : `${total} times`}, ${today} of ${maxPerDay} today; ${next}.`
}

export const withdrawInput = z.strictObject({
  id: idSchema,
  purpose: z.enum(consentPurposes).nullish(),
  reason: z.string().trim().min(1, 'Say why consent is withdrawn.').max(300),
})

/** Records that the client took back consent; what was granted stays in the evidence, and no older link can bring it back. */
export async function withdrawConsent(ctx: Ctx, { id, reason, purpose }: z.infer<typeof withdrawInput>): Promise<Answer> {
  const about = purpose ?? 'CREDIT_CHECK'
  return withStream(ctx, async (inner) => {
    const found = await getRecord(inner, lead, id)
    const withdrawn = await inner.sql.exec(sql`
      update lead_consent set "status" = 'WITHDRAWN', "withdrawnAt" = now(), "reason" = ${reason}
      where "companyId" = ${inner.company.id} and "leadId" in ${familyOf(inner, id)} and "purpose" = ${about} and "status" = 'GRANTED'`)
    const isGranted = about === 'MARKETING' ? withdrawn > 0 : found['consentStatus'] === 'GRANTED'
    if (!isGranted) fail('ILLEGAL_TRANSITION', { message: 'Only consent that was granted can be withdrawn.', details: { allowed: [] } })
    await endOpenRequests(inner, id, about)
    const saved =
      about === 'MARKETING' ? found : await updateRecord(inner, lead, id, { consentStatus: 'WITHDRAWN', consentDate: new Date() })
    return { data: { lead: saved }, message: 'Consent withdrawn.' }
  })
}
