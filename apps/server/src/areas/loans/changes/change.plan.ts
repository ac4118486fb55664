import { loanTerms } from '@outpost/contract/lending'
import { fail, failField } from '@outpost/contract/errors'
import { Decimal, moneyText, zero, type DecimalValue } from '@outpost/rules/money'
import { dayText } from '../../../kernel/days.ts'
import { addPeriods } from '@outpost/rules/lending/due-dates'
import { restructured, termsOfHoliday, termsOfRest, type Restructured, type ScheduleRow } from '@outpost/rules/lending/restructure'
import type { LoanTerms } from '@outpost/rules/lending/terms'
import type { Ctx } from '../../../kernel/types.ts'
import { today } from '../../ledger/index.ts'
import { daysOffOf } from '../../working-time/index.ts'
import type { LockedLoan } from '../settling/loan.book.ts'
import { capFaults } from '../loan.caps.ts'
import { scheduleRowsOf } from '../loan.schedule.ts'

export interface Wanted {
  kind: string
  instalments?: number | null | undefined
  annualRate?: string | null | undefined
  firstDueAt?: string | null | undefined
  graceOnPrincipal?: number | null | undefined
  /** Instalments that are left out. */
  skip?: number | null | undefined
}
export interface Plan extends Restructured {
  terms: LoanTerms
}
export type Account = Pick<LockedLoan, 'id' | 'tenantId' | 'terms' | 'disbursedOn' | 'status' | 'principal' | 'creditType'>
/** What a loan would be from today on. INVALID naming the field; ILLEGAL_TRANSITION for a loan that does not run. Nothing is changed. */
export async function planOf(ctx: Ctx, account: Account, wanted: Wanted): Promise<Plan> {
  if (account.status !== 'Active' || account.disbursedOn === null)
    return fail('ILLEGAL_TRANSITION', { message: `The loan is ${account.status}.` })
  const rows = await scheduleRowsOf(ctx, account.id)
  const left = rows.filter(({ dueOn }) => dueOn > today(ctx))
  if (left.length === 0) failField('loanId', 'has no instalment ahead: all of it is due')
  const terms = checked(ctx, wanted, { former: account.terms, left })
  await withinRateCap(ctx, account, terms)
  const daysOff = await daysOffOf(ctx, account.tenantId)
  return { terms, ...restructured({ terms, rows, on: today(ctx), disbursedOn: account.disbursedOn, daysOff }) }
}

/** A rate that is raised holds the cap on interest of the kind of credit that the loan is; one that stays was agreed when it held. */
async function withinRateCap(ctx: Ctx, { terms: former, principal, creditType }: Account, terms: LoanTerms): Promise<void> {
  if (new Decimal(terms.annualRate).lte(former.annualRate)) return
  const { insurance: _, ...bare } = terms
  const fields = await capFaults(ctx, { terms: { ...bare, fees: [] }, principal, creditType }, 'annualRate')
  if (fields.length > 0) fail('INVALID', { fields })
}

function checked(ctx: Ctx, wanted: Wanted, { former, left }: { former: LoanTerms; left: readonly ScheduleRow[] }): LoanTerms {
  if (wanted.kind === 'holiday') {
    const { skip } = wanted
    if (!skip || skip < 1) return failField('skip', 'is required')
    if (addPeriods('2000-01-01', former.every, skip) > '2001-01-01') failField('skip', 'may be a year at most')
    return read(termsOfHoliday(former, { left, skip }))
  }
  const { instalments, annualRate, firstDueAt, graceOnPrincipal } = wanted
  if (firstDueAt && firstDueAt <= today(ctx)) failField('firstDueAt', 'must lie ahead')
  return read(
    termsOfRest(former, {
      instalments: instalments ?? left.length,
      ...(annualRate ? { annualRate } : {}),
      ...(firstDueAt ? { firstDueAt } : {}),
      ...(graceOnPrincipal ? { graceOnPrincipal } : {}),
    }),
  )
}

function read(wanted: LoanTerms): LoanTerms {
  const { success, data, error } = loanTerms.safeParse(wanted)
  return success ? data : fail('INVALID', { fields: error.issues.map(({ path, message }) => ({ field: path.join('.'), message })) })
}

/** What a stored or given request asks for. */
export const wantedOf = ({
  kind,
  instalments,
  annualRate,
  firstDueAt,
  graceOnPrincipal,
  skip,
}: Readonly<Record<string, unknown>>): Wanted => ({
  kind: String(kind ?? 'restructure'),
  instalments: instalments == null ? null : Number(instalments),
  annualRate: annualRate == null || annualRate === '' ? null : String(annualRate),
  firstDueAt: firstDueAt instanceof Date ? dayText(firstDueAt) : ((firstDueAt as string | null | undefined) ?? null),
  graceOnPrincipal: graceOnPrincipal == null ? null : Number(graceOnPrincipal),
  skip: skip == null ? null : Number(skip),
})

const parts = ['principal', 'interest', 'fee', 'insurance'] as const
type Amounts = Record<(typeof parts)[number], DecimalValue> & { dueOn: string }
const totalOf = (row: Amounts) => parts.reduce((sum, part) => sum.plus(row[part]), zero)
const sumOf = (rows: readonly Amounts[]) => moneyText(rows.reduce((sum, row) => sum.plus(totalOf(row)), zero))

/** Before and after in figures, as columns of a request. */
export function summaryOf({ before, after }: Plan) {
  const next = (rows: readonly Amounts[]) => (rows[0] ? moneyText(totalOf(rows[0])) : '0.00')
  return {
    instalmentBefore: next(before),
    instalmentAfter: next(after),
    totalBefore: sumOf(before),
    totalAfter: sumOf(after),
    lastBefore: before.at(-1)?.dueOn ?? null,
    lastAfter: after.at(-1)?.dueOn ?? null,
  }
}
