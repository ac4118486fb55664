import { interestEarned, openAmount } from '@outpost/rules/lending/replay'
import { restructured, termsOfRest } from '@outpost/rules/lending/restructure'
import { atLeastZero, moneyText, zero, type DecimalValue } from '@outpost/rules/money'
import { addDays } from '@outpost/rules/time-zone'
import type { DemoLoan } from './terms.ts'
import { demoId } from '../random.ts'

const steps = [
  { fromDay: 1, action: 'Message', instruction: 'Remind of the instalment and how it is paid.' },
  { fromDay: 4, action: 'Call', instruction: 'Ask for the reason and for a day on which it is paid.' },
  { fromDay: 10, action: 'Visit', instruction: 'See the client at home or at work.' },
  { fromDay: 31, action: 'Letter', instruction: 'Send the letter of demand to client and guarantors.' },
  { fromDay: 91, action: 'Hand over', instruction: 'Hand the file to the recovery team.' },
]

/** What a company does about late loans. */
export const dunningSteps = ({ companyId, key }: { companyId: string; key: string }): object[] =>
  steps.map((step, index) => ({ companyId, id: demoId(`dunning ${key}`, index), ...step }))

const madeFrom = ({ companyId, client, id, by, today }: DemoLoan) => ({
  companyId,
  tenantId: client.tenantId,
  loanId: id,
  clientId: client.id,
  createdByUserId: client.assignedUserId ?? client.createdByUserId,
  createdBy: by,
  dateCreated: `${addDays(today, -1)}T10:00:00Z`,
})

/** Every tenth running loan was quoted a settlement. */
export function quotesOf(loan: DemoLoan): object[] {
  const { company, index, rows, state, disbursedOn, today, terms } = loan
  const isRunning = loan.writtenOffOn === undefined && state.instalments.some((row) => openAmount(row).gt(0))
  if (!isRunning || index % 10 !== 3) return []
  const validUntil = addDays(today, 14)
  const open = (...parts: ('principal' | 'penalty')[]) => state.instalments.reduce((sum, row) => sum.plus(openAmount(row, parts)), zero)
  const paid = state.instalments.reduce((sum, row) => sum.plus(row.paid.interest), zero)
  const interest = atLeastZero(interestEarned(rows, { disbursedOn, asOf: validUntil, currency: terms.currency }).minus(paid))
  const total = open('principal').plus(interest).plus(open('penalty'))
  const owed = state.instalments.reduce((sum, row) => sum.plus(openAmount(row)), zero)
  return [
    {
      ...madeFrom(loan),
      id: demoId(`quote ${company.key}`, index),
      quotedOn: addDays(today, -1),
      validUntil,
      principal: moneyText(open('principal')),
      interest: moneyText(interest),
      fees: '0.00',
      penalties: moneyText(open('penalty')),
      total: moneyText(total),
      saved: moneyText(atLeastZero(owed.minus(total))),
    },
  ]
}

/** Some late loans wait for other terms. */
export function changesOf(loan: DemoLoan): object[] {
  const { company, index, rows, state, disbursedOn, today, terms } = loan
  const late = state.instalments.find((row) => openAmount(row).gt(0) && row.dueOn < today)
  const left = rows.filter(({ dueOn }) => dueOn > today)
  if (!late || loan.writtenOffOn !== undefined || left.length < 3 || index % 4 !== 1) return []
  const instalments = left.length + 6
  const { before, after } = restructured({ terms: termsOfRest(terms, { instalments }), rows, on: today, disbursedOn })
  const totalOf = (some: readonly Record<'principal' | 'interest' | 'fee' | 'insurance', DecimalValue>[]) =>
    moneyText(some.reduce((sum, row) => sum.plus(row.principal).plus(row.interest).plus(row.fee).plus(row.insurance), zero))
  return [
    {
      ...madeFrom(loan),
      id: demoId(`change ${company.key}`, index),
      kind: 'restructure',
      reason: 'Business is slow until the harvest is sold.',
      instalments,
      instalmentBefore: totalOf(before.slice(0, 1)),
      instalmentAfter: totalOf(after.slice(0, 1)),
      totalBefore: totalOf(before),
      totalAfter: totalOf(after),
      lastBefore: before.at(-1)?.dueOn,
      lastAfter: after.at(-1)?.dueOn,
    },
  ]
}
