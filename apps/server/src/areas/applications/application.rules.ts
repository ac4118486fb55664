import { pick } from 'es-toolkit/object/pick'
import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { sql } from '@outpost/platform/db/sql'
import { insuredTerms, type ChosenInsurance } from '@outpost/rules/insurance/premium'
import { Decimal } from '@outpost/rules/money'
import { loanTermsOf, rangeProblems } from '@outpost/rules/products/product-terms'
import { quoteOf, type Quote } from '@outpost/rules/products/quote'
import { companyDay } from '../../kernel/days.ts'
import { isSameLines } from '../../kernel/relations/same-lines.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { changedColumns } from '../../kernel/resource/unchanged.ts'
import { settingOf } from '../../kernel/settings/read.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { readVersion, versionOnOffer } from '../products/index.ts'
import { daysOffOf } from '../working-time/index.ts'
import { applications } from './application.follow.ts'
import { clientOf } from './application.handover.ts'
import { assessmentFor } from './application.ready.ts'
import { openDays } from './application.settings.ts'

type Row = ModelRow<'loanApplication'>
type Write = PrepareWrite<Row>
const day = 86_400_000
/** What a move and the program write of an application that is no draft any more. */
const lineFields = ['guarantors', 'collateral', 'papers']
const kept = ['status', 'statusReason', 'decisionNote', 'tenantId', 'ownerUserId']

/** A draft pins the terms on offer and is quoted at each save; what was sent in stays as it was sent in. */
export async function prepareApplication(ctx: Ctx, { kind, input, before }: Write): Promise<Partial<Row>> {
  if (kind === 'remove') {
    if (before && before.status !== 'Draft') fail('CONFLICT', { message: 'Only a draft is deleted. Withdraw this application instead.' })
    return {}
  }
  if (before && input.status !== undefined && input.status !== before.status) return moved(ctx, before, input.status)
  const changed = before ? await changedOf(ctx, before, input) : []
  if (before && changed.length === 0) return {}
  if (before && before.status !== 'Draft')
    fail('CONFLICT', { message: `This application is ${before.status}. It has to be sent back before it is changed.` })
  const row = { ...before, ...input }
  const people = await applicantOf(ctx, row)
  const productId = String(row.productId)
  const pinned = await pinnedVersion(ctx, { productId, before: before?.productId === productId ? before.productVersionId : undefined })
  const { version, columns } = await quoted(ctx, pinned, row)
  const run = await assessmentFor(ctx, { ...people, calculator: (version['calculator'] as string | null) ?? null })
  const papers =
    kind === 'create' && !('papers' in input)
      ? { papers: (version['papers'] as string[]).map((name) => ({ name, isReceived: false })) }
      : {}
  const own = kind === 'create' ? { createdByUserId: ctx.user.id, ownerUserId: row.ownerUserId ?? ctx.user.id } : {}
  return { ...own, ...people, ...columns, ...papers, affordabilityRunId: run?.id ?? null }
}

/** What of a body differs from what is stored: a record that was read may be sent back as it is, whatever its state. */
async function changedOf(ctx: Ctx, before: Row, input: Partial<Row>): Promise<string[]> {
  const resource = applications()
  const columns = Object.keys(changedColumns(resource, before, pick(input, Object.keys(before) as (keyof Row)[]))).filter(
    (key) => !kept.includes(key),
  )
  const lines = lineFields.filter((key) => Object.hasOwn(input, key))
  const stored = lines.length === 0 ? undefined : await getRecord(ctx, resource, before.id)
  return [...columns, ...lines.filter((key) => !isSameLines(stored?.[key], (input as Readonly<Record<string, unknown>>)[key]))]
}

/** What a move writes beside the state. */
async function moved(ctx: Ctx, before: Row, to: string): Promise<Partial<Row>> {
  if (to === 'Submitted') {
    const { version, columns } = await quoted(ctx, before.productVersionId, before)
    const run = await assessmentFor(ctx, {
      leadId: before.leadId,
      clientId: before.clientId,
      calculator: (version['calculator'] as string | null) ?? null,
    })
    const expiresAt = new Date(Date.now() + (await settingOf(ctx, openDays, before.tenantId)) * day)
    return { ...columns, affordabilityRunId: run?.id ?? null, submittedAt: new Date(), expiresAt, decisionNote: null, statusReason: null }
  }
  if (to === 'Approved' || to === 'Declined') return { decidedAt: new Date(), decidedByUserId: ctx.user.id }
  if (to === 'Disbursing') return { clientId: await clientOf(ctx, before), expiresAt: null }
  return to === 'Draft' ? { expiresAt: null } : {}
}

/** Whom it is for: a lead or a client, each with the other one where they are one person. */
async function applicantOf(
  ctx: Ctx,
  { leadId = null, clientId = null }: Partial<Row>,
): Promise<{ leadId: string | null; clientId: string | null }> {
  if (leadId === null && clientId === null) fail('INVALID', { fields: [{ field: 'clientId', message: 'or a lead is required' }] })
  const found = await ctx.sql.maybe<{ id: string; leadId: string | null; status: string }>(sql`
    select "id", "leadId", "status" from client where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null
      and case when ${clientId}::uuid is not null then "id" = ${clientId}::uuid else "leadId" = ${leadId}::uuid end limit 1`)
  if (clientId !== null && leadId !== null && found && found.leadId !== leadId)
    fail('INVALID', { fields: [{ field: 'leadId', message: 'is not the lead that this client comes from' }] })
  if (found?.status === 'Closed') fail('INVALID', { fields: [{ field: 'clientId', message: 'is closed. Reopen the client first' }] })
  return { leadId: leadId ?? found?.leadId ?? null, clientId: clientId ?? found?.id ?? null }
}

/** The version that was pinned while it is on offer, else the one on offer today. */
async function pinnedVersion(ctx: Ctx, { productId, before }: { productId: string; before: string | undefined }): Promise<string> {
  const offered = await versionOnOffer(ctx, productId)
  if (offered.length === 0) return fail('INVALID', { fields: [{ field: 'productId', message: 'is not on offer here today' }] })
  return before !== undefined && offered.includes(before) ? before : (offered[0] ?? fail('NOT_FOUND'))
}

/** The cost of what is asked for at the terms of a version, as columns. INVALID where it lies out of the version's ranges. */
async function quoted(ctx: Ctx, versionId: string, row: Partial<Row>) {
  const { version, terms } = await readVersion(ctx, versionId)
  const choice = {
    currency: ctx.company.currency,
    amount: String(row.amount),
    instalments: Number(row.instalments),
    firstDueAt: dayText(row.firstDueAt),
  }
  const fields: { field: string; message: string }[] = rangeProblems(terms, choice)
  const disbursedOn = companyDay(ctx)
  if (choice.firstDueAt !== null && choice.firstDueAt <= disbursedOn) fields.push({ field: 'firstDueAt', message: 'must lie ahead' })
  if (fields.length > 0) fail('INVALID', { fields })
  const insured = insuredTerms(loanTermsOf(terms, choice), row.insurance as ChosenInsurance | null | undefined, {
    amount: choice.amount,
    on: disbursedOn,
  })
  if (insured.reason !== undefined)
    fail('INVALID', { fields: [{ field: 'amount', message: `does not go with the insurance that was accepted: ${insured.reason}` }] })
  const quote = quoteOf({ terms: insured.terms, amount: choice.amount, disbursedOn, daysOff: await daysOffOf(ctx) })
  return { version, columns: { productVersionId: versionId, ...columnsOf(quote), quotedAt: new Date() } }
}

const dayText = (value: unknown): string | null =>
  value === null || value === undefined ? null : (value instanceof Date ? value.toISOString() : String(value)).slice(0, 10)

const columnsOf = (quote: Quote) => {
  const { instalment, paidOut, totalPaid, totalCost, aprEffective, aprNominal, rows, ...rest } = quote
  const rate = (percent: number | null) => (percent === null ? null : new Decimal(percent))
  return {
    instalment: new Decimal(instalment),
    paidOut: new Decimal(paidOut),
    totalPaid: new Decimal(totalPaid),
    totalCost: new Decimal(totalCost),
    aprEffective: rate(aprEffective),
    aprNominal: rate(aprNominal),
    quote: { ...rest, rows: rows.map((row) => ({ ...row })) },
  }
}
