import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../../kernel/audit.ts'
import { userName } from '../../../kernel/names.ts'
import { recordSchema } from '../../../kernel/resource/answers.ts'
import { getRecord } from '../../../kernel/resource/records.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { client } from '../../clients/index.ts'
import { assessment } from '../../calculators/index.ts'
import { judging, keepRun, sumAgain, type AssessInput } from './lead.affordability.ts'
import { isRunOf } from './runs-of.ts'

export const clientAssessedAnswer = () =>
  z.strictObject({ client: recordSchema(client, 'detail'), run: assessment.extend({ Id: identifierSchema }) })

/**
 * Assesses what a client can afford, as a lead is assessed (assessLead): who was captured as a client has no lead to keep it with. It is
 * kept with the lead of a client who has one too.
 */
export async function assessClient(ctx: Ctx, { id, calculator, ...input }: AssessInput): Promise<Answer> {
  const name = judging(ctx, calculator)
  return withStream(ctx, async (inner) => {
    const found = await getRecord(inner, client, id)
    const run = await sumAgain(inner, name, input)
    const leadId = found['leadId'] as string | null
    const runId = await keepRun(inner, { leadId, clientId: id, tenantId: String(found['tenantId']) }, run)
    const after = { runId, calculator: name, ruleSet: run.ruleSet.id, outcome: run.outcome }
    audit(inner, { action: 'client.assess', objectType: 'client', objectId: id, after })
    return { data: { client: found, run: { Id: runId, ...run } }, message: `Affordability: ${run.outcome}` }
  })
}

const text = z.string().nullable()
const money = z.number().nullable()

export const clientRunsAnswer = z.strictObject({
  runs: z.array(
    z.strictObject({
      Id: identifierSchema,
      dateCreated: z.iso.datetime(),
      outcome: z.string(),
      affordable: money,
      instalment: money,
      calculator: z.string(),
      ruleSetId: z.string(),
      ruleSetVersion: z.string(),
      who: text,
    }),
  ),
})

/** The assessments of a client, of the client's lead and of those that were merged into them, newest first. */
export async function clientRuns(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const leadId = (await getRecord(ctx, client, id))['leadId'] as string | null
  const runs = await ctx.sql.query(sql`
    select r."id" as "Id", r."dateCreated", r."outcome", r."affordable"::float8 as affordable, r."instalment"::float8 as instalment, r."calculator", r."ruleSetId", r."ruleSetVersion",
      ${userName(sql`r."companyId"`, sql`r."createdByUserId"`)} as who
    from affordability_run r where r."companyId" = ${ctx.company.id} and ${isRunOf(ctx, { leadId, clientId: id })} order by r."dateCreated" desc limit 100`)
  return { data: { runs } }
}
