import { Decimal, zero, type DecimalValue } from '../money.ts'
import type { NormBand, RuleSet, RuleValue } from '@outpost/contract/calculators'

/** A fraction: "1/3" is exact, because it multiplies first and divides last. */
export interface Share {
  text: string
  of(value: DecimalValue): Decimal
}

/** Reads the values of a rule set by type. */
export interface RuleReader {
  set: RuleSet
  has(key: string): boolean
  /** Zero when the rule has no value. */
  amount(key: string): Decimal
  /** Undefined when the rule has no value. */
  limit(key: string): Decimal | undefined
  text(key: string): string
  share(key: string): Share
  bands(key: string): readonly NormBand[]
}

export function readRules(set: RuleSet): RuleReader {
  const value = (key: string): RuleValue => set.values[key] ?? null
  const number = (key: string) => new Decimal(value(key) as number | string)
  const has = (key: string) => value(key) !== null && value(key) !== ''
  return {
    set,
    has,
    amount: (key) => (has(key) ? number(key) : zero),
    limit: (key) => (has(key) ? number(key) : undefined),
    text: (key) => String(value(key) ?? ''),
    share: (key) => shareOf(String(value(key) ?? '0')),
    bands: (key) => (value(key) ?? []) as readonly NormBand[],
  }
}

/** "1/3", "0.4" or 0.4. */
export function shareOf(text: string): Share {
  const [above = '0', below = '1'] = text.split('/').map((part) => part.trim())
  return { text, of: (value) => new Decimal(value).times(above).dividedBy(below) }
}
