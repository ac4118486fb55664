import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { premiumOf, type ChosenInsurance } from '@outpost/rules/insurance/premium'
import { Decimal } from '@outpost/rules/money'
import { numberLike, optionalNumber } from '@outpost/contract/input'
import { z } from 'zod'
import { companyDay, daySchema } from '../../kernel/days.ts'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import { createRecord, getRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { application } from '../applications/index.ts'
import { capOf } from './caps.ts'
import { checklistFor } from './checklist.ts'
import { insuranceChoice } from './choice.resource.ts'
import { collateralYears, insuredOf, offersOn, ruleOf } from './compare.ts'
import { expiryJob } from './policy.expiry.job.ts'

export const acceptInput = z.strictObject({
  applicationId: idSchema,
  offerId: idSchema,
  vehicleAge: optionalNumber(z.int().min(0).max(100)),
})
const reason = z.string().trim().min(1, 'is required').max(300)
export const declineInput = z.strictObject({ applicationId: idSchema, offerId: idSchema, reason })
export const ownInput = z.strictObject({
  id: idSchema,
  insurer: z.string().trim().min(1, 'is required').max(120),
  policyNumber: z.string().trim().min(1, 'is required').max(60),
  sumInsured: numberLike(z.number().positive('must be more than 0').max(999_999_999_999)),
  expiresOn: daySchema,
})

/** Accepts an offer: its premium is in the schedule of the application from now on, and of the loan that comes of it. Another one that was accepted is replaced. */
export async function acceptOffer(ctx: Ctx, { applicationId, offerId, vehicleAge }: z.infer<typeof acceptInput>): Promise<Answer> {
  const record = await lockDraft(ctx, applicationId)
  const [offer] = await offersOn(ctx, offerId)
  if (!offer) return fail('INVALID', { fields: [{ field: 'offerId', message: 'is not on offer today' }] })
  const { insured, creditType } = await insuredOf(ctx, record)
  const rule = ruleOf(offer, capOf(ctx, offer, creditType))
  const years = vehicleAge ?? (await collateralYears(ctx, applicationId))
  const { premium, reason: why, needs } = premiumOf(rule, { ...insured, vehicleAge: years })
  if (needs === 'vehicleAge')
    return fail('INVALID', { fields: [{ field: 'vehicleAge', message: 'is required: the premium of this offer goes by it' }] })
  if (!premium) return fail('CONFLICT', { message: `This offer is not for this loan. ${why ?? ''}` })
  const name = `${offer.insurer}, ${offer.name}`
  await choose(ctx, record, { kind: 'offer', name, rule, age: insured.age, vehicleAge: years }, offer.papers)
  return file(
    ctx,
    record,
    { kind: 'Offer', status: 'Accepted', offerId, insurer: offer.insurer, name: offer.name, premium: premium.total },
    'Offer accepted; its premium is in the schedule',
  )
}

/** Declines an offer with the reason. One that had been accepted goes: the product's own insurance counts again. */
export async function declineOffer(ctx: Ctx, { applicationId, offerId, reason }: z.infer<typeof declineInput>): Promise<Answer> {
  const record = await lockDraft(ctx, applicationId)
  const offer = await ctx.sql.maybe<{ insurer: string; name: string }>(sql`
    select "insurer", "name" from insurance_offer where "companyId" = ${ctx.company.id}::uuid and "id" = ${offerId}::uuid and "state" <> 'Draft' and "deletedAt" is null`)
  if (!offer) return fail('INVALID', { fields: [{ field: 'offerId', message: 'does not exist' }] })
  const held = await ctx.sql.maybe(sql`
    select from insurance_choice where "companyId" = ${ctx.company.id}::uuid and "applicationId" = ${applicationId}::uuid and "offerId" = ${offerId}::uuid and "status" = 'Accepted'`)
  if (held) await choose(ctx, record, null)
  return file(ctx, record, { kind: 'Offer', status: 'Declined', offerId, ...offer, reason }, 'Offer declined')
}

/** The client's own policy in place of an offer: the loan charges no insurance. It must cover the loan and hold today. */
export async function substituteOwn(ctx: Ctx, { id, ...policy }: z.infer<typeof ownInput>): Promise<Answer> {
  const record = await lockDraft(ctx, id)
  const faults = [
    ...(new Decimal(policy.sumInsured).lt(String(record['amount'])) ? [{ field: 'sumInsured', message: 'does not cover the loan' }] : []),
    ...(policy.expiresOn <= companyDay(ctx) ? [{ field: 'expiresOn', message: 'must lie ahead' }] : []),
  ]
  if (faults.length > 0) fail('INVALID', { fields: faults })
  const name = `Own policy ${policy.policyNumber}`
  expiryJob.plan(ctx)
  await choose(ctx, record, { kind: 'own', name: `${policy.insurer}, ${name.toLowerCase()}` })
  return file(ctx, record, { kind: 'Own policy', status: 'Accepted', name, ...policy }, 'The client’s own policy is noted')
}

/** The application, locked: decisions on its insurance come one after the other, and each sees what the one before it left. Only a draft is changed. */
async function lockDraft(ctx: Ctx, id: string): Promise<WireRecord> {
  await getRecord(ctx, application, id)
  const row = await ctx.sql.one<{ status: string }>(
    sql`select "status" from loan_application where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for update`,
  )
  if (row.status !== 'Draft')
    fail('CONFLICT', { message: `This application is ${row.status}. It has to be sent back before its insurance is changed.` })
  return getRecord(ctx, application, id)
}

async function choose(ctx: Ctx, record: WireRecord, insurance: ChosenInsurance | null, papers: readonly string[] = []): Promise<void> {
  const { Id } = record
  await writeRecords(ctx, application, [
    { kind: 'update', id: Id, input: { insurance, papers: checklistFor(record, insurance?.name, papers) } },
  ])
  const accepted = await ctx.sql.query<{ id: string }>(sql`
    select "id" from insurance_choice where "companyId" = ${ctx.company.id}::uuid and "applicationId" = ${Id}::uuid and "status" = 'Accepted'`)
  if (accepted.length > 0)
    await writeRecords(
      ctx,
      insuranceChoice,
      accepted.map(({ id }) => ({ kind: 'update' as const, id, input: { status: 'Replaced' } })),
    )
}

async function file(ctx: Ctx, record: WireRecord, values: Record<string, unknown>, message: string): Promise<Answer> {
  const made = await createRecord(
    ctx,
    insuranceChoice,
    {},
    { ...values, applicationId: record.Id, tenantId: record['tenantId'], createdByUserId: ctx.user.id },
  )
  return { data: { insuranceChoice: made }, message }
}
