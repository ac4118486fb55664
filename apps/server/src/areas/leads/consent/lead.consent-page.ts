import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { isIdentifier } from '@outpost/rules/validation'
import { z } from 'zod'
import { updateRecord } from '../../../kernel/resource/records.ts'
import { makeJobCtx } from '../../../kernel/session/jobs.ts'
import { session } from '../../../kernel/session/services.ts'
import { hashSecret } from '../../../kernel/session/opaque.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import { notify } from '../../../kernel/realtime/notify.ts'
import type { Answer, Ctx, RequestInfo } from '../../../kernel/types.ts'
import { consentText, endOpenRequests, type ConsentPurpose } from './lead.consent.ts'
import { leadNews } from '../lead.news.ts'
import { lead } from '../lead.resource.ts'

export const linkInput = z.strictObject({ token: z.string().min(40).max(200) })
export const answerInput = z.strictObject({ token: z.string().min(40).max(200), answer: z.enum(['GRANTED', 'DECLINED']) })

interface Request {
  id: string
  leadId: string
  purpose: ConsentPurpose
  status: string
  isExpired: boolean
  requestedByUserId: string | null
}

/** What the client who opened the link is asked; the words come with their version, so that they can be kept. */
export async function showConsent({ token }: z.infer<typeof linkInput>): Promise<Answer> {
  const { ctx, request } = await findRequest(token)
  return {
    data: {
      company: ctx.company.name,
      text: consentText(ctx.company.name, request.purpose),
      status: request.isExpired ? 'EXPIRED' : request.status,
    },
  }
}

/** Takes the client's answer once, with the evidence of when and from where; refusal is final. */
export async function answerConsent({ token, answer }: z.infer<typeof answerInput>, facts: RequestInfo): Promise<Answer> {
  const found = await findRequest(token)
  if (found.request.isExpired) fail('TOKEN_INVALID')
  return withStream(found.ctx, async (ctx) => {
    const taken = await ctx.sql.exec(sql`
      update lead_consent set "status" = ${answer}, "answeredAt" = now(), "evidence" = ${JSON.stringify({ ip: facts.ip, userAgent: facts.userAgent })}::jsonb
      where "companyId" = ${ctx.company.id} and "id" = ${found.request.id} and "status" = 'REQUESTED'`)
    if (taken === 0) fail('CONFLICT', { message: 'This request has been answered already.' })
    await endOpenRequests(ctx, found.request.leadId, found.request.purpose)
    if (found.request.purpose === 'CREDIT_CHECK')
      await updateRecord(ctx, lead, found.request.leadId, { consentStatus: answer, consentDate: new Date() })
    if (found.request.requestedByUserId) {
      await notify(ctx, {
        userId: found.request.requestedByUserId,
        itemType: 'Message',
        kind: leadNews,
        message: `A client has ${answer === 'GRANTED' ? 'granted' : 'declined'} consent${found.request.purpose === 'MARKETING' ? ' to marketing' : ''}`,
        link: `/sales/leads/edit/${found.request.leadId}`,
      })
    }
    return {
      data: { status: answer },
      message: answer === 'GRANTED' ? 'Thank you. Your consent was recorded.' : 'Your refusal was recorded.',
    }
  })
}

/** The token names the company; the row is found by the hash of the whole, inside that company only. */
async function findRequest(token: string): Promise<{ ctx: Ctx; request: Request }> {
  const [companyId = ''] = token.split('.')
  if (!isIdentifier(companyId)) fail('TOKEN_INVALID')
  const ctx = await makeJobCtx(session(), { companyId, userId: null }).catch(() => fail('TOKEN_INVALID'))
  const request = await ctx.sql.maybe<Request>(sql`
    select "id", "leadId", "purpose", "status", "expiresAt" < now() as "isExpired", "requestedByUserId" from lead_consent
    where "companyId" = ${companyId} and "tokenHash" = ${hashSecret(token)}`)
  return request ? { ctx, request } : fail('TOKEN_INVALID')
}
