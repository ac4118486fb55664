import { sql } from '@outpost/platform/db/sql'
import { insuredTerms, type ChosenInsurance } from '@outpost/rules/insurance/premium'
import { loanTermsOf } from '@outpost/rules/products/product-terms'
import { companyDay } from '../../kernel/days.ts'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import type { Ctx } from '../../kernel/types.ts'
import type { Moved, Moving, Row } from '../../kernel/workflow/types.ts'
import { createLoan } from '../loans/index.ts'
import { readVersion } from '../products/index.ts'
import { applications, decided } from './application.follow.ts'

/** The client of an application: named by it, or what its lead has become meanwhile. */
export async function clientOf(ctx: Ctx, { clientId, leadId }: Row): Promise<string | null> {
  const found = await ctx.sql.maybe<{ id: string }>(sql`
    select "id" from client where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null
      and case when ${(clientId ?? null) as string | null}::uuid is not null then "id" = ${(clientId ?? null) as string | null}::uuid else "leadId" = ${(leadId ?? null) as string | null}::uuid end limit 1`)
  return found?.id ?? null
}

/** A loan is a client's. */
export async function noClient(ctx: Ctx, { before }: Moving): Promise<string | null> {
  return (await clientOf(ctx, before)) === null ? 'A loan is a client’s: make the lead a client first.' : null
}

/** What is approved becomes a loan at once where the applicant is a client; of a lead it waits until there is one. */
export async function approved(ctx: Ctx, moved: Moved): Promise<void> {
  await decided(ctx, moved)
  if ((await clientOf(ctx, moved.before)) === null) return
  const change = { kind: 'update', id: moved.id, input: { status: 'Disbursing' } } as const
  await writeRecords(ctx, applications(), [{ ...change, move: { field: 'status', asked: {}, name: 'openLoan' } }])
}

/** Opens the loan at the terms that were pinned, for the amount that was approved; it waits for its payout. */
export async function openLoan(ctx: Ctx, { id, before }: Moved): Promise<void> {
  const { terms, version } = await readVersion(ctx, String(before['productVersionId']))
  const amount = String(before['amount'])
  const firstDueAt = before['firstDueAt'] instanceof Date ? before['firstDueAt'].toISOString().slice(0, 10) : null
  const agreed = loanTermsOf(terms, { currency: ctx.company.currency, amount, instalments: Number(before['instalments']), firstDueAt })
  await createLoan(ctx, {
    clientId: String(await clientOf(ctx, before)),
    terms: insuredTerms(agreed, before['insurance'] as ChosenInsurance | null, { amount, on: companyDay(ctx) }).terms,
    principal: amount,
    creditType: terms.creditType,
    productVersionId: String(before['productVersionId']),
    productName: String(version['productIdLabel'] ?? version['name']),
    applicationId: id,
    officerUserId: before['ownerUserId'] as string | null,
  })
}
