import type { FieldView } from '@outpost/contract/fields'
import { atLeastZero, largest, roundMoney, type Decimal } from '../money.ts'
import { moneyField } from './loan-terms.ts'
import { normExpenses } from './norms.ts'
import { minus, shown } from './trace.ts'
import type { Job } from './types.ts'

/** Inputs of the South African method: gross income, its deductions, and a signed disclosure below the norm. */
export const normFields: readonly FieldView[] = [
  moneyField('grossPay', 'Gross income a month', { required: true }),
  moneyField('statutory', 'Statutory deductions', { required: true, help: 'Tax, UIF and the like' }),
  moneyField('livingExpenses', 'Living expenses declared', { required: true }),
  {
    key: 'hasDisclosure',
    kind: 'boolean',
    label: 'Signed disclosure and proof of the lower expenses',
    defaultValue: false,
    help: 'Needed for expenses below the norm',
  },
  moneyField('obligations', 'Instalments declared'),
  moneyField('bureauObligations', 'Instalments at the credit bureau'),
]

/** Deductions may not exceed gross income. */
export const incomeLimits = [['statutory', 'grossPay']] as const

export interface Income {
  affordability: Decimal
  isBelowNorm: boolean
}

/**
 * The amount available for an instalment under NCR Regulation 23A: gross − statutory deductions − the higher of declared expenses and
 * norm − obligations (the higher of declared and bureau) − buffer; never below zero.
 */
export function incomeByNorm(job: Job): Income {
  const { inputs, rules, trace } = job
  const [gross, statutory] = [inputs.amount('grossPay'), inputs.amount('statutory')]
  const { expenses, isBelowNorm } = expensesOf(job, gross)
  const [declared, bureau, buffer] = [inputs.amount('obligations'), inputs.amount('bureauObligations'), rules.amount('buffer')]
  const obligations = trace.note({
    label: 'Instalments already owed',
    formula: 'the higher of declared and credit bureau',
    figures: `max(${shown(declared)}; ${shown(bureau)})`,
    value: largest(declared, bureau),
  })
  const discretionary = trace.note({
    label: 'Discretionary income',
    formula: 'gross income − statutory deductions − living expenses − instalments already owed',
    figures: minus(gross, statutory, expenses, obligations),
    value: gross.minus(statutory).minus(expenses).minus(obligations),
  })
  return { affordability: affordable(job, { label: 'discretionary income − buffer', amount: discretionary, buffer }), isBelowNorm }
}

function expensesOf({ inputs, rules, trace }: Job, gross: Decimal): { expenses: Decimal; isBelowNorm: boolean } {
  const { amount: norm, band, index } = normExpenses(rules.bands('norms'), gross)
  const declared = inputs.amount('livingExpenses')
  trace.note({
    label: 'Least living expenses (norm)',
    formula: 'factor of the band + percent × (gross income − begin of the band)',
    figures: `${shown(band.factor)} + ${band.percent} % × (${shown(gross)} − ${shown(band.from)})`,
    value: norm,
    uses: [`norms.${index}`],
  })
  const isBelowNorm = declared.lt(norm) && inputs.flag('hasDisclosure')
  const expenses = trace.note(
    isBelowNorm
      ? { label: 'Living expenses', formula: 'as declared, with signed disclosure below the norm', value: declared }
      : {
          label: 'Living expenses',
          formula: 'the higher of declared and norm',
          figures: `max(${shown(declared)}; ${shown(norm)})`,
          value: largest(declared, norm),
          uses: [`norms.${index}`],
        },
  )
  return { expenses, isBelowNorm }
}

/** The amount left for an instalment, never below zero. */
export function affordable({ trace }: Job, { label, amount, buffer }: { label: string; amount: Decimal; buffer: Decimal }): Decimal {
  return trace.note({
    label: 'Affordable a month',
    formula: label,
    figures: minus(amount, buffer),
    value: roundMoney(atLeastZero(amount.minus(buffer))),
    uses: ['buffer'],
  })
}
