import { pipelineEntities } from '@outpost/rules/leads/pipeline-stages'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { restoreRecords } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { stagesInEffect } from './defaults.ts'
import { pipeline } from './pipeline.resource.ts'

export const restoreInput = z.strictObject({ ids: z.array(idSchema).min(1).max(100) })

/** Brings deleted pipelines back, all or none. A default that has been replaced meanwhile comes back as an ordinary one. */
export async function restorePipelines(ctx: Ctx, { ids }: z.infer<typeof restoreInput>): Promise<Answer> {
  await ctx.sql.exec(sql`
    update pipeline p set "isDefault" = false where p."companyId" = ${ctx.company.id} and p."id" = any(${ids}::uuid[]) and p."deletedAt" is not null and p."isDefault"
      and exists (select from pipeline o where o."companyId" = p."companyId" and o."entity" = p."entity" and o."tenantId" = p."tenantId" and o."isDefault" and o."deletedAt" is null)`)
  const pipelines = await restoreRecords(ctx, pipeline, ids)
  return { data: { pipelines }, message: pipelines.length === 1 ? 'Pipeline restored' : `${pipelines.length} pipelines restored` }
}

export const entityInput = z.strictObject({ entity: z.enum(pipelineEntities) })

/** Without Id: nobody has changed what every company begins with. */
export const inEffectAnswer = z.strictObject({
  pipeline: z.strictObject({
    Id: idSchema.nullable(),
    name: z.string(),
    entity: z.enum(pipelineEntities),
    stages: z.array(
      z.strictObject({
        Id: idSchema.nullable(),
        name: z.string(),
        colour: z.string(),
        probability: z.number(),
        type: z.enum(['open', 'won', 'lost']),
        statuses: z.array(z.string()),
      }),
    ),
  }),
})

/** The pipeline that holds for the chosen tenant: its own default, else the nearest above, else the one every company begins with. */
export async function pipelineFor(ctx: Ctx, { entity }: z.infer<typeof entityInput>): Promise<Answer> {
  return { data: { pipeline: await stagesInEffect(ctx, entity) } }
}
