import { randomUUID } from 'node:crypto'
import type { Stage } from '@outpost/rules/pipeline-stages'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../kernel/types.ts'

/** Writes the stages of a pipeline in their order: those with an Id are changed, the others are new. */
export async function saveStages(ctx: Ctx, pipelineId: string, stages: readonly (Stage & { Id?: string | undefined })[]): Promise<void> {
  const rows = stages.map(({ Id, ...stage }, position) => ({ ...stage, id: Id ?? randomUUID(), position }))
  await ctx.sql.exec(sql`
    insert into pipeline_stage ("companyId", "id", "pipelineId", "position", "name", "colour", "probability", "type", "statuses")
    select ${ctx.company.id}::uuid, r."id", ${pipelineId}::uuid, r."position", r."name", r."colour", r."probability", r."type",
      array(select jsonb_array_elements_text(r."statuses"))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("id" uuid, "position" int, "name" text, "colour" text, "probability" int, "type" text, "statuses" jsonb)
    on conflict ("companyId", "id") do update set "position" = excluded."position", "name" = excluded."name", "colour" = excluded."colour",
      "probability" = excluded."probability", "type" = excluded."type", "statuses" = excluded."statuses"`)
}
