import { fail } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { premiumOf, type Band, type ChosenInsurance, type PremiumRule } from '@outpost/rules/insurance/premium'
import { loanTermsOf } from '@outpost/rules/products/product-terms'
import { Decimal } from '@outpost/rules/money'
import { z } from 'zod'
import { companyDay, daySchema } from '../../kernel/days.ts'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import { createRecord, getRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { application } from '../applications/index.ts'
import { readVersion } from '../products/index.ts'
import { capOf } from './caps.ts'
import { insuranceChoice } from './choice.resource.ts'
import { expiryJob } from './policy.expiry.job.ts'

const money = z.number().nullable()
export const compareAnswer = z.strictObject({
  offers: z.array(
    z.strictObject({
      Id: identifierSchema,
      applicationId: identifierSchema,
      insurer: z.string(),
      name: z.string(),
      coverType: z.string(),
      first: money,
      total: money,
      levies: money,
      stamp: money,
      commission: money,
      papers: z.string(),
      state: z.string(),
      why: z.string(),
    }),
  ),
})
export const compareInput = z.strictObject({ id: idSchema, vehicleAge: z.coerce.number().int().min(0).max(100).optional() })
export const acceptInput = z.strictObject({
  applicationId: idSchema,
  offerId: idSchema,
  vehicleAge: z.coerce.number().int().min(0).max(100).nullish(),
})
const reason = z.string().trim().min(1, 'is required').max(300)
export const declineInput = z.strictObject({ applicationId: idSchema, offerId: idSchema, reason })
export const ownInput = z.strictObject({
  id: idSchema,
  insurer: z.string().trim().min(1, 'is required').max(120),
  policyNumber: z.string().trim().min(1, 'is required').max(60),
  sumInsured: z.coerce.number().positive('must be more than 0').max(999_999_999_999),
  expiresOn: daySchema,
})

interface OfferRow extends Record<string, unknown> {
  id: string
  insurer: string
  name: string
  coverType: string
  hasDisability: boolean
  premiumRule: PremiumRule['kind']
  rate: string | null
  minimum: string | null
  levies: string
  stamp: string
  commission: string
  papers: string
  bands: Band[] | null
}

/** Offers that are active and valid on the day; one by its id. */
const offersOn = (ctx: Ctx, id: string | null = null) =>
  ctx.sql.query<OfferRow>(sql`
    select o."id", o."insurer", o."name", o."coverType", o."hasDisability", o."premiumRule", o."rate"::text, o."minimum"::text, o."levies"::text, o."stamp"::text, o."commission"::text, array_to_string(o."papers", ', ') as papers,
      (select json_agg(json_build_object('ageTo', b."ageTo", 'monthsTo', b."monthsTo", 'vehicleAgeTo', b."vehicleAgeTo", 'rate', b."rate"::text) order by b."position") from insurance_band b where b."companyId" = o."companyId" and b."offerId" = o."id") as bands
    from insurance_offer o where o."companyId" = ${ctx.company.id}::uuid and o."deletedAt" is null and o."state" = 'Active' and o."validFrom" <= ${companyDay(ctx)}::date
      and (o."validUntil" is null or o."validUntil" >= ${companyDay(ctx)}::date) and (${id}::uuid is null or o."id" = ${id}::uuid) order by o."insurer", o."name", o."id"`)

/** What an application is, as premiums go by it: its terms without insurance, and the age of whose it is. */
async function insuredOf(ctx: Ctx, record: WireRecord) {
  const { terms } = await readVersion(ctx, String(record['productVersionId']))
  const choice = {
    currency: ctx.company.currency,
    amount: String(record['amount']),
    instalments: Number(record['instalments']),
    firstDueAt: (record['firstDueAt'] as string | null) ?? null,
  }
  const { insurance: _, ...bare } = loanTermsOf(terms, choice)
  const born = await ctx.sql.maybe<{ age: number | null }>(sql`
    select extract(year from age(${companyDay(ctx)}::date, c."dateOfBirth"))::int as age from client c where c."companyId" = ${ctx.company.id}::uuid and c."id" = ${(record['clientId'] ?? null) as string | null}::uuid`)
  return { insured: { terms: bare, amount: choice.amount, on: companyDay(ctx), age: born?.age ?? null }, creditType: terms.creditType }
}

const ruleOf = (offer: OfferRow, cap: string | undefined): PremiumRule => ({
  kind: offer.premiumRule,
  rate: offer.rate,
  bands: offer.bands ?? [],
  minimum: offer.minimum,
  levies: offer.levies,
  stamp: offer.stamp,
  commission: offer.commission,
  ...(cap === undefined ? {} : { cap }),
})

/** Every offer of today beside the others: what it costs on this application, the cheapest first; one that does not fit says why. */
export async function compareOffers(ctx: Ctx, { id, vehicleAge }: z.infer<typeof compareInput>): Promise<Answer> {
  const record = await getRecord(ctx, application, id)
  const { insured, creditType } = await insuredOf(ctx, record)
  const decided = await ctx.sql.query<{ offerId: string; status: string }>(sql`
    select distinct on ("offerId") "offerId", "status" from insurance_choice where "companyId" = ${ctx.company.id}::uuid and "applicationId" = ${id}::uuid and "offerId" is not null order by "offerId", "dateCreated" desc, "id" desc`)
  const offers = (await offersOn(ctx)).map((offer) => {
    const { premium, reason: why } = premiumOf(ruleOf(offer, capOf(ctx, offer, creditType)), { ...insured, vehicleAge: vehicleAge ?? null })
    const status = decided.find(({ offerId }) => offerId === offer.id)?.status
    return {
      Id: offer.id,
      applicationId: id,
      insurer: offer.insurer,
      name: offer.name,
      coverType: offer.coverType,
      first: premium ? Number(premium.first) : null,
      total: premium ? Number(premium.total) : null,
      levies: premium ? Number(premium.levies) : null,
      stamp: premium ? Number(premium.stamp) : null,
      commission: premium ? Number(premium.commission) : null,
      papers: offer.papers,
      state: why === undefined ? (status === undefined || status === 'Replaced' ? 'Open' : status) : 'Not for this loan',
      why: why ?? '',
    }
  })
  return { data: { offers: offers.toSorted((one, other) => (one.total ?? Infinity) - (other.total ?? Infinity)) } }
}

/** Accepts an offer: its premium is in the schedule of the application from now on, and of the loan that comes of it. Another one that was accepted is replaced. */
export async function acceptOffer(ctx: Ctx, { applicationId, offerId, vehicleAge }: z.infer<typeof acceptInput>): Promise<Answer> {
  const record = await lockDraft(ctx, applicationId)
  const [offer] = await offersOn(ctx, offerId)
  if (!offer) return fail('INVALID', { fields: [{ field: 'offerId', message: 'is not on offer today' }] })
  const { insured, creditType } = await insuredOf(ctx, record)
  const rule = ruleOf(offer, capOf(ctx, offer, creditType))
  const { premium, reason: why } = premiumOf(rule, { ...insured, vehicleAge: vehicleAge ?? null })
  if (!premium) return fail('CONFLICT', { message: `This offer is not for this loan. ${why ?? ''}` })
  const name = `${offer.insurer}, ${offer.name}`
  await choose(ctx, record, { kind: 'offer', name, rule, age: insured.age, vehicleAge: vehicleAge ?? null })
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

/** The application, locked: decisions on its insurance come one after the other. Only a draft is changed. */
async function lockDraft(ctx: Ctx, id: string): Promise<WireRecord> {
  const record = await getRecord(ctx, application, id)
  const row = await ctx.sql.one<{ status: string }>(
    sql`select "status" from loan_application where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for update`,
  )
  if (row.status !== 'Draft')
    fail('CONFLICT', { message: `This application is ${row.status}. It has to be sent back before its insurance is changed.` })
  return record
}

async function choose(ctx: Ctx, { Id }: WireRecord, insurance: ChosenInsurance | null): Promise<void> {
  await writeRecords(ctx, application, [{ kind: 'update', id: Id, input: { insurance } }])
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
