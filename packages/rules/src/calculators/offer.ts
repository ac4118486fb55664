import { payment } from '../loans/loan-maths.ts'
import { loanSchedule } from '../loans/loan-schedule.ts'
import { atLeastZero, Decimal, moneyText, roundMoney, smallest, zero } from '../money.ts'
import { creditLifePremium } from './credit-life.ts'
import { cashWithin, initiationCharge, withVat } from './fees.ts'
import { monthlyRate, termOf } from './loan-terms.ts'
import { planOf } from './plan.ts'
import { shown } from './trace.ts'
import type { Job, Assessment } from './types.ts'
import { decideOutcome } from './verdict.ts'

interface Need {
  /** The most the client can pay per month, all costs of the loan included. */
  affordability: Decimal
  /** The most the security supports; omitted for an unsecured loan. */
  security?: Decimal
  /** Costs and existing debts that the new loan pays, besides the cash. */
  upfront?: Decimal
}

interface Loan {
  rate: Decimal
  periods: number
  charges: Decimal
  perThousand: Decimal
}

/**
 * Computes the largest loan for a monthly amount, the loan to offer, and the outcome: PASS as requested; FAIL when the requested loan's
 * rounded instalment is above the amount, with the loan that would fit as the offer; REFER when only security or product limits are
 * exceeded, which a person may override.
 */
export function assessLoan(job: Job, { affordability, security, upfront = zero }: Need): Assessment {
  const loan = loanOf(job)
  const most = clip(job, carried(job, loan, affordability), security)
  const cash = atLeastZero(cashWithin(job.rules, most).minus(upfront))
  noteCash(job, { most, cash, upfront })
  const asked = job.inputs.amount('amount')
  const wanted = asked.gt(0) ? principalFor(job, asked, upfront) : most
  const posted = instalmentOf(loan, wanted)
  const isAffordable = posted.lte(affordability)
  const isWithin = limitsOf(job, security).every((limit) => wanted.lte(limit))
  const offered = cash.gt(0) ? (isAffordable && isWithin ? wanted : smallest(wanted, most)) : zero
  const verdict = decideOutcome(job, { cash, rate: loan.rate, affordability, ...(isAffordable ? {} : { posted }), isWithin })
  const schedule =
    offered.gt(0) && loan.periods > 0 ? loanSchedule({ principal: offered, rate: loan.rate, periods: loan.periods }) : undefined
  const plan = schedule ? planOf(schedule, { fee: loan.charges, perThousand: loan.perThousand, opening: offered }) : undefined
  const instalment = instalmentOf(loan, offered)
  return {
    ...verdict,
    result: {
      affordability: moneyText(affordability),
      maxLoan: moneyText(cash),
      maxPrincipal: moneyText(most),
      offer: moneyText(asked.gt(0) && offered.eq(wanted) ? asked : cash),
      principal: moneyText(offered),
      instalment: moneyText(instalment),
      term: String(loan.periods),
      totalCost: moneyText(plan ? new Decimal(plan.totalPaid).minus(offered) : zero),
    },
    ...(plan ? { schedule: plan } : {}),
  }
}

function loanOf(job: Job): Loan {
  const { inputs, rules, trace } = job
  const fee = withVat(rules, inputs.amount('monthlyFee'))
  const charges = trace.note({
    label: 'Fees and insurance a month',
    formula: 'service fee with VAT + insurance',
    figures: `${shown(fee)} + ${shown(inputs.amount('monthlyInsurance'))}`,
    value: fee.plus(inputs.amount('monthlyInsurance')),
    uses: fee.gt(0) ? ['vatOnFees', 'serviceFeeMax'] : [],
  })
  return { rate: monthlyRate(job), periods: termOf(job), charges, perThousand: inputs.amount('creditLife') }
}

/** The principal whose instalment, credit life and charges fit within the amount. */
function carried({ trace }: Job, { rate, periods, charges, perThousand }: Loan, affordability: Decimal): Decimal {
  const room = atLeastZero(affordability.minus(charges))
  trace.note({
    label: 'Left for the instalment',
    formula: 'affordable a month − fees and insurance',
    figures: `${shown(affordability)} − ${shown(charges)}`,
    value: room,
  })
  if (periods === 0) return zero
  const perUnit = payment({ rate, periods, present: 1 }).negated().plus(perThousand.dividedBy(1_000))
  const found = roundMoney(room.dividedBy(perUnit))
  // The rounded amounts decide: two amounts are rounded when credit life is charged, and one cent over is too much.
  const isOver = instalmentOf({ rate, periods, charges: zero, perThousand }, found).gt(room)
  return trace.note({
    label: 'Loan it carries',
    formula: perThousand.gt(0) ? 'amount ÷ (PMT(rate, term, 1) + credit life per 1)' : 'PV(rate, term, −amount)',
    figures: perThousand.gt(0)
      ? `${shown(room)} ÷ ${perUnit.toFixed(8)}`
      : `PV(${rate.times(100).toDecimalPlaces(6).toFixed()} %, ${periods}, −${shown(room)})`,
    value: isOver ? atLeastZero(roundMoney(room.minus('0.01').dividedBy(perUnit))) : found,
    uses: perThousand.gt(0) ? ['creditLifeMax'] : [],
  })
}

function instalmentOf({ rate, periods, charges, perThousand }: Loan, principal: Decimal): Decimal {
  if (periods === 0 || !principal.gt(0)) return zero
  return roundMoney(payment({ rate, periods, present: principal }).negated())
    .plus(creditLifePremium(principal, perThousand))
    .plus(charges)
}

/** The maximum allowed by security and product, where they set one. */
const limitsOf = ({ rules }: Job, security?: Decimal): Decimal[] =>
  [security, rules.limit('maxLoan')].filter((limit) => limit !== undefined)

/** The loan within product and security limits; below the smallest loan there is none. */
function clip(job: Job, principal: Decimal, security?: Decimal): Decimal {
  const { rules, trace } = job
  const [top, limits] = [rules.limit('maxLoan'), limitsOf(job, security)]
  const capped = smallest(principal, ...limits)
  if (limits.length > 0) {
    trace.note({
      label: security ? 'After security and product limits' : 'After product limits',
      formula: security ? 'the least of what income, security and product allow' : 'the lesser of what income and product allow',
      figures: `min(${[principal, ...limits].map(shown).join('; ')})`,
      value: capped,
      uses: top ? ['maxLoan'] : [],
    })
  }
  const least = rules.limit('minLoan')
  if (!least || capped.gte(least)) return capped
  return trace.note({
    label: 'Under the smallest loan',
    formula: 'no loan below the product’s smallest',
    figures: `${shown(capped)} < ${shown(least)}`,
    value: zero,
    uses: ['minLoan'],
  })
}

function noteCash({ rules, trace }: Job, { most, cash, upfront }: { most: Decimal; cash: Decimal; upfront: Decimal }): void {
  const fee = most.minus(cashWithin(rules, most))
  if (fee.isZero() && upfront.isZero()) return
  trace.note({
    label: 'Cash to the client',
    formula: 'loan − initiation fee − costs and debts it pays',
    figures: `${shown(most)} − ${shown(fee)} − ${shown(upfront)}`,
    value: cash,
    uses: fee.gt(0)
      ? ['initiationBase', 'initiationPercent', 'initiationMax', 'initiationThreshold', 'initiationShareCap', 'vatOnFees']
      : [],
  })
}

function principalFor({ rules, trace }: Job, asked: Decimal, upfront: Decimal): Decimal {
  const net = asked.plus(upfront)
  const fee = initiationCharge(rules, net)
  if (fee.isZero() && upfront.isZero()) return asked
  return trace.note({
    label: 'Loan asked for, with its costs',
    formula: 'cash asked for + costs and debts + initiation fee',
    figures: [asked, upfront, fee].map(shown).join(' + '),
    value: net.plus(fee),
  })
}
