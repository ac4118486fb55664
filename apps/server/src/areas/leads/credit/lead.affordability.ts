import { fail, failField } from '@outpost/contract/errors'
import { enqueue } from '@outpost/platform/outbox'
import { sql } from '@outpost/platform/db/sql'
import { calculators, isCalculator, type CalculatorName, type CalculatorRun } from '@outpost/rules/calculators/index'
import { z } from 'zod'
import { audit } from '../../../kernel/audit.ts'
import { getRecord, updateRecord } from '../../../kernel/resource/records.ts'
import { holdsAny } from '../../../kernel/session/permission.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Answer, Ctx, JobDefinition } from '../../../kernel/types.ts'
import { userName } from '../../../kernel/names.ts'
import { runForCompany } from '../../calculators/index.ts'
import { affordabilityRun } from './affordability-run.resource.ts'
import { assessmentDays } from './lead.decision.ts'
import { familyOf } from '../merging/lead.family.ts'
import type { Assessed } from './runs-of.ts'
import { lead } from '../lead.resource.ts'

export const assessInput = z.strictObject({
  id: idSchema,
  calculator: z.string().max(60),
  ruleSetVersion: z.union([z.int(), z.string().max(60)]).optional(),
  inputs: z.record(z.string().max(60), z.json()),
})
export type AssessInput = z.infer<typeof assessInput>

/**
 * Assesses what a lead can afford: the server makes the sum itself from the inputs, under the rules in force, whatever
 * the caller saw, keeps inputs, rule set, steps and result for good, and writes the outcome on the lead. CONFLICT when
 * the caller's sum was made under another version of the rules.
 */
export async function assessLead(ctx: Ctx, { id, calculator, ...input }: AssessInput): Promise<Answer> {
  const name = judging(ctx, calculator)
  return withStream(ctx, async (inner) => {
    const found = await getRecord(inner, lead, id)
    const run = await sumAgain(inner, name, input)
    const runId = await keepRun(inner, { leadId: id, clientId: null, tenantId: String(found['tenantId']) }, run)
    const saved = await updateRecord(inner, lead, id, {
      affordabilityOutcome: run.outcome,
      affordabilityDate: new Date(),
      installmentAmount: run.result['instalment'] ?? null,
      totalAffordability: run.result['affordability'] ?? null,
    })
    const expiresAt = new Date(Date.now() + (await assessmentDays(inner)) * 86_400_000)
    await enqueue(inner.sql, [
      { companyId: inner.company.id, userId: null, type: 'leads.expireAssessment', payload: { leadId: id }, runAt: expiresAt },
    ])
    audit(inner, {
      action: 'lead.assess',
      objectType: 'lead',
      objectId: id,
      after: { runId, calculator: name, ruleSet: run.ruleSet.id, outcome: run.outcome },
    })
    return { data: { lead: saved, run: { Id: runId, ...run } }, message: `Affordability: ${run.outcome}` }
  })
}

/** A calculator that says what a client can afford and that the caller may use. */
export function judging(ctx: Ctx, name: string): CalculatorName {
  if (!isCalculator(name) || !calculators[name].figures.some(({ key }) => key === 'affordability'))
    failField('calculator', 'is not a calculator of affordability')
  return holdsAny(ctx, calculators[name].permission) ? name : fail('FORBIDDEN')
}

/** The sum under the rules in force; CONFLICT when the caller saw it made under other ones. */
export async function sumAgain(
  ctx: Ctx,
  name: CalculatorName,
  { inputs, ruleSetVersion }: Pick<AssessInput, 'inputs' | 'ruleSetVersion'>,
): Promise<CalculatorRun> {
  const run = await runForCompany(ctx, name, inputs)
  if (ruleSetVersion !== undefined && String(ruleSetVersion) !== String(run.ruleSet.version)) {
    fail('CONFLICT', {
      message: 'The rules have changed since this sum was made. Look at the new result first.',
      details: { ruleSet: run.ruleSet },
    })
  }
  return run
}

/** Keeps a run for good, filed with whom it is of. */
export async function keepRun(
  ctx: Ctx,
  { leadId, clientId, tenantId }: Assessed & { tenantId: string },
  { calculator, ruleSet, inputs, steps, result, outcome, reasons, schedule }: CalculatorRun,
): Promise<string> {
  const kept = {
    figures: result,
    reasons,
    unverified: ruleSet.unverified,
    effectiveFrom: ruleSet.effectiveFrom,
    ...(schedule ? { schedule } : {}),
  }
  const row = await ctx.sql.one<{ id: string }>(sql`
    insert into affordability_run ("companyId", "id", "tenantId", "leadId", "clientId", "calculator", "country", "ruleSetId", "ruleSetVersion", "inputs", "steps", "result", "outcome",
      "instalment", "affordable", "createdByUserId", "realUserId")
    values (${ctx.company.id}, gen_random_uuid(), ${tenantId}, ${leadId}, ${clientId}, ${calculator}, ${ruleSet.country}, ${ruleSet.id}, ${String(ruleSet.version)},
      ${JSON.stringify(inputs)}::jsonb, ${JSON.stringify(steps)}::jsonb, ${JSON.stringify(kept)}::jsonb, ${outcome},
      ${result['instalment'] ?? null}, ${result['affordability'] ?? null}, ${ctx.user.id}, ${ctx.realUser.id}) returning "id"`)
  return row.id
}

/** The assessments of a lead as they were made, newest first; the first one is shown on the lead. */
export async function leadAssessments(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, lead, id)
  const runs = await ctx.sql.query(sql`
    select t."id" as "Id", t."dateCreated", t."calculator", t."country", t."ruleSetId", t."ruleSetVersion", t."inputs", t."steps", t."result", t."outcome",
      t."instalment"::float8 as instalment, t."affordable"::float8 as affordable,
      (select string_agg(r, ' ') from jsonb_array_elements_text(case when jsonb_typeof(t."result"->'reasons') = 'array' then t."result"->'reasons' else '[]' end) r) as reasons,
      ${userName(sql`t."companyId"`, sql`t."createdByUserId"`)} as who
    from affordability_run t where t."companyId" = ${ctx.company.id} and t."leadId" in ${familyOf(ctx, id)} order by t."dateCreated" desc limit 100`)
  return { data: { runs } }
}

/** The calculation of one assessment step by step, and what was entered. */
export async function assessmentSteps(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, affordabilityRun, id)
  const { steps, inputs } = await ctx.sql.one<{ steps: Record<string, unknown>[]; inputs: Record<string, unknown> }>(sql`
    select "steps", "inputs" from affordability_run where "companyId" = ${ctx.company.id} and "id" = ${id}`)
  return {
    data: {
      steps,
      inputs: Object.entries(inputs).map(([name, value]) => ({
        name,
        value: typeof value === 'object' ? JSON.stringify(value) : String(value),
      })),
    },
  }
}

/** Ends an assessment that is older than the company's days; one that was renewed meanwhile stays. */
export const expireAssessmentJob: JobDefinition<{ leadId: string }> = {
  name: 'leads.expireAssessment',
  run: (job, { leadId }) =>
    withStream(job, async (ctx) => {
      const days = await assessmentDays(ctx)
      const old = await ctx.sql.maybe(sql`
      select from lead where "companyId" = ${ctx.company.id} and "id" = ${leadId} and "deletedAt" is null and "status" <> 'Converted'
        and "affordabilityOutcome" not in ('NONE', 'EXPIRED') and "affordabilityDate" <= now() - make_interval(days => ${days})`)
      if (old) await updateRecord(ctx, lead, leadId, { affordabilityOutcome: 'EXPIRED' })
    }),
}
