import type { Schedule } from '../loans/loan-schedule.ts'
import { moneyText, zero, type Decimal } from '../money.ts'
import { creditLifePremium } from './credit-life.ts'
import type { Plan } from './types.ts'

interface Charges {
  fee: Decimal
  perThousand: Decimal
  opening: Decimal
}

/** The displayed instalment plan: credit life is charged on the balance before each instalment. */
export function planOf(schedule: Schedule, { fee, perThousand, opening }: Charges): Plan {
  let owed = opening
  const charges = schedule.rows.map((row) => {
    const charge = creditLifePremium(owed, perThousand).plus(fee)
    owed = row.balance
    return charge
  })
  const totalCharges = charges.reduce((sum, charge) => sum.plus(charge), zero)
  return {
    rows: schedule.rows.map((row, index) => ({
      number: row.number,
      instalment: moneyText(row.instalment.plus(charges[index] ?? zero)),
      interest: moneyText(row.interest),
      principal: moneyText(row.principal),
      charges: moneyText(charges[index] ?? zero),
      balance: moneyText(row.balance),
    })),
    totalInterest: moneyText(schedule.totalInterest),
    totalCharges: moneyText(totalCharges),
    totalPaid: moneyText(schedule.totalPaid.plus(totalCharges)),
  }
}
