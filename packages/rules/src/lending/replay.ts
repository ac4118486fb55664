import type { AllocationPart, LoanTerms } from '@outpost/contract/lending'
import { atLeastZero, Decimal, smallest, zero, type DecimalValue } from '../money.ts'
import { addDays } from '../time-zone.ts'
import { addPeriods } from './due-dates.ts'
import { roundIn } from './terms.ts'

/** An instalment as it was agreed. */
export interface DueRow {
  number: number
  /** YYYY-MM-DD */
  dueOn: string
  principal: DecimalValue
  interest: DecimalValue
  fee: DecimalValue
  insurance: DecimalValue
}
export interface Paid {
  id: string
  /** The day the money came in. */
  on: string
  amount: DecimalValue
}
export const loanParts = ['principal', 'interest', 'fee', 'insurance', 'penalty'] as const
export type LoanPart = (typeof loanParts)[number]
/** What a payment did: a part of an instalment settled, or (number 0) money beyond all that is owed. */
export interface Allocation {
  paymentId: string
  number: number
  part: LoanPart | 'overpaid'
  amount: Decimal
}
export interface PenaltyCharge {
  /** The instalment that was late, and for the how many-eth time: 1 is the first. */
  number: number
  period: number
  on: string
  amount: Decimal
}
export interface InstalmentState {
  number: number
  dueOn: string
  due: Record<LoanPart, Decimal>
  paid: Record<LoanPart, Decimal>
  /** The day its last part was paid; later penalties open it again. */
  paidOn: string | null
}
export interface Replayed {
  allocations: Allocation[]
  penalties: PenaltyCharge[]
  instalments: InstalmentState[]
  overpaid: Decimal
}

/** Most penalties for one instalment: a loan nobody looks at must not grow for ever. */
const maxPenalties = 120
/** What the schedule says; penalties come to it. */
const scheduleParts = ['principal', 'interest', 'fee', 'insurance'] as const

/**
 * What payments did to a loan, from its schedule alone: the same rows in give the same rows out, whenever a payment was captured. Payments settle the oldest
 * instalment first, its parts in the order of the terms (insurance with the fees); what is beyond pays later instalments, then is overpaid. Penalties of a day
 * come before its payments. `payments` of one day keep their order; `asOf` is the last day on which penalties are charged.
 */
export function replay({
  terms,
  instalments,
  payments,
  asOf,
}: {
  terms: LoanTerms
  instalments: readonly DueRow[]
  payments: readonly Paid[]
  asOf: string
}): Replayed {
  const rows = instalments.map(startOf)
  const charger = penaltiesOf(terms, rows)
  const allocations: Allocation[] = []
  for (const payment of payments.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))) {
    charger.chargeUntil(payment.on < asOf ? payment.on : asOf)
    allocations.push(...allocate(terms, rows, payment))
    charger.settled(payment.on)
  }
  charger.chargeUntil(asOf)
  const overpaid = allocations.filter(({ part }) => part === 'overpaid').reduce((sum, { amount }) => sum.plus(amount), zero)
  return { allocations, penalties: charger.charges, instalments: rows, overpaid }
}

function startOf({ number, dueOn, principal, interest, fee, insurance }: DueRow): InstalmentState {
  const of = (value: DecimalValue) => new Decimal(value)
  return {
    number,
    dueOn,
    due: { principal: of(principal), interest: of(interest), fee: of(fee), insurance: of(insurance), penalty: zero },
    paid: { principal: zero, interest: zero, fee: zero, insurance: zero, penalty: zero },
    paidOn: null,
  }
}

const openPart = (row: InstalmentState, part: LoanPart) => row.due[part].minus(row.paid[part])
/** What is still to be paid of an instalment. */
export const openAmount = (row: InstalmentState, parts: readonly LoanPart[] = loanParts): Decimal =>
  parts.reduce((sum, part) => sum.plus(openPart(row, part)), zero)

/** The first instalment of which the schedule's own parts are not paid. A penalty alone makes nobody late: reports of arrears count days by the schedule too. */
export const oldestUnpaid = (rows: readonly InstalmentState[]): InstalmentState | undefined =>
  rows.find((row) => openAmount(row, scheduleParts).gt(0))

const partsOf = (part: AllocationPart): readonly LoanPart[] => (part === 'fee' ? ['fee', 'insurance'] : [part])

function allocate({ allocation }: LoanTerms, rows: readonly InstalmentState[], { id, on, amount }: Paid): Allocation[] {
  const order = allocation.flatMap(partsOf)
  const made: Allocation[] = []
  let rest = new Decimal(amount)
  for (const row of rows) {
    if (rest.isZero()) break
    for (const part of order) {
      const settled = smallest(rest, openPart(row, part))
      if (!settled.gt(0)) continue
      row.paid[part] = row.paid[part].plus(settled)
      rest = rest.minus(settled)
      made.push({ paymentId: id, number: row.number, part, amount: settled })
    }
    if (openAmount(row).isZero()) row.paidOn ??= on
  }
  if (rest.gt(0)) made.push({ paymentId: id, number: 0, part: 'overpaid', amount: rest })
  return made
}

/** Charges penalties day after day, on what is late at that moment; those of one day by their instalments. */
function penaltiesOf({ penalty, currency }: LoanTerms, rows: readonly InstalmentState[]) {
  const charges: PenaltyCharge[] = []
  const next = new Map(rows.map(({ number, dueOn }) => [number, { period: 1, on: addDays(dueOn, (penalty?.graceDays ?? 0) + 1) }]))
  const room = penalty?.inDuplum ? inDuplum(rows) : undefined
  /** The earliest one where a limit goes by days; else one instalment after the other. */
  const nextTurn = (until: string) => {
    const due = rows.flatMap((row) => {
      const turn = next.get(row.number)
      return turn && turn.on <= until ? [{ row, turn }] : []
    })
    return due.reduce<(typeof due)[number] | undefined>(
      (first, one) => (first && (!room || first.turn.on <= one.turn.on) ? first : one),
      undefined,
    )
  }
  const chargeUntil = (until: string) => {
    if (!penalty) return
    for (let due = nextTurn(until); due; due = nextTurn(until)) {
      const { row, turn } = due
      const late = openAmount(row, scheduleParts)
      if (!late.gt(0)) next.delete(row.number)
      else {
        const whole = roundIn(currency, penalty.kind === 'flat' ? penalty.amount : late.times(penalty.amount).dividedBy(100))
        const amount = room ? smallest(whole, room.left(turn.on)) : whole
        if (amount.gt(0)) charge(row, turn, amount)
        moveOn(row, turn.period)
      }
    }
    room?.left(until)
  }
  /** A payment may have ended the arrears. */
  const settled = (on: string) => void room?.left(on)
  const charge = (row: InstalmentState, { period, on }: { period: number; on: string }, amount: Decimal) => {
    row.due.penalty = row.due.penalty.plus(amount)
    row.paidOn = null
    charges.push({ number: row.number, period, on, amount })
    room?.take(amount)
  }
  const moveOn = ({ number, dueOn }: InstalmentState, period: number) => {
    const isLast = penalty?.per === 'instalment' || period >= maxPenalties
    if (isLast) next.delete(number)
    else
      next.set(number, {
        period: period + 1,
        on: addPeriods(addDays(dueOn, (penalty?.graceDays ?? 0) + 1), { unit: 'month', count: 1 }, period),
      })
  }
  return { charges, chargeUntil, settled }
}

/**
 * In duplum: what accrues while a loan is in arrears, penalties with the interest, fees and insurance that fall due, comes to the principal that was unpaid when the
 * arrears began and to no more. They end once all that is due is paid; others begin anew.
 */
function inDuplum(rows: readonly InstalmentState[]) {
  let arrears: { since: string; limit: Decimal; penalties: Decimal } | undefined
  /** What may still accrue on a day, as payments until then have left the loan. */
  const left = (on: string): Decimal => {
    const oldest = oldestUnpaid(rows)
    if (!oldest || oldest.dueOn >= on) arrears = undefined
    else arrears ??= { since: oldest.dueOn, limit: rows.reduce((sum, row) => sum.plus(openPart(row, 'principal')), zero), penalties: zero }
    if (!arrears) return zero
    const { since, limit, penalties } = arrears
    const scheduled = rows
      .filter(({ dueOn }) => dueOn > since && dueOn <= on)
      .reduce((sum, { due }) => sum.plus(due.interest).plus(due.fee).plus(due.insurance), zero)
    return atLeastZero(limit.minus(penalties).minus(scheduled))
  }
  const take = (amount: Decimal) => {
    if (arrears) arrears.penalties = arrears.penalties.plus(amount)
  }
  return { left, take }
}

/** Interest earned up to a day: all of the periods that ended, of the running one by its days. The last instalment's is earned by its due day. */
export function interestEarned(
  rows: readonly Pick<DueRow, 'dueOn' | 'interest'>[],
  { disbursedOn, asOf, currency }: { disbursedOn: string; asOf: string; currency: string },
): Decimal {
  let earned = zero
  let from = disbursedOn
  for (const { dueOn, interest } of rows) {
    if (dueOn <= asOf) earned = earned.plus(interest)
    else if (from < asOf)
      earned = earned.plus(roundIn(currency, new Decimal(interest).times(days(from, asOf)).dividedBy(days(from, dueOn))))
    if (dueOn > asOf) break
    from = dueOn
  }
  return earned
}
const days = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
