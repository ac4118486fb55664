import { Decimal } from '../money.ts'
import { shareOf } from './rule-reader.ts'
import type { NormBand, RuleDefinition, RuleValue } from './types.ts'

/** The reason why a value is invalid for a rule, in words that follow its label; undefined when it is valid. */
export function ruleProblem(definition: RuleDefinition, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return definition.optional ? undefined : 'is required'
  switch (definition.kind) {
    case 'share':
      return shareProblem(value)
    case 'choice':
      return definition.options?.some((option) => option.value === value) ? undefined : 'is not one of the options'
    case 'bands':
      return bandsProblem(value)
    case 'money':
    case 'number':
    case 'percent':
      return numberProblem(definition, value)
  }
}

/** The value in the form a rule set stores: numbers as numbers, empty as null. */
export function ruleValue({ kind }: RuleDefinition, value: unknown): RuleValue {
  if (value === null || value === undefined || value === '') return null
  if (kind === 'bands') return (value as NormBand[]).map(({ from, factor, percent }) => ({ from, factor, percent }))
  return kind === 'share' || kind === 'choice' ? String(value).trim() : Number(value)
}

function numberProblem(
  { kind, min = 0, max = kind === 'percent' ? 1_000 : 999_999_999_999 }: RuleDefinition,
  value: unknown,
): string | undefined {
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(String(value))) return 'must be a number of zero or more'
  const number = new Decimal(String(value))
  if (number.lt(min)) return `may not be under ${min}`
  return number.gt(max) ? `may not be over ${max}` : undefined
}

function shareProblem(value: unknown): string | undefined {
  if (!/^\d{1,6}(\.\d{1,6})?(\s*\/\s*[1-9]\d{0,5})?$/.test(String(value).trim())) return 'must be a fraction such as 1/3, or 0.4'
  return shareOf(String(value)).of(1).gt(1) ? 'may not be more than the whole' : undefined
}

function bandsProblem(value: unknown): string | undefined {
  const bands = Array.isArray(value) ? (value as Partial<NormBand>[]) : []
  const isSound =
    bands.length > 0 &&
    bands.length <= 20 &&
    bands.every((band) => [band.from, band.factor, band.percent].every((part) => typeof part === 'number' && part >= 0 && part < 1e12))
  if (!isSound) return 'must be 1 to 20 bands of {from, factor, percent}'
  return bands.every((band, index) => (index === 0 ? band.from === 0 : Number(band.from) > Number(bands[index - 1]?.from)))
    ? undefined
    : 'must begin at 0 and rise'
}
