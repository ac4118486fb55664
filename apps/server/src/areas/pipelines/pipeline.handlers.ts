import { isDeepStrictEqual } from 'node:util'
import { fail } from '@outpost/contract/errors'
import { pipelineEntities, stageFaults, stageTypes, type PipelineEntity, type Stage } from '@outpost/rules/pipeline-stages'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { createRecord, getRecord, restoreRecords, updateRecord } from '../../kernel/resource/records.ts'
import { checkInput, idSchema, writeSchemas } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { stagesInEffect } from './defaults.ts'
import { pipeline } from './pipeline.resource.ts'
import { saveStages } from './stages.ts'

const stageColours = ['default', 'blue', 'geekblue', 'cyan', 'purple', 'gold', 'orange', 'volcano', 'lime', 'green', 'red', 'magenta'] as const
const stageInput = z.strictObject({
  Id: idSchema.optional(), name: z.string().trim().min(1, 'is required').max(60), colour: z.enum(stageColours).default('default'),
  probability: z.int().min(0).max(100), type: z.enum(stageTypes), statuses: z.array(z.string().max(60)).max(40), position: z.int().optional(),
})
const stagesInput = z.array(stageInput).min(1).max(30)
/** A pipeline with all its stages, in their order; the rest is checked by the resource. */
export const createInput = z.looseObject({ stages: stagesInput })
export const updateInput = z.looseObject({ id: idSchema, stages: stagesInput.optional() })
type StageInput = z.infer<typeof stageInput>

export async function createPipeline(ctx: Ctx, { stages, ...body }: z.infer<typeof createInput>): Promise<Answer> {
  const made = await createRecord(ctx, pipeline, checkInput(writeSchemas(pipeline).create, body))
  refuseFaults(made['entity'] as PipelineEntity, stages)
  await saveStages(ctx, made.Id, stages.map(({ Id: _, ...stage }) => stage))
  return { data: { pipeline: await getRecord(ctx, pipeline, made.Id) }, message: 'Pipeline created successfully' }
}

/** Changes a pipeline. Stages keep their Id; one left out goes, unless records stand in it. */
export async function updatePipeline(ctx: Ctx, { id, stages, ...body }: z.infer<typeof updateInput>): Promise<Answer> {
  const saved = await updateRecord(ctx, pipeline, id, checkInput(writeSchemas(pipeline).update, { ...body, id }))
  if (stages && !isSame(saved['stages'], stages)) {
    refuseFaults(saved['entity'] as PipelineEntity, stages)
    await dropOthers(ctx, id, stages)
    await saveStages(ctx, id, stages)
    audit(ctx, { action: 'pipeline.stages', objectType: 'pipeline', objectId: id, before: { stages: saved['stages'] }, after: { stages } })
  }
  return { data: { pipeline: await getRecord(ctx, pipeline, id) }, message: 'Pipeline updated successfully' }
}

/** Stages as they stand, in their order: a pipeline that was read may be sent back. */
const isSame = (stored: unknown, given: readonly StageInput[]) => isDeepStrictEqual(stored, given.map((stage, position) => ({ ...stage, position })))

function refuseFaults(entity: PipelineEntity, stages: readonly Stage[]): void {
  const faults = stageFaults(entity, stages)
  if (faults.length > 0) fail('INVALID', { fields: faults.map(({ index, part, message }) => ({ field: `stages.${index}.${part}`, message })) })
}

async function dropOthers(ctx: Ctx, pipelineId: string, stages: readonly StageInput[]): Promise<void> {
  const present = await ctx.sql.query<{ id: string, name: string, held: number }>(sql`
    select s."id", s."name", (select count(*)::int from sales_case c where c."companyId" = s."companyId" and c."stageId" = s."id") as held
    from pipeline_stage s where s."companyId" = ${ctx.company.id}::uuid and s."pipelineId" = ${pipelineId}::uuid`)
  const kept = new Set(stages.flatMap(({ Id }) => Id ?? []))
  const known = new Set([...present.map(({ id }) => id), ...await goneStages(ctx, pipelineId)])
  const foreign = stages.findIndex(({ Id }) => Id !== undefined && !known.has(Id))
  if (foreign >= 0) fail('INVALID', { fields: [{ field: `stages.${foreign}.Id`, message: 'is not a stage of this pipeline' }] })
  const gone = present.filter(({ id }) => !kept.has(id))
  const held = gone.find((stage) => stage.held > 0)
  if (held) fail('STILL_IN_USE', { message: `${held.held} ${held.held === 1 ? 'case stands' : 'cases stand'} in ${held.name}. Move them first.` })
  await ctx.sql.exec(sql`delete from pipeline_stage where "companyId" = ${ctx.company.id}::uuid and "id" = any(${gone.map(({ id }) => id)}::uuid[])`)
}

/** Stages that the pipeline had: they may come back under their Ids, which undoes their removal. */
async function goneStages(ctx: Ctx, pipelineId: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string }>(sql`
    select distinct s ->> 'Id' as id from audit_log g, jsonb_array_elements(case when jsonb_typeof(g."before" -> 'stages') = 'array' then g."before" -> 'stages' else '[]' end) s
    where g."companyId" = ${ctx.company.id} and g."objectType" = 'pipeline' and g."objectId" = ${pipelineId} and g."action" = 'pipeline.stages'`)
  return rows.map(({ id }) => id)
}

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

/** The pipeline that holds for the chosen tenant: its own default, else the nearest above, else the one every company begins with. */
export async function pipelineFor(ctx: Ctx, { entity }: z.infer<typeof entityInput>): Promise<Answer> {
  return { data: { pipeline: await stagesInEffect(ctx, entity) } }
}
