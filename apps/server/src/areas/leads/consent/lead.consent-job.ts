import { sql } from '@outpost/platform/db/sql'
import type { Mail } from '@outpost/platform/mail'
import { updateRecord } from '../../../kernel/resource/records.ts'
import { session } from '../../../kernel/session/services.ts'
import { wordingFor } from '../../../kernel/settings/wording.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import type { JobDefinition } from '../../../kernel/types.ts'
import { consentText, issueConsentLink } from './lead.consent.ts'
import { consentAddress, type SmsDomain } from './lead.contact.ts'
import { lead } from '../lead.resource.ts'

/** Sends a consent request by e-mail, or by SMS through the mail-to-SMS gateway. The link is made here, so that it is never in a queue. */
export function sendConsentJob(mail: Mail, smsDomain: SmsDomain): JobDefinition<{ consentId: string }> {
  return {
    name: 'leads.sendConsent',
    run: async (ctx, { consentId }, { id }) => {
      const link = await issueConsentLink(ctx, consentId)
      if (!link) return
      const to = consentAddress(link, smsDomain)
      if (!to) throw new Error('no SMS gateway is configured (SMS_MAIL_DOMAIN)')
      const until = (await wordingFor(ctx.company)).moment(link.expiresAt)
      const address = new URL(`/consent/${link.token}`, session().publicUrl).href
      const text = [
        `Hello ${link.name},`,
        '',
        consentText(ctx.company.name, link.purpose),
        '',
        `Open this link until ${until} to say yes or no:`,
        address,
      ].join('\n')
      await mail.send({ to, subject: `${ctx.company.name}: your consent`, text, idempotencyKey: id })
    },
  }
}

/** Ends a request that nobody answered in its time; the lead shows EXPIRED unless a later request is still open. */
export const expireConsentJob: JobDefinition<{ consentId: string }> = {
  name: 'leads.expireConsent',
  run: (job, { consentId }) =>
    withStream(job, async (ctx) => {
      const ended = await ctx.sql.maybe<{ leadId: string; purpose: string }>(sql`
      update lead_consent set "status" = 'EXPIRED' where "companyId" = ${ctx.company.id} and "id" = ${consentId} and "status" = 'REQUESTED' and "expiresAt" <= now() returning "leadId", "purpose"`)
      if (ended?.purpose !== 'CREDIT_CHECK') return
      const waiting = await ctx.sql.maybe(sql`
      select from lead l where l."companyId" = ${ctx.company.id} and l."id" = ${ended.leadId} and l."deletedAt" is null and l."consentStatus" = 'REQUESTED'
        and not exists (select from lead_consent c where c."companyId" = l."companyId" and c."leadId" = l."id" and c."purpose" = 'CREDIT_CHECK' and c."status" = 'REQUESTED')`)
      if (waiting) await updateRecord(ctx, lead, ended.leadId, { consentStatus: 'EXPIRED', consentDate: new Date() })
    }),
}
