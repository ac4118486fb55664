import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'

const day = z.iso.date()
const described = z.looseObject({ key: z.string(), label: z.string() })
const ruleSet = z.strictObject({
  id: z.string(),
  calculator: z.string(),
  country: z.string(),
  effectiveFrom: day,
  version: z.number(),
  values: z.record(z.string(), z.unknown()),
  unverified: z.array(z.string()),
  verifiedBy: z.string().nullable().optional(),
  /** Where the program's own figures come from, by key. */
  sources: z.record(z.string(), z.string()).optional(),
})
/** Fields, figures and rules as rules/calculators declares them. */
export const calculatorAnswer = z.strictObject({
  calculator: z.strictObject({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    fields: z.array(described),
    figures: z.array(described),
    rules: z.array(described),
    grid: z.unknown().optional(),
  }),
  ruleSet,
  ruleSets: z.array(ruleSet),
  at: day,
})
const amounts = z.record(z.string(), z.unknown())
/** Money is text with two decimals. */
export const assessment = z.strictObject({
  calculator: z.string(),
  at: day,
  inputs: amounts,
  ruleSet: z.strictObject({
    id: z.string(),
    version: z.number(),
    country: z.string(),
    effectiveFrom: day,
    unverified: z.array(z.string()),
  }),
  steps: z.array(
    z.looseObject({
      label: z.string(),
      formula: z.string(),
      figures: z.string().optional(),
      value: z.string(),
      unit: z.string().optional(),
    }),
  ),
  result: amounts,
  outcome: z.string(),
  reasons: z.array(z.string()),
  schedule: z
    .strictObject({
      rows: z.array(
        z.strictObject({
          number: z.int(),
          instalment: z.string(),
          interest: z.string(),
          principal: z.string(),
          charges: z.string(),
          balance: z.string(),
        }),
      ),
      totalInterest: z.string(),
      totalCharges: z.string(),
      totalPaid: z.string(),
    })
    .optional(),
})
export const runAnswer = z.strictObject({ run: assessment })
const amount = z.string().nullable()
export const effectAnswer = z.strictObject({
  effect: z.array(
    z.looseObject({ sample: z.string(), outcomeBefore: z.string(), outcomeAfter: z.string(), before: amount, after: amount }),
  ),
})
export const ruleSetAnswer = effectAnswer.extend({ ruleSet: ruleSet.extend({ Id: identifierSchema }) })
