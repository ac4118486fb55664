import { isEqual } from 'es-toolkit/predicate/isEqual'
import { randomUUIDv7 } from 'node:crypto'
import { fail, failField, type FieldError } from '@outpost/contract/errors'
import type { RuleSet } from '@outpost/contract/calculators'
import { sql } from '@outpost/platform/db/sql'
import {
  calculatorNames,
  calculators,
  floorProblems,
  isCalculator,
  lawSources,
  ruleProblem,
  ruleSetInForce,
  ruleValue,
  type CalculatorName,
  type RuleDefinition,
} from '@outpost/rules/calculators/index'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { companyDay, daySchema } from '../../kernel/days.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { requireWholeCompany } from '../../kernel/session/reach.ts'
import { effectOf, describeEffect } from './rule-effect.ts'
import { ruleSet as ruleSetResource } from './rule-set.resource.ts'

/** Figures travel beside the known properties, each under its key; what is not named stays as it is in force. */
export const createInput = z
  .object({
    calculator: z.enum(calculatorNames),
    country: z
      .string()
      .regex(/^([A-Z]{2}|\*)$/, 'is not a country such as KE')
      .optional(),
    effectiveFrom: daySchema,
    /** Keys of figures that somebody has confirmed. */
    verified: z.array(z.string().max(60)).max(100).nullish(),
    verifiedBy: z.string().trim().max(200).nullish(),
    note: z.string().trim().max(2_000).nullish(),
  })
  .catchall(z.json())
type CreateInput = z.infer<typeof createInput>

/** The company's own rule sets of a calculator and its country, or of all calculators. */
export async function companyRuleSets(ctx: Ctx, calculator?: CalculatorName, country = ctx.company.country): Promise<RuleSet[]> {
  return ctx.sql.query<RuleSet>(sql`
    select "id", "calculator", "country", to_char("effectiveFrom", 'YYYY-MM-DD') as "effectiveFrom", "version", "values", "unverified", "verifiedBy"
    from rule_set where "companyId" = ${ctx.company.id}::uuid and "country" = ${country} and (${calculator ?? null}::text is null or "calculator" = ${calculator ?? null})
    order by "effectiveFrom", "version"`)
}

/** Enters new figures from today or a later day on; the ones before stay on record. */
export async function createRuleSet(ctx: Ctx, input: CreateInput): Promise<Answer> {
  const { calculator, effectiveFrom, verified, verifiedBy, note, country = ctx.company.country, ...given } = input
  if (effectiveFrom < companyDay(ctx)) failField('effectiveFrom', 'may not lie in the past: what was in force stays so')
  const known = await companyRuleSets(ctx, calculator, country)
  const before = ruleSetInForce(calculator, { country, at: effectiveFrom, ruleSets: known })
  const values = soundValues(before, given, effectiveFrom)
  const unverified = stillUnverified(before, { values, verified: verified ?? [], verifiedBy, at: effectiveFrom })
  const id = randomUUIDv7()
  requireWholeCompany(ctx)
  // Counted on from the program's, so that a version is unique among a calculator's rule sets.
  const version = Math.max(before.version, ...known.map((set) => set.version)) + 1
  await ctx.sql.exec(sql`
    insert into rule_set ("companyId", "id", "calculator", "country", "effectiveFrom", "version", "values", "unverified", "verifiedBy", "note", "createdByUserId")
    values (${ctx.company.id}::uuid, ${id}::uuid, ${calculator}, ${country}, ${effectiveFrom}::date, ${version}, ${JSON.stringify(values)}::jsonb,
      ${unverified}::text[], ${verifiedBy || null}, ${note || null}, ${ctx.user.id}::uuid)`)
  const ruleSet: RuleSet = { id, calculator, country, effectiveFrom, version, values, unverified, verifiedBy: verifiedBy || null }
  audit(ctx, { action: 'ruleSet.create', objectType: 'ruleSet', objectId: id, before: before.values, after: ruleSet })
  const effect = await effectOf(ctx, { before: known, after: [...known, ruleSet], calculator, country, at: effectiveFrom })
  return { data: { ruleSet: { Id: id, ...ruleSet }, effect }, message: `Rules entered. ${describeEffect(effect)}` }
}

/** What figures would do on a sample, before anybody enters them; nothing is kept. */
export async function previewRuleSet(
  ctx: Ctx,
  { calculator, effectiveFrom, country = ctx.company.country, verified: _, verifiedBy: __, note: ___, ...given }: CreateInput,
): Promise<Answer> {
  const known = await companyRuleSets(ctx, calculator, country)
  const before = ruleSetInForce(calculator, { country, at: effectiveFrom, ruleSets: known })
  const next: RuleSet = {
    ...before,
    id: 'preview',
    effectiveFrom,
    version: Math.max(before.version, ...known.map((set) => set.version)) + 1,
    values: soundValues(before, given, effectiveFrom),
  }
  const effect = await effectOf(ctx, { before: known, after: [...known, next], calculator, country, at: effectiveFrom })
  return { data: { effect }, message: describeEffect(effect) }
}

/** What a rule set that was entered does on a sample, against what was in force before it. */
export async function ruleSetEffect(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const found = await getRecord(ctx, ruleSetResource, id)
  const all = await companyRuleSets(ctx, found['calculator'] as CalculatorName, String(found['country']))
  const one = all.find((set) => set.id === id) ?? fail('NOT_FOUND')
  const known = all.filter((set) => set.version < one.version)
  const effect = await effectOf(ctx, {
    before: known,
    after: [...known, one],
    calculator: one.calculator,
    country: one.country,
    at: one.effectiveFrom,
  })
  return { data: { effect } }
}

/** The figures as they may come into force: complete, within the law of the country, their limits in order. */
function soundValues(before: RuleSet, given: Record<string, unknown>, at: string): RuleSet['values'] {
  const definitions = calculators[before.calculator].rules
  const values = nextValues(definitions, before, given)
  const problems = floorProblems(definitions, values, ruleSetInForce(before.calculator, { country: before.country, at }))
  return problems.length > 0 ? fail('INVALID', { fields: problems }) : values
}

/** All figures of the calculator: the given ones over those in force. */
function nextValues(definitions: readonly RuleDefinition[], before: RuleSet, given: Record<string, unknown>): RuleSet['values'] {
  const errors: FieldError[] = [
    ...Object.keys(given)
      .filter((key) => !definitions.some((one) => one.key === key))
      .map((field) => ({ field, message: 'is no figure of this calculator' })),
    ...definitions
      .filter(({ key }) => Object.hasOwn(given, key))
      .flatMap((one) => {
        const message = ruleProblem(one, given[one.key])
        return message === undefined ? [] : [{ field: one.key, message }]
      }),
  ]
  if (errors.length > 0) fail('INVALID', { fields: errors })
  return Object.fromEntries(
    definitions.map((one) => [one.key, ruleValue(one, Object.hasOwn(given, one.key) ? given[one.key] : before.values[one.key])]),
  )
}

interface Confirmation {
  values: RuleSet['values']
  verified: readonly string[]
  verifiedBy?: string | null | undefined
  at: string
}

/** A figure of the law that is changed needs a confirmation of its own. */
function stillUnverified(before: RuleSet, { values, verified, verifiedBy, at }: Confirmation): string[] {
  if (verified.length > 0 && !verifiedBy) failField('verifiedBy', 'is required: who confirmed the figures?')
  const changed = Object.keys(lawSources(before.calculator, { country: before.country, at })).filter(
    (key) => !isEqual(values[key] ?? null, before.values[key] ?? null),
  )
  const isConfirmed = (key: string) => verified.includes(key) || verified.includes(key.split('.')[0] ?? key)
  return [...new Set([...before.unverified, ...changed])].filter((key) => !isConfirmed(key))
}

/** The reference rate of the central bank as the company entered it in the rules of a calculator; null when nobody has. */
export async function referenceRateOf(ctx: Ctx, { calculator, at }: { calculator: string; at: string }): Promise<number | null> {
  if (!isCalculator(calculator)) return null
  const set = ruleSetInForce(calculator, { country: ctx.company.country, at, ruleSets: await companyRuleSets(ctx, calculator) })
  const rate = set.values['referenceRate'] ?? null
  return rate === null || rate === '' ? null : Number(rate)
}
