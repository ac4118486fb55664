import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { getRecord } from '../../kernel/resource/records.ts'
import { requireWholeCompany } from '../../kernel/session/reach.ts'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { readCertificate } from './certificates.ts'
import { addressesOf } from './provider.ts'
import { samlProvider } from './saml-provider.resource.ts'

const day = 86_400_000
/** Days before its end from which a certificate is shown as ending. */
const warnDays = 30

export const certificatesAnswer = z.strictObject({
  certificates: z.array(
    z.strictObject({
      subject: z.string(),
      state: z.enum(['live', 'ending', 'ended', 'coming']),
      validFrom: z.iso.datetime(),
      validUntil: z.iso.datetime(),
      fingerprint: z.string(),
    }),
  ),
})

/** The certificates that its signatures are checked by. */
export async function certificatesOf(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  requireWholeCompany(ctx)
  await getRecord(ctx, samlProvider, id)
  const { certificates } = await ctx.sql.one<{ certificates: string[] }>(
    sql`select "certificates" from saml_provider where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`,
  )
  const now = session().clock.now()
  const facts = certificates.map((one) => readCertificate(one)).filter((one) => one !== undefined)
  return {
    data: {
      certificates: facts.map(({ subject, validFrom, validUntil, fingerprint }) => ({
        subject,
        state: stateOf(validFrom.getTime(), validUntil.getTime(), now),
        validFrom: validFrom.toISOString(),
        validUntil: validUntil.toISOString(),
        fingerprint,
      })),
    },
  }
}

function stateOf(from: number, until: number, now: number): string {
  if (now < from) return 'coming'
  if (now >= until) return 'ended'
  return until - now < warnDays * day ? 'ending' : 'live'
}

export const setupAnswer = z.strictObject({ setup: z.array(z.strictObject({ name: z.string(), value: z.string() })) })

/** What the administrator of the identity provider needs to know of us. */
export async function setupOf(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const { key } = await getRecord(ctx, samlProvider, id)
  const { entityId, acsUrl, sloUrl, startUrl } = addressesOf(session(), String(key))
  return {
    data: {
      setup: [
        { name: 'Metadata, and entity ID (audience)', value: entityId },
        { name: 'Assertion consumer service (reply address)', value: acsUrl },
        { name: 'Single logout service (HTTP-Redirect and HTTP-POST)', value: sloUrl },
        { name: 'Where people start', value: startUrl },
      ],
    },
  }
}
