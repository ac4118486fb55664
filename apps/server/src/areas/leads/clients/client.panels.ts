import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { userName } from '../../../kernel/names.ts'
import { getRecord } from '../../../kernel/resource/records.ts'
import { on } from '../../../kernel/screens/panels.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { client } from '../../clients/index.ts'
import { originFields, resultFields } from '../credit/assessment.fields.ts'
import { consentOptions, consentPurposes } from '../lead.resource.ts'
import { familyOf } from '../merging/lead.family.ts'

const text = z.string().nullable()
const time = z.iso.datetime()

export const clientConsentsAnswer = z.strictObject({
  consents: z.array(
    z.strictObject({
      Id: identifierSchema,
      purpose: z.enum(['CREDIT_CHECK', 'MARKETING']),
      status: z.string(),
      channel: z.string(),
      mobileNumber: z.string(),
      requestedAt: time,
      answeredAt: time.nullable(),
      withdrawnAt: time.nullable(),
      reason: text,
      who: text,
    }),
  ),
})

/** What a client agreed to while a lead, and when it was taken back; newest first. None for a client who was captured as one. */
export async function clientConsents(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const leadId = await leadOf(ctx, id)
  const consents = leadId
    ? await ctx.sql.query(sql`
      select t."id" as "Id", t."purpose", case when t."status" = 'REQUESTED' and t."expiresAt" <= now() then 'EXPIRED' else t."status" end as status, t."channel", t."mobileNumber",
        t."requestedAt", t."answeredAt", t."withdrawnAt", t."reason", ${userName(sql`t."companyId"`, sql`t."requestedByUserId"`)} as who
      from lead_consent t where t."companyId" = ${ctx.company.id} and t."leadId" in ${familyOf(ctx, leadId)} order by t."requestedAt" desc limit 200`)
    : []
  return { data: { consents } }
}

async function leadOf(ctx: Ctx, clientId: string): Promise<string | null> {
  return (await getRecord(ctx, client, clientId))['leadId'] as string | null
}

const words = (label: string) => ({ kind: 'text', label }) as const
const moment = (label: string) => ({ kind: 'dateTime', label }) as const

/** Tabs of a client on what was gathered while a lead. */
export const clientPanels = [
  on('client', {
    key: 'consents',
    title: 'Consent',
    route: 'leads.clientConsents',
    value: 'consents',
    fields: {
      purpose: { kind: 'choice', label: 'For', options: consentPurposes },
      status: { kind: 'choice', label: 'Status', options: consentOptions },
      channel: words('Channel'),
      mobileNumber: words('Number'),
      requestedAt: moment('Requested'),
      answeredAt: moment('Answered'),
      withdrawnAt: moment('Withdrawn'),
      reason: words('Reason'),
      who: words('By'),
    },
    empty: { title: 'No consent was asked for', body: 'What a lead agreed to comes along when it is made a client.' },
  }),
  on('client', {
    key: 'assessments',
    title: 'Assessments',
    route: 'leads.clientRuns',
    value: 'runs',
    open: '/sales/leads/affordability/:id',
    fields: { ...resultFields, ...originFields },
    empty: { title: 'Not assessed yet', body: 'Open an affordability calculator and save its result to this client.' },
  }),
]
