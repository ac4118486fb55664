import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { premiumOf, type Band, type PremiumRule } from '@outpost/rules/insurance/premium'
import { loanTermsOf } from '@outpost/rules/products/product-terms'
import { z } from 'zod'
import { companyDay } from '../../kernel/days.ts'
import { getRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { application } from '../applications/index.ts'
import { readVersion } from '../products/index.ts'
import { capOf } from './caps.ts'

/** State of an offer whose premium goes by the vehicle's years, which nobody has said yet. */
export const yearsNeeded = 'Vehicle’s years needed'

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
  papers: string[]
  bands: Band[] | null
}

/** Offers that are active and valid on the day; one by its id. */
export const offersOn = (ctx: Ctx, id: string | null = null) =>
  ctx.sql.query<OfferRow>(sql`
    select o."id", o."insurer", o."name", o."coverType", o."hasDisability", o."premiumRule", o."rate"::text, o."minimum"::text, o."levies"::text, o."stamp"::text, o."commission"::text, o."papers",
      (select json_agg(json_build_object('ageTo', b."ageTo", 'monthsTo', b."monthsTo", 'vehicleAgeTo', b."vehicleAgeTo", 'rate', b."rate"::text) order by b."position") from insurance_band b where b."companyId" = o."companyId" and b."offerId" = o."id") as bands
    from insurance_offer o where o."companyId" = ${ctx.company.id}::uuid and o."deletedAt" is null and o."state" = 'Active' and o."validFrom" <= ${companyDay(ctx)}::date
      and (o."validUntil" is null or o."validUntil" >= ${companyDay(ctx)}::date) and (${id}::uuid is null or o."id" = ${id}::uuid) order by o."insurer", o."name", o."id"`)

/** What an application is, as premiums go by it: its terms without insurance, and the age of whose it is. */
export async function insuredOf(ctx: Ctx, record: WireRecord) {
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

export const ruleOf = (offer: OfferRow, cap: string | undefined): PremiumRule => ({
  kind: offer.premiumRule,
  rate: offer.rate,
  bands: offer.bands ?? [],
  minimum: offer.minimum,
  levies: offer.levies,
  stamp: offer.stamp,
  commission: offer.commission,
  ...(cap === undefined ? {} : { cap }),
})

/** The vehicle's years that were said with the offer that is accepted. */
const pinnedYears = async (ctx: Ctx, applicationId: string): Promise<number | null> =>
  (
    await ctx.sql.one<{ years: number | null }>(sql`
      select ("insurance" ->> 'vehicleAge')::int as years from loan_application where "companyId" = ${ctx.company.id}::uuid and "id" = ${applicationId}::uuid`)
  ).years

/** How many years the oldest vehicle of the collateral has; null where no line says its year. */
export async function collateralYears(ctx: Ctx, applicationId: string): Promise<number | null> {
  const { years } = await ctx.sql.one<{ years: number | null }>(sql`
    select max(greatest(extract(year from ${companyDay(ctx)}::date)::int - c."year", 0)) as years from application_collateral c
    where c."companyId" = ${ctx.company.id}::uuid and c."applicationId" = ${applicationId}::uuid and c."kind" = 'Vehicle' and c."year" is not null`)
  return years
}

/** Every offer of today beside the others: what it costs on this application, the cheapest first; one that does not fit says why. */
export async function compareOffers(ctx: Ctx, { id, vehicleAge }: z.infer<typeof compareInput>): Promise<Answer> {
  const record = await getRecord(ctx, application, id)
  const { insured, creditType } = await insuredOf(ctx, record)
  const decided = await ctx.sql.query<{ offerId: string; status: string }>(sql`
    select distinct on ("offerId") "offerId", "status" from insurance_choice where "companyId" = ${ctx.company.id}::uuid and "applicationId" = ${id}::uuid and "offerId" is not null order by "offerId", "dateCreated" desc, "id" desc`)
  const pinned = await pinnedYears(ctx, id)
  const years = vehicleAge ?? (await collateralYears(ctx, id)) ?? pinned
  const offers = (await offersOn(ctx)).map((offer) => {
    const status = decided.find(({ offerId }) => offerId === offer.id)?.status
    // What was accepted costs what is in the schedule.
    const of = { ...insured, vehicleAge: status === 'Accepted' ? (vehicleAge ?? pinned ?? years) : years }
    const { premium, reason: why, needs } = premiumOf(ruleOf(offer, capOf(ctx, offer, creditType)), of)
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
      papers: offer.papers.join(', '),
      state: stateOf(status, { isFit: why === undefined, needsYears: needs === 'vehicleAge' }),
      why: why ?? '',
    }
  })
  return { data: { offers: offers.toSorted((one, other) => (one.total ?? Infinity) - (other.total ?? Infinity)) } }
}

/** The state of an offer in the comparison: what was decided on it, and whether it may be decided on. */
function stateOf(status: string | undefined, { isFit, needsYears }: { isFit: boolean; needsYears: boolean }): string {
  if (!isFit && !needsYears) return 'Not for this loan'
  if (status === 'Accepted' || status === 'Declined') return status
  return needsYears ? yearsNeeded : 'Open'
}
