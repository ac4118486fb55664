import { failField } from '@outpost/contract/errors'
import { trimPhone } from '@outpost/rules/phone'
import type { Ctx } from './types.ts'

/** A number in the one form that numbers are compared in; INVALID naming the field when nobody in the world has such a number. */
export function readPhone({ company }: Pick<Ctx, 'company'>, field: string, typed: string): string {
  return trimPhone(typed, company.country) ?? failField(field, `is not a phone number of ${company.country} nor an international one`)
}
