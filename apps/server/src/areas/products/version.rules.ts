import { pick } from 'es-toolkit/object/pick'
import { fail, type FieldError } from '@outpost/contract/errors'
import { loanTerms } from '@outpost/contract/lending'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { brokenCaps, type BrokenCap } from '@outpost/rules/products/cap-check'
import { loanTermsOf, type ProductFee, type ProductTerms } from '@outpost/rules/products/product-terms'
import { companyDay } from '../../kernel/days.ts'
import { isSameLines } from '../../kernel/relations/same-lines.ts'
import { resourceNamed } from '../../kernel/resource/define.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { changedColumns } from '../../kernel/resource/unchanged.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import type { Moving } from '../../kernel/workflow/types.ts'
import { referenceRateOf } from '../calculators/index.ts'

type Row = ModelRow<'productVersion'>
type Given = Partial<Row> & { fees?: readonly ProductFee[] }

/** Terms as the table and its lines hold them. */
export const termsOf = (row: Readonly<Record<string, unknown>>, fees: readonly ProductFee[]): ProductTerms => ({
  ...(row as unknown as Omit<ProductTerms, 'fees'>),
  fees,
})

/** The fees of a version in their order. */
export const feesOf = (ctx: Ctx, versionId: string): Promise<ProductFee[]> =>
  ctx.sql.query<ProductFee & Record<string, unknown>>(sql`
    select "name", "role", "kind", "amount"::text as amount, "due" from product_fee where "companyId" = ${ctx.company.id}::uuid and "versionId" = ${versionId}::uuid order by "position"`)

/** Terms that contradict themselves are refused with their fields; a published version is not changed at all. */
export async function prepareVersion(ctx: Ctx, { kind, input, before, id }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  const given = input as Given
  const touched = before ? await changedOf(ctx, before, given) : Object.keys(given)
  if (before && before.state !== 'Draft' && touched.length > 0)
    fail('CONFLICT', {
      message: 'A published version never changes: loans were agreed at it. Begin a new version of the product.',
      details: { changed: touched },
    })
  const row = { ...emptyTerms, ...before, ...given }
  if (touched.length > 0 || given.effectiveUntil !== undefined) {
    const fees = given.fees ?? (kind === 'update' ? await feesOf(ctx, id) : [])
    const fields = contradictions(termsOf(row, fees), {
      currency: ctx.company.currency,
      from: row.effectiveFrom,
      until: row.effectiveUntil,
    })
    if (fields.length > 0) fail('INVALID', { fields })
  }
  if (before && given.state === 'Published') return { publishedAt: new Date(), publishedByUserId: ctx.user.id }
  return kind === 'create' ? { createdByUserId: ctx.user.id, number: await nextNumber(ctx, String(row.productId)) } : {}
}

/** What of a body differs from what is stored, beside what a published version may change. */
async function changedOf(ctx: Ctx, before: Row, given: Given): Promise<string[]> {
  const { fees, ...input } = given
  const resource = resourceNamed('productVersion') ?? fail('NOT_FOUND')
  const columns = Object.keys(changedColumns(resource, before, pick(input, Object.keys(before) as (keyof Row)[])))
  const isSame = fees === undefined || isSameLines((await getRecord(ctx, resource, before.id))['fees'], fees)
  return [...columns.filter((key) => !['state', 'effectiveUntil'].includes(key)), ...(isSame ? [] : ['fees'])]
}

/** What a new version begins with where the body is silent; the same as the table's defaults. */
const emptyTerms = {
  method: 'declining',
  dayCount: 'equalPeriods',
  everyUnit: 'month',
  everyCount: 1,
  brokenPeriod: 'ignore',
  graceOnPrincipal: 0,
  graceOnInterest: 0,
  balloonPercent: null,
  dueOnHoliday: 'next',
  instalmentRounding: 'none',
  allocation: 'penalty,fee,interest,principal',
  penaltyKind: 'none',
  penaltyAmount: null,
  penaltyPer: 'month',
  penaltyGraceDays: 0,
  penaltyInDuplum: false,
  insuranceKind: 'none',
  insuranceRate: null,
  effectiveUntil: null,
  creditType: 'unsecured',
} as const

/** Versions of a product are counted one after the other. */
async function nextNumber(ctx: Ctx, productId: string): Promise<number> {
  const found = await ctx.sql.maybe(
    sql`select from product where "companyId" = ${ctx.company.id}::uuid and "id" = ${productId}::uuid and "deletedAt" is null for update`,
  )
  if (!found) fail('INVALID', { fields: [{ field: 'productId', message: 'is not a product of your company' }] })
  const { next } = await ctx.sql.one<{ next: number }>(
    sql`select coalesce(max("number"), 0) + 1 as next from product_version where "companyId" = ${ctx.company.id}::uuid and "productId" = ${productId}::uuid`,
  )
  return next
}

/** The field of the form behind a part of the loan's terms. */
const formField = new Map([
  ['balloon', 'balloonPercent'],
  ['penalty', 'penaltyAmount'],
  ['insurance', 'insuranceRate'],
  ['every', 'everyCount'],
  ['instalments', 'minInstalments'],
])

function contradictions(terms: ProductTerms, { currency, from, until }: { currency: string; from: unknown; until: unknown }): FieldError[] {
  const wrong: FieldError[] = []
  const refuse = (field: string, message: string) => wrong.push({ field, message })
  if (Number(terms.maxAmount) < Number(terms.minAmount)) refuse('maxAmount', 'may not be under “Amount from”')
  if (terms.maxInstalments < terms.minInstalments) refuse('maxInstalments', 'may not be under “Instalments from”')
  if (until && dayText(until) < dayText(from)) refuse('effectiveUntil', 'may not be before “Offered from”')
  if (terms.method === 'balloon' && terms.balloonPercent === null) refuse('balloonPercent', 'is required by this method')
  if (terms.penaltyKind !== 'none' && terms.penaltyAmount === null) refuse('penaltyAmount', 'is required')
  if (terms.insuranceKind !== 'none' && terms.insuranceRate === null) refuse('insuranceRate', 'is required')
  const kept = terms.fees.filter(({ due }) => due === 'deducted')
  const keptOf = (amount: number) =>
    kept.reduce((sum, fee) => sum + (fee.kind === 'flat' ? Number(fee.amount) : (amount * Number(fee.amount)) / 100), 0)
  if (keptOf(Number(terms.minAmount)) >= Number(terms.minAmount)) refuse('fees', 'kept back leave nothing of the smallest loan')
  if (wrong.length > 0) return wrong
  const loan = loanTermsOf(terms, { currency, amount: terms.minAmount, instalments: terms.minInstalments })
  const { error } = loanTerms.safeParse(loan)
  return (error?.issues ?? []).map(({ path, message }) => {
    const key = String(path[0])
    return { field: formField.get(key) ?? key, message }
  })
}

const dayText = (day: unknown) => (day instanceof Date ? day.toISOString() : String(day)).slice(0, 10)

/** The caps that a version breaks, by the rules of the company's country on the day it is offered from. */
export async function capsBrokenBy(ctx: Ctx, row: Readonly<Record<string, unknown>>, fees: readonly ProductFee[]): Promise<BrokenCap[]> {
  const at = [dayText(row['effectiveFrom']), companyDay(ctx)].toSorted().at(-1) ?? companyDay(ctx)
  const { country, currency } = ctx.company
  const referenceRate = await referenceRateOf(ctx, { calculator: (row['calculator'] as string | null) ?? 'cs-affordability', at })
  return brokenCaps(termsOf(row, fees), { country, currency, at, ...(referenceRate === null ? {} : { referenceRate }) })
}

/** Publishing is refused with the rules that are broken, each by its name and source. */
export async function breaksNoCap(ctx: Ctx, { id, before }: Moving): Promise<string | null> {
  const broken = await capsBrokenBy(ctx, before, await feesOf(ctx, id))
  return broken.length === 0
    ? null
    : `Not published. ${broken.map(({ rule, source, message }) => `${rule} (${source}): ${message}`).join(' ')}`
}
