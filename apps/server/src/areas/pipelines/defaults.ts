import { randomUUID } from 'node:crypto'
import { defaultStages, type PipelineEntity, type Stage } from '@outpost/rules/leads/pipeline-stages'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import type { Ctx } from '../../kernel/types.ts'
import { insertStages } from './stages.ts'

export interface PipelineInEffect {
  Id: string | null
  name: string
  entity: PipelineEntity
  stages: (Stage & { Id: string | null })[]
}

/** The default pipeline of the chosen tenant or the nearest one above; Ids are null while the company has none of its own. */
export async function stagesInEffect(ctx: Ctx, entity: PipelineEntity): Promise<PipelineInEffect> {
  const found = await ctx.sql.maybe<PipelineInEffect>(sql`
    select p."id" as "Id", p."name", p."entity", (select json_agg(json_build_object('Id', s."id", 'name', s."name", 'colour', s."colour",
        'probability', s."probability", 'type', s."type", 'statuses', s."statuses") order by s."position")
      from pipeline_stage s where s."companyId" = p."companyId" and s."pipelineId" = p."id") as stages
    from pipeline p where p."companyId" = ${ctx.company.id}::uuid and p."entity" = ${entity} and p."isDefault" and p."deletedAt" is null
      and p."tenantId" = any(${ctx.tenant.path}::uuid[])
    order by array_position(${ctx.tenant.path}::uuid[], p."tenantId") desc limit 1`)
  return found ?? { Id: null, name: 'Standard', entity, stages: defaultStages[entity].map((stage) => ({ ...stage, Id: null })) }
}

export interface OwnPipeline {
  Id: string
  stages: (Stage & { Id: string })[]
}

/** The pipeline in effect as rows that records may point to; a company without one gets the standard one. Needs a transaction. */
export async function ensurePipeline(ctx: Ctx, entity: PipelineEntity): Promise<OwnPipeline> {
  const found = await stagesInEffect(ctx, entity)
  if (found.Id !== null) return found as OwnPipeline
  // Two first records at once: the second waits here and finds the pipeline of the first.
  await takeTurn(ctx.sql, `pipeline ${ctx.company.id} ${entity}`)
  const again = await stagesInEffect(ctx, entity)
  if (again.Id !== null) return again as OwnPipeline
  const id = randomUUID()
  await ctx.sql.exec(sql`
    insert into pipeline ("companyId", "id", "tenantId", "entity", "name", "isDefault")
    values (${ctx.company.id}::uuid, ${id}::uuid, ${ctx.company.id}::uuid, ${entity}, ${found.name}, true)`)
  await insertStages(ctx, id, defaultStages[entity])
  return (await stagesInEffect(ctx, entity)) as OwnPipeline
}
