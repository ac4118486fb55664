import { fail } from '@outpost/contract/errors'
import { kenya } from './packs/kenya.ts'
import { others } from './packs/others.ts'
import { southAfrica } from './packs/south-africa.ts'
import type { CalculatorName, RuleSet } from './types.ts'

/** The rule sets included in the program; a lawyer confirms a country's before a company relies on it. */
export const defaultRuleSets: readonly RuleSet[] = [...kenya, ...southAfrica, ...others]

export interface RuleChoice {
  /** ISO 3166 alpha-2 of the company. */
  country: string
  /** Day of the calculation, YYYY-MM-DD. */
  at: string
  /** The company's own rule sets; they take precedence over the program's. */
  ruleSets?: readonly RuleSet[]
}

/**
 * The rule set in force on a day: the company's own before the program's, the country's before the general one, of these the latest to
 * take effect, of these the highest version. Throws when the day lies before all of them.
 */
export function ruleSetInForce(calculator: CalculatorName, { country, at, ruleSets = [] }: RuleChoice): RuleSet {
  const known = defaultRuleSets.some((set) => set.country === country) ? country : '*'
  const found = latest(ruleSets, { calculator, country, at }) ?? latest(defaultRuleSets, { calculator, country: known, at })
  if (!found) fail('INVALID', { fields: [{ field: 'at', message: 'lies before the first rules we hold for this country' }] })
  return found
}

/** The sources of the program's figures of a calculator, by key: those are legal figures, and changing one requires a confirmation. */
export function lawSources(calculator: CalculatorName, choice: Pick<RuleChoice, 'country' | 'at'>): Readonly<Record<string, string>> {
  return ruleSetInForce(calculator, { country: choice.country, at: choice.at }).sources ?? {}
}

function latest(sets: readonly RuleSet[], wanted: { calculator: CalculatorName; country: string; at: string }): RuleSet | undefined {
  return sets
    .filter((set) => set.calculator === wanted.calculator && set.country === wanted.country && set.effectiveFrom <= wanted.at)
    .toSorted((a, b) => b.effectiveFrom.localeCompare(a.effectiveFrom) || b.version - a.version)[0]
}
