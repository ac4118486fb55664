import { loanTerms } from '@outpost/contract/lending'
import { fail } from '@outpost/contract/errors'
import { amountFault } from '@outpost/rules/currency'
import { Decimal, moneyText } from '@outpost/rules/money'
import { owedAtPayout, paidOut, scheduleOf, type LoanTerms } from '@outpost/rules/lending/terms'
import { sql } from '@outpost/platform/db/sql'
import { isUsualYear, wrongYear } from '../../kernel/days.ts'
import { createRecord, type WireRecord } from '../../kernel/resource/records.ts'
import type { Ctx } from '../../kernel/types.ts'
import { today } from '../ledger/index.ts'
import type { CreditType } from '@outpost/rules/products/product-terms'
import { overAuthority } from './authority.ts'
import { capFaults, type Capped } from './loan.caps.ts'
import { loan } from './loan.resource.ts'

export interface NewLoan {
  clientId: string
  terms: LoanTerms
  /** The amount lent: decimal text or a number. */
  principal: string | number
  /** What it is by law: caps on its cost go by it. */
  creditType: CreditType
  productVersionId?: string | null
  productName?: string | null
  applicationId?: string | null
  officerUserId?: string | null
  /** The branch it is filed under; without one: the client's. */
  tenantId?: string
  /** The running loan of the client that this one pays off. */
  settlesLoanId?: string | null
  /** The group whose joint loan it is a share of. */
  groupId?: string | null
  /** What the caller calls the terms, for the fields of refusals: `terms.` where a body holds them whole. */
  prefix?: 'terms.' | ''
}

/**
 * Opens a loan account that waits for its payout, filed under the client's branch or the one that is named; runs in the caller's transaction. INVALID naming the field when client, terms
 * or principal are not what they must be, ALREADY_EXISTS for an application that has its loan.
 */
export async function createLoan(
  ctx: Ctx,
  { clientId, terms: given, principal, creditType, prefix = 'terms.', ...more }: NewLoan,
): Promise<WireRecord> {
  const terms = checkedTerms(ctx, given, prefix)
  const fault = principalFault(principal, terms.currency)
  if (fault) fail('INVALID', { fields: [{ field: 'principal', message: fault }] })
  const owner = await ownerOf(ctx, clientId)
  if (!more.applicationId) await withinCaps(ctx, { terms, principal, creditType }, prefix)
  if (!owner) return fail('INVALID', { fields: [{ field: 'clientId', message: 'does not exist' }] })
  if (terms.balloon !== undefined && new Decimal(terms.balloon).gt(owedAtPayout(terms, principal)))
    fail('INVALID', { fields: [{ field: `${prefix}balloon`, message: 'is more than what is owed at the payout' }] })
  const rows = scheduleOf(terms, principal, today(ctx))
  if (new Decimal(paidOut(terms, principal)).lte(0))
    fail('INVALID', { fields: [{ field: 'principal', message: 'is less than the fees that are deducted' }] })
  return createRecord(
    ctx,
    loan,
    { clientId },
    {
      tenantId: more.tenantId ?? owner.tenantId,
      officerUserId: more.officerUserId ?? owner.assignedUserId ?? ctx.user.id,
      productVersionId: more.productVersionId ?? null,
      productName: more.productName ?? null,
      creditType,
      applicationId: more.applicationId ?? null,
      settlesLoanId: more.settlesLoanId ?? null,
      groupId: more.groupId ?? null,
      terms,
      principal: moneyText(principal),
      owedAtPayout: moneyText(owedAtPayout(terms, principal)),
      paidOut: moneyText(paidOut(terms, principal)),
      instalment: moneyText(rows[Math.min(terms.graceOnPrincipal, rows.length - 1)]?.total ?? 0),
      instalments: terms.instalments,
    },
  )
}

/** The client whose loan it becomes, who is neither deleted nor closed while it is opened. */
async function ownerOf(ctx: Ctx, clientId: string): Promise<{ tenantId: string; assignedUserId: string | null } | undefined> {
  const owner = await ctx.sql.maybe<{ tenantId: string; assignedUserId: string | null; status: string }>(sql`
    select "tenantId", "assignedUserId", "status" from client where "companyId" = ${ctx.company.id}::uuid and "id" = ${clientId}::uuid and "deletedAt" is null for share`)
  if (owner?.status === 'Closed') fail('INVALID', { fields: [{ field: 'clientId', message: 'is closed. Reopen the client first' }] })
  return owner
}

/** Why an amount cannot be lent; the bound is that of every amount of money. */
function principalFault(principal: string | number, currency: string): string | undefined {
  if (!(Number(principal) > 0)) return 'must be more than 0'
  return Number(principal) > 999_999_999_999 ? 'may not be over 999999999999' : amountFault(principal, currency)
}

/** Refuses a principal above what the caller's roles may approve (INVALID): who opens a loan without an application decides on it. */
export async function mayDecideOn(ctx: Ctx, principal: string | number): Promise<void> {
  const message = await overAuthority(ctx, principal)
  if (message !== null) fail('INVALID', { fields: [{ field: 'principal', message }] })
}

/** What was applied for has the terms of a published product, which break no cap; anything else is looked at by itself. */
async function withinCaps(ctx: Ctx, loan: Capped, prefix: string): Promise<void> {
  const faults = await capFaults(ctx, loan)
  const fields = faults.map(({ field, message }) => ({ field: field === 'creditType' ? field : `${prefix}${field}`, message }))
  if (fields.length > 0) fail('INVALID', { fields })
}

/** The terms as they are stored. They must be in the company's currency: one ledger holds one currency. */
function checkedTerms(ctx: Ctx, given: LoanTerms, prefix: string): LoanTerms {
  const read = loanTerms.safeParse(given)
  if (!read.success)
    return fail('INVALID', { fields: read.error.issues.map(({ path, message }) => ({ field: `${prefix}${path.join('.')}`, message })) })
  if (read.data.currency !== ctx.company.currency)
    return fail('INVALID', { fields: [{ field: `${prefix}currency`, message: `must be ${ctx.company.currency}` }] })
  const { firstDueAt } = read.data
  if (firstDueAt !== undefined && !isUsualYear(firstDueAt))
    fail('INVALID', { fields: [{ field: `${prefix}firstDueAt`, message: wrongYear }] })
  return read.data
}
