import { fail } from '@outpost/contract/errors'
import {
  calculatorFields,
  calculators,
  isCalculator,
  runCalculator,
  type CalculatorName,
  type CalculatorRun,
} from '@outpost/rules/calculators/index'
import { sampleInputs, type SampleBorrower, type SampleLoan } from '@outpost/rules/products/sample-borrower'
import { z } from 'zod'
import { companyDay, daySchema } from '../../kernel/days.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { companyRuleSets } from './rule-sets.ts'

const day = daySchema.optional()
const name = z.string().max(60)
export const showInput = z.strictObject({ name, at: day })
/** `at` chooses the rules of another day; default: today in the company's time zone. */
export const runInput = z.strictObject({ name, at: day, inputs: z.record(z.string().max(60), z.json()) })

/** The inputs of a calculator, its results and the rule set in force. */
export async function showCalculator(ctx: Ctx, { name: asked, at = companyDay(ctx) }: z.infer<typeof showInput>): Promise<Answer> {
  const calculator = permitted(ctx, asked)
  const ruleSets = await companyRuleSets(ctx, calculator)
  const { fields, ruleSet } = calculatorFields(calculator, { country: ctx.company.country, at, ruleSets })
  const { title, description, figures, rules, grid } = calculators[calculator]
  return {
    data: {
      calculator: { name: calculator, title, description, fields, figures, rules, ...(grid ? { grid } : {}) },
      ruleSet,
      ruleSets,
      at,
    },
  }
}

/** The sum as the server makes it; nothing is kept. */
export async function runOnServer(ctx: Ctx, { name: asked, inputs, at }: z.infer<typeof runInput>): Promise<Answer> {
  return { data: { run: await runForCompany(ctx, permitted(ctx, asked), inputs, at) } }
}

/** Runs a calculator under the rules of the caller's company; fails with INVALID naming the wrong inputs. */
export async function runForCompany(
  ctx: Ctx,
  calculator: string,
  inputs: Readonly<Record<string, unknown>>,
  at = companyDay(ctx),
): Promise<CalculatorRun> {
  if (!isCalculator(calculator)) fail('NOT_FOUND')
  return runCalculator(calculator, inputs, { country: ctx.company.country, at, ruleSets: await companyRuleSets(ctx, calculator) })
}

/** The calculator when the caller holds its own permission: the routes ask for any of the three. */
export function permitted(ctx: Ctx, asked: string): CalculatorName {
  if (!isCalculator(asked)) fail('NOT_FOUND')
  if (!holdsAny(ctx, calculators[asked].permission)) fail('FORBIDDEN')
  return asked
}

/** What the company's rules say of a sample borrower who asks for a loan. */
export async function runOnSample(ctx: Ctx, calculator: string, sample: SampleBorrower & SampleLoan): Promise<CalculatorRun> {
  if (!isCalculator(calculator)) fail('NOT_FOUND')
  const { fields } = calculatorFields(calculator, {
    country: ctx.company.country,
    at: sample.at,
    ruleSets: await companyRuleSets(ctx, calculator),
  })
  return runForCompany(ctx, calculator, sampleInputs(fields, calculators[calculator].grid, sample), sample.at)
}
