import type { FieldError } from '@outpost/contract/errors'
import { Decimal } from '../money.ts'
import { shareOf } from './rule-reader.ts'
import type { RuleDefinition, RuleSet, RuleValue } from './types.ts'

type Values = Readonly<Record<string, RuleValue>>

/** Pairs of rules of which the first may not exceed the second, where both have a value. */
const inOrder = [
  ['minLoan', 'maxLoan'],
  ['defaultTermMonths', 'maxTermMonths'],
  ['initiationBase', 'initiationMax'],
  ['minDscr', 'referDscr'],
] as const

/**
 * The reasons, by key, why a company's figures may not take effect: a rule set needs the values of its method and those that the law of
 * the country pack sets, and its limits must be in order. `law` is the program's own rule set.
 */
export function floorProblems(definitions: readonly RuleDefinition[], values: Values, law: RuleSet): FieldError[] {
  const wrongMethod = methodProblems(definitions, values, law)
  return wrongMethod.length > 0 ? wrongMethod : [...missingProblems(definitions, values, law), ...orderProblems(definitions, values)]
}

const isEmpty = (value: RuleValue | undefined) => value === null || value === undefined || value === ''
const belongsTo = ({ methods }: RuleDefinition, method: RuleValue | undefined) => !methods || methods.includes(String(method))

/** Another method would make a legal figure ineffective. */
function methodProblems(definitions: readonly RuleDefinition[], { method }: Values, law: RuleSet): FieldError[] {
  const own = law.values['method']
  if (isEmpty(own) || method === own) return []
  const isLegal = definitions.some(({ key, methods }) => methods?.includes(String(own)) && law.sources?.[key])
  const label = definitions.find(({ key }) => key === 'method')?.options?.find(({ value }) => value === own)?.label ?? String(own)
  return isLegal ? [{ field: 'method', message: `must stay “${label}”: the law of ${law.country} goes by it` }] : []
}

function missingProblems(definitions: readonly RuleDefinition[], values: Values, law: RuleSet): FieldError[] {
  return definitions
    .filter((one) => belongsTo(one, values['method']))
    .flatMap((one) => {
      const [value, isLegal] = [values[one.key], Boolean(law.sources?.[one.key]) && !isEmpty(law.values[one.key])]
      // The deductions' limit is optional unless the law sets it; the value that a method is named after is always required.
      const isNeeded = isLegal || (one.methods !== undefined && one.key !== 'deductionsShare')
      if (isNeeded && isEmpty(value))
        return [{ field: one.key, message: isLegal ? `is required by the law of ${law.country}` : 'is required by this method' }]
      const isNothing = one.kind === 'share' && !isEmpty(value) && shareOf(String(value)).of(1).isZero()
      return isNeeded && isNothing ? [{ field: one.key, message: 'may not be nothing' }] : []
    })
}

function orderProblems(definitions: readonly RuleDefinition[], values: Values): FieldError[] {
  return inOrder.flatMap(([key, limit]) => {
    const [one, other] = [key, limit].map((name) => definitions.find((definition) => definition.key === name))
    if (!one || !other || isEmpty(values[key]) || isEmpty(values[limit])) return []
    const amount = (name: string) => (one.kind === 'share' ? shareOf(String(values[name])).of(1) : new Decimal(values[name] as number))
    return amount(key).gt(amount(limit)) ? [{ field: key, message: `may not be above “${other.label}”` }] : []
  })
}
