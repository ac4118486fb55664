import type { Mail } from '@outpost/platform/mail'
import { session } from '../../kernel/session/services.ts'
import type { JobDefinition } from '../../kernel/types.ts'
import { consentAddress, consentText, issueConsentLink } from './lead.consent.ts'

/** Sends a consent request by e-mail, or by SMS through the mail-to-SMS gateway. The link is made here, so that it never stands in a queue. */
export function sendConsentJob(mail: Mail): JobDefinition<{ consentId: string }> {
  return {
    name: 'leads.sendConsent',
    run: async (ctx, { consentId }, { id }) => {
      const link = await issueConsentLink(ctx, consentId)
      if (!link) return
      const to = consentAddress(link)
      if (!to) throw new Error('no SMS gateway is configured (SMS_MAIL_DOMAIN)')
      const address = new URL(`/consent/${link.token}`, session().publicUrl).href
      const text = [`Hello ${link.name},`, '', consentText(ctx.company.name), '', 'Open this link within seven days to say yes or no:', address].join('\n')
      await mail.send({ to, subject: `${ctx.company.name}: your consent`, text, idempotencyKey: id })
    },
  }
}
