import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import { loanParts, type DueRow, type LoanPart, type Paid, type Replayed } from '@outpost/rules/lending/replay'
import type { LoanTerms } from '@outpost/rules/lending/terms'
import type { CreditType } from '@outpost/rules/products/product-terms'
import type { Ctx } from '../../../kernel/types.ts'
import type { Purpose } from '../../ledger/index.ts'

/** A loan as it is locked for booking. */
export interface LockedLoan {
  id: string
  tenantId: string
  clientId: string
  number: number
  status: 'Approved' | 'Active' | 'Overpaid' | 'Closed' | 'Written off' | 'Cancelled'
  terms: LoanTerms
  creditType: CreditType
  principal: string
  owedAtPayout: string
  paidOut: string
  settlesLoanId: string | null
  disbursedOn: string | null
  writtenOffOn: string | null
  writtenOff: string
  overpaid: string
}

/** The caller's loan as it is for booking, not locked. Undefined when it is out of sight. */
export const findLoan = (ctx: Ctx, id: string): Promise<LockedLoan | undefined> => ctx.sql.maybe<LockedLoan>(bookColumns(ctx, [id]))

const bookColumns = (ctx: Ctx, ids: readonly string[]) => sql`
  select "id", "tenantId", "clientId", "number", "status", "terms", "creditType", "principal"::text, "owedAtPayout"::text, "paidOut"::text, "settlesLoanId",
    to_char("disbursedOn", 'YYYY-MM-DD') as "disbursedOn", to_char("writtenOffOn", 'YYYY-MM-DD') as "writtenOffOn", "writtenOff"::text, "overpaid"::text
  from loan where "companyId" = ${ctx.company.id}::uuid and "id" = any(${[...ids]}::uuid[]) and "deletedAt" is null`

/** Locks the caller's loan until the transaction ends, so that what is booked on it comes one after the other. Undefined when it is out of sight. */
export const lockLoan = async (ctx: Ctx, id: string): Promise<LockedLoan | undefined> => (await lockLoans(ctx, [id])).get(id)

/** Locks loans in one order, whatever order they are asked in: two that lock several wait for each other and never crosswise. */
export async function lockLoans(ctx: Ctx, ids: readonly string[]): Promise<Map<string, LockedLoan>> {
  if (ids.length === 0) return new Map()
  return byLoan(await ctx.sql.query<LockedLoan>(prepared(sql`${bookColumns(ctx, ids)} order by "id" for update`, 'write')))
}
const byLoan = (rows: readonly LockedLoan[]) => new Map(rows.map((row) => [row.id, row]))

/** The schedule of a loan as it is stored. */
export const instalmentsOf = async (ctx: Ctx, loanId: string): Promise<DueRow[]> => instalmentsOfAll(ctx, [loanId])

/** Those of several, each with its loan. */
export const instalmentsOfAll = (ctx: Ctx, loanIds: readonly string[]): Promise<(DueRow & { loanId: string })[]> =>
  ctx.sql.query<DueRow & { loanId: string }>(
    prepared(
      sql`
    select "loanId", "number", to_char("dueOn", 'YYYY-MM-DD') as "dueOn", "principal"::text, "interest"::text, "fee"::text, "insurance"::text
    from loan_instalment where "companyId" = ${ctx.company.id}::uuid and "loanId" = any(${[...loanIds]}::uuid[]) order by "loanId", "number"`,
      'write',
    ),
  )

export interface StoredPayment extends Paid {
  loanId: string
  kind: 'repayment' | 'recovery'
  method: string
  viaSuspense: boolean
  number: number
}

/** Payments that count for a loan, in the order of their days and of their capture. */
export const paymentsOf = (ctx: Ctx, loanId: string): Promise<StoredPayment[]> => paymentsOfAll(ctx, [loanId])

/** Those of several loans, in the same order. */
export const paymentsOfAll = (ctx: Ctx, loanIds: readonly string[]): Promise<StoredPayment[]> =>
  ctx.sql.query<StoredPayment>(
    prepared(
      sql`
    select "loanId", "id", to_char("paidOn", 'YYYY-MM-DD') as "on", "amount"::text, "kind", "method", "viaSuspense", "number"
    from payment where "companyId" = ${ctx.company.id}::uuid and "loanId" = any(${[...loanIds]}::uuid[]) and "status" = 'Posted' and "deletedAt" is null
    order by "paidOn", "number"`,
      'write',
    ),
  )

/** Accounts on which the parts of a loan are booked. */
export const accountOf: Readonly<Record<LoanPart | 'overpaid' | 'recovery', Purpose>> = {
  principal: 'portfolio',
  interest: 'interestReceivable',
  fee: 'feeReceivable',
  insurance: 'insuranceReceivable',
  penalty: 'penaltyReceivable',
  overpaid: 'overpayments',
  recovery: 'recoveries',
}

/** Accounts whose balances belong to a loan and go with it to another branch; what came in, was earned or lost stays where it was booked. */
export const ownAccounts: readonly Purpose[] = [...loanParts.map((part) => accountOf[part]), accountOf.overpaid]

/** Where money comes in or goes out. */
export function moneyAccount(method: string): Purpose {
  if (method === 'topUp') return 'topUps'
  if (method === 'securitySale') return 'securitySales'
  return method === 'cash' ? 'cash' : method === 'mobileMoney' ? 'provider' : 'bank'
}

export interface StoredAllocation {
  loanId: string
  paymentId: string
  number: number
  part: LoanPart | 'overpaid' | 'recovery'
  amount: string
  entryId: string
}
export interface StoredPenalty {
  loanId: string
  id: string
  number: number
  period: number
  amount: string
  entryId: string
}

/** A locked loan with what its schedule and its payments come to, and what is booked of that. */
export interface ReplayedLoan {
  account: LockedLoan
  payments: readonly StoredPayment[]
  stored: { penalties: readonly StoredPenalty[]; allocations: readonly StoredAllocation[] }
  replayed: Replayed
}

/** What is booked under a locked loan is booked once: nobody else can have. */
export const unbooked = (id: string): never => {
  throw new Error(`${id} was booked by somebody else under a locked loan`)
}

export interface NewTransaction {
  entryId: string
  kind: string
  valueOn: string
  paymentId?: string | null
  /** Change of what the client owes, by part; decimal text. */
  changes: Partial<Record<LoanPart | 'overpaid', string>>
}

/** Notes what entries did to a loan. */
export async function noteTransactions(
  ctx: Ctx,
  { loanId, bookedOn }: { loanId: string; bookedOn: string },
  made: readonly NewTransaction[],
): Promise<void> {
  await noteAll(
    ctx,
    bookedOn,
    made.map((one) => ({ ...one, loanId })),
  )
}

/** Notes what entries did to several loans. */
export async function noteAll(ctx: Ctx, bookedOn: string, made: readonly (NewTransaction & { loanId: string })[]): Promise<void> {
  if (made.length === 0) return
  const parts = [...loanParts, 'overpaid'] as const
  const rows = made.map(({ changes, ...row }) => ({ ...row, ...Object.fromEntries(parts.map((part) => [part, changes[part] ?? '0'])) }))
  await ctx.sql.exec(
    prepared(
      sql`
    insert into loan_transaction ("companyId", "id", "loanId", "entryId", "kind", "bookedOn", "valueOn", "paymentId", "principal", "interest", "fee", "insurance", "penalty", "overpaid")
    select ${ctx.company.id}::uuid, uuidv7(), "loanId", "entryId", "kind", ${bookedOn}::date, "valueOn", "paymentId", "principal", "interest", "fee", "insurance", "penalty", "overpaid"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g("loanId" uuid, "entryId" uuid, "kind" text, "valueOn" date, "paymentId" uuid,
      "principal" numeric, "interest" numeric, "fee" numeric, "insurance" numeric, "penalty" numeric, "overpaid" numeric)`,
      'write',
    ),
  )
}

/** Takes back what entries did: a contra row for each, by the entry that reverses it. */
export async function takeBack(ctx: Ctx, contra: ReadonlyMap<string, string>, bookedOn: string): Promise<void> {
  if (contra.size === 0) return
  const pairs = [...contra].map(([was, is]) => ({ was, is }))
  await ctx.sql.exec(sql`
    insert into loan_transaction ("companyId", "id", "loanId", "entryId", "kind", "bookedOn", "valueOn", "paymentId", "principal", "interest", "fee", "insurance", "penalty", "overpaid")
    select t."companyId", uuidv7(), t."loanId", p."is", 'reversal', ${bookedOn}::date, t."valueOn", t."paymentId", -t."principal", -t."interest", -t."fee", -t."insurance", -t."penalty", -t."overpaid"
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p("was" uuid, "is" uuid)
      join loan_transaction t on t."companyId" = ${ctx.company.id}::uuid and t."entryId" = p."was"`)
}
