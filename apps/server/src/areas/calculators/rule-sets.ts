import { randomUUIDv7 } from 'node:crypto'
import { fail, failField } from '@outpost/contract/errors'
import type { RuleSet } from '@outpost/contract/calculators'
import { sql } from '@outpost/platform/db/sql'
import { calculatorNames, isCalculator, ruleSetInForce, type CalculatorName } from '@outpost/rules/calculators/index'
import {
  describeEffect,
  effectOn,
  validatedValues,
  stillUnverified,
  type EffectRow,
  type RuleChange,
  type Sample,
} from '@outpost/rules/calculators/rule-change'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { companyDay, daySchema } from '../../kernel/days.ts'
import { nameOf } from '../../kernel/names.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { requireWholeCompany } from '../../kernel/session/reach.ts'
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

/** The rule set that an input means, over what is in force by then, and the change that it is. */
async function nextRuleSet(
  ctx: Ctx,
  { calculator, effectiveFrom, verified, verifiedBy, note: _, country = ctx.company.country, ...given }: CreateInput,
): Promise<{ before: RuleSet; ruleSet: RuleSet; change: RuleChange }> {
  const known = await companyRuleSets(ctx, calculator, country)
  const before = ruleSetInForce(calculator, { country, at: effectiveFrom, ruleSets: known })
  const values = validatedValues(before, given, effectiveFrom)
  const ruleSet: RuleSet = {
    id: randomUUIDv7(),
    calculator,
    country,
    effectiveFrom,
    // Counted on from the program's, so that a version is unique among a calculator's rule sets.
    version: Math.max(before.version, ...known.map((set) => set.version)) + 1,
    values,
    unverified: stillUnverified(before, { values, verified: verified ?? [], verifiedBy, at: effectiveFrom }),
    verifiedBy: verifiedBy || null,
  }
  return { before, ruleSet, change: { before: known, after: [...known, ruleSet], calculator, country, at: effectiveFrom } }
}

/** Enters new figures from today or a later day on; the ones before stay on record. */
export async function createRuleSet(ctx: Ctx, input: CreateInput): Promise<Answer> {
  if (input.effectiveFrom < companyDay(ctx)) failField('effectiveFrom', 'may not lie in the past: what was in force stays so')
  const { before, ruleSet, change } = await nextRuleSet(ctx, input)
  requireWholeCompany(ctx)
  const { id, calculator, country, effectiveFrom, version, values, unverified, verifiedBy } = ruleSet
  await ctx.sql.exec(sql`
    insert into rule_set ("companyId", "id", "calculator", "country", "effectiveFrom", "version", "values", "unverified", "verifiedBy", "note", "createdByUserId")
    values (${ctx.company.id}::uuid, ${id}::uuid, ${calculator}, ${country}, ${effectiveFrom}::date, ${version}, ${JSON.stringify(values)}::jsonb,
      ${[...unverified]}::text[], ${verifiedBy ?? null}, ${input.note || null}, ${ctx.user.id}::uuid)`)
  audit(ctx, { action: 'ruleSet.create', objectType: 'ruleSet', objectId: id, before: before.values, after: ruleSet })
  const effect = await effectOf(ctx, change)
  return { data: { ruleSet: { Id: id, ...ruleSet }, effect }, message: `Rules entered. ${describeEffect(effect)}` }
}

/** What figures would do on a sample, before anybody enters them; nothing is kept, so that nobody has to have confirmed them. */
export async function previewRuleSet(ctx: Ctx, input: CreateInput): Promise<Answer> {
  const { change } = await nextRuleSet(ctx, { ...input, verified: [] })
  const effect = await effectOf(ctx, change)
  return { data: { effect }, message: describeEffect(effect) }
}

/** What a rule set that was entered does on a sample, against what was in force before it. */
export async function ruleSetEffect(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const found = await getRecord(ctx, ruleSetResource, id)
  const all = await companyRuleSets(ctx, found['calculator'] as CalculatorName, String(found['country']))
  const one = all.find((set) => set.id === id) ?? fail('NOT_FOUND')
  const before = all.filter((set) => set.version < one.version)
  const { calculator, country, effectiveFrom: at } = one
  return { data: { effect: await effectOf(ctx, { before, after: [...before, one], calculator, country, at }) } }
}

/** So many of the newest assessments show what new rules change. */
const sampleSize = 20

async function effectOf(ctx: Ctx, change: RuleChange): Promise<EffectRow[]> {
  const samples = await ctx.sql.query<Sample & Record<string, unknown>>(sql`
    select coalesce(nullif(${nameOf('l')}, ''), ${nameOf('c')}) as sample, r."inputs" from affordability_run r left join lead l on l."companyId" = r."companyId" and l."id" = r."leadId"
      left join client c on c."companyId" = r."companyId" and c."id" = r."clientId"
    where r."companyId" = ${ctx.company.id} and r."calculator" = ${change.calculator} and r."country" = ${change.country} order by r."dateCreated" desc limit ${sampleSize}`)
  return effectOn(samples, change)
}

/** The reference rate of the central bank as the company entered it in the rules of a calculator; null when nobody has. */
export async function referenceRateOf(ctx: Ctx, { calculator, at }: { calculator: string; at: string }): Promise<number | null> {
  if (!isCalculator(calculator)) return null
  const set = ruleSetInForce(calculator, { country: ctx.company.country, at, ruleSets: await companyRuleSets(ctx, calculator) })
  const rate = set.values['referenceRate'] ?? null
  return rate === null || rate === '' ? null : Number(rate)
}
