import { fail, failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { trimPhone } from '@outpost/rules/phone'
import { z } from 'zod'
import { audit } from '../../../kernel/audit.ts'
import { getRecord, updateRecord, type WireRecord } from '../../../kernel/resource/records.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { familyOf } from '../merging/lead.family.ts'
import { lead } from '../lead.resource.ts'

/** Where a client is reached: the e-mail address comes first. */
export interface Contact {
  mobileNumber: string
  emailAddress: string | null
}

/** Domain of the mail-to-SMS gateway; without one only clients with an e-mail address can be asked. */
export type SmsDomain = string | undefined

/** Where a message to the client goes; undefined when the client cannot be reached. */
export const consentAddress = ({ emailAddress, mobileNumber }: Contact, smsDomain: SmsDomain) =>
  emailAddress ?? (smsDomain ? `${mobileNumber}@${smsDomain}` : undefined)

/**
 * The contact point at which a lead is asked: its own, never one that is typed beside it, none of the company's own
 * people, and after a change only once somebody else has confirmed it. Else whoever asks could answer.
 */
export async function contactFor(
  ctx: Ctx,
  found: WireRecord,
  { typed, smsDomain }: { typed: string | undefined; smsDomain: SmsDomain },
): Promise<Contact> {
  const own = [found['phonenumber'], found['contactNumber']].flatMap((number) =>
    typeof number === 'string' ? (trimPhone(number, ctx.company.country) ?? []) : [],
  )
  const wanted = typed ? trimPhone(typed, ctx.company.country) : own[0]
  if (!wanted || !own.includes(wanted)) failField('mobileNumber', 'is not a number of this lead')
  const contact = { mobileNumber: wanted, emailAddress: found['emailAddress'] as string | null }
  if (found['contactChangedAt'])
    fail('CONFLICT', {
      message: 'Phone or e-mail of this lead were changed. Another person has to confirm them before the client is asked.',
    })
  await refuseOwnPeople(ctx, contact)
  if (!consentAddress(contact, smsDomain)) {
    fail('NOT_CONFIGURED', {
      message: 'No SMS gateway is configured on this installation. Add an e-mail address to the lead, or ask the operator for one.',
    })
  }
  return contact
}

async function refuseOwnPeople(ctx: Ctx, { mobileNumber, emailAddress }: Contact): Promise<void> {
  const people = await ctx.sql.query<{ emailAddress: string; mobile: string | null }>(sql`
    select "emailAddress", "mobile" from app_user where "companyId" = ${ctx.company.id}
      and (lower("emailAddress") = lower(${emailAddress ?? null}) or right(regexp_replace("mobile", '[^0-9]', '', 'g'), 8) = ${mobileNumber.slice(-8)})`)
  const isTheirs = people.some(
    (person) =>
      person.emailAddress.toLowerCase() === emailAddress?.toLowerCase() ||
      (person.mobile && trimPhone(person.mobile, ctx.company.country) === mobileNumber),
  )
  if (isTheirs) fail('CONFLICT', { message: 'Phone or e-mail belong to somebody who works here. Consent is the client’s to give.' })
}

/** Marketing is asked once a person, whatever lead is theirs, and never again after a no. */
export async function refuseSecondMarketing(ctx: Ctx, leadId: string, { mobileNumber }: Contact): Promise<void> {
  const asked = await ctx.sql.query<{ status: string }>(sql`
    select "status" from lead_consent where "companyId" = ${ctx.company.id} and "purpose" = 'MARKETING'
      and ("mobileNumber" = ${mobileNumber} or "leadId" in ${familyOf(ctx, leadId)})`)
  if (asked.some(({ status }) => status === 'DECLINED' || status === 'WITHDRAWN'))
    fail('CONFLICT', { message: 'The client refused marketing. That is final.' })
  if (asked.length > 0) fail('CONFLICT', { message: 'The client was asked about marketing already. The law allows to ask once.' })
}

export const confirmInput = z.strictObject({ id: idSchema, reason: z.string().trim().min(1, 'Say how you made sure.').max(300) })

/** Confirms changed contact points by somebody who did not change them, with how they made sure. */
export async function confirmContact(ctx: Ctx, { id, reason }: z.infer<typeof confirmInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const found = await getRecord(inner, lead, id)
    if (!found['contactChangedAt']) fail('CONFLICT', { message: 'Nothing waits to be confirmed.' })
    if ([inner.user.id, inner.realUser.id].includes(String(found['contactChangedByUserId'])))
      fail('FORBIDDEN', { message: 'You changed them yourself. Another person has to confirm.' })
    const saved = await updateRecord(inner, lead, id, { contactChangedAt: null, contactChangedByUserId: null })
    audit(inner, { action: 'lead.confirmContact', objectType: 'lead', objectId: id, after: { reason } })
    return { data: { lead: saved }, message: 'Phone and e-mail are confirmed.' }
  })
}
