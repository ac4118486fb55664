import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { openLink, submitByLink, tokenSchema, type LinkTable } from '../../../kernel/public/link.ts'
import { publicPage } from '../../../kernel/public/page.ts'
import { updateRecord } from '../../../kernel/resource/records.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import { notify } from '../../../kernel/realtime/notify.ts'
import type { Answer, Ctx, RequestInfo } from '../../../kernel/types.ts'
import { consentText, endOpenRequests, type ConsentPurpose } from './lead.consent.ts'
import { leadNews } from '../lead.news.ts'
import { lead } from '../lead.resource.ts'

const usedMessage = 'This request has been answered already.'
const link: LinkTable = { table: 'lead_consent', hash: 'tokenHash', expires: 'expiresAt', used: 'answeredAt', usedMessage }
const answers = ['GRANTED', 'DECLINED'] as const
const answer = z.enum(answers)

export const linkInput = z.strictObject({ token: tokenSchema })
export const answerInput = z.strictObject({ token: tokenSchema, answer })
export const askedAnswer = z.strictObject({ company: z.string(), text: z.string(), status: z.string() })
export const givenAnswer = z.strictObject({ status: answer })

interface Request {
  leadId: string
  purpose: ConsentPurpose
  status: string
  requestedByUserId: string | null
}

const requestOf = (ctx: Ctx, id: string): Promise<Request> =>
  ctx.sql.one<Request>(sql`
    select "leadId", "purpose", "status", "requestedByUserId" from lead_consent where "companyId" = ${ctx.company.id} and "id" = ${id}`)

/** What the client who opened the link is asked; the words come with their version, so that they can be kept. */
export async function showConsent({ token }: z.infer<typeof linkInput>): Promise<Answer> {
  const { ctx, id, state } = await openLink(link, token)
  const { purpose, status } = await requestOf(ctx, id)
  return {
    data: {
      company: ctx.company.name,
      text: consentText(ctx.company.name, purpose),
      status: state === 'expired' ? 'EXPIRED' : status,
    },
  }
}

/** Takes the client's answer once, with the evidence of when and from where; refusal is final. */
export async function answerConsent({ token, answer: status }: z.infer<typeof answerInput>, facts: RequestInfo): Promise<Answer> {
  await submitByLink(link, await openLink(link, token), (ctx, id) => takeAnswer(ctx, id, { status, facts }))
  return {
    data: { status },
    message: status === 'GRANTED' ? 'Thank you. Your consent was recorded.' : 'Your refusal was recorded.',
  }
}

interface Given {
  status: (typeof answers)[number]
  facts: RequestInfo
}

const takeAnswer = (outer: Ctx, id: string, { status, facts }: Given): Promise<void> =>
  withStream(outer, async (ctx) => {
    const { leadId, purpose, requestedByUserId } = await requestOf(ctx, id)
    const taken = await ctx.sql.exec(sql`
      update lead_consent set "status" = ${status}, "evidence" = ${JSON.stringify({ ip: facts.ip, userAgent: facts.userAgent })}::jsonb
      where "companyId" = ${ctx.company.id} and "id" = ${id} and "status" = 'REQUESTED'`)
    if (taken === 0) fail('CONFLICT', { message: usedMessage })
    await endOpenRequests(ctx, leadId, purpose)
    if (purpose === 'CREDIT_CHECK') await updateRecord(ctx, lead, leadId, { consentStatus: status, consentDate: new Date() })
    if (!requestedByUserId) return
    await notify(ctx, {
      userId: requestedByUserId,
      itemType: 'Message',
      kind: leadNews,
      message: `A client has ${status === 'GRANTED' ? 'granted' : 'declined'} consent${purpose === 'MARKETING' ? ' to marketing' : ''}`,
      link: `/sales/leads/edit/${leadId}`,
    })
  })

const thanks: ReadonlyMap<string, string> = new Map([
  ['GRANTED', 'Thank you. Your consent was recorded.'],
  ['DECLINED', 'Your refusal was recorded. Nobody will ask you again for this application.'],
])

/** The page of the message that asks a client for consent. The client has no account here; the link is what admits. */
export const consentPage = publicPage('leads.consentPage', '/consent/:token', {
  link,
  why: 'the client who holds the link is asked for consent, and answers once',
  show: async ({ ctx, id, state }) => {
    if (state === 'expired') return undefined
    const { purpose, status } = await requestOf(ctx, id)
    const company = ctx.company.name
    const given = thanks.get(status)
    if (given !== undefined) return { title: given }
    if (status !== 'REQUESTED') return { title: 'This request does not count any more', paragraphs: [`Ask ${company} for a new one.`] }
    return {
      title: `${company} asks for your consent`,
      paragraphs: [consentText(company, purpose)],
      form: {
        buttons: [
          { name: 'answer', value: 'GRANTED', label: 'Yes, I agree', isMain: true },
          { name: 'answer', value: 'DECLINED', label: 'No' },
        ],
      },
    }
  },
  input: z.strictObject({ answer }),
  submit: async (ctx, id, { answer: status }, facts) => {
    await takeAnswer(ctx, id, { status, facts })
    return { title: thanks.get(status) ?? '' }
  },
})
