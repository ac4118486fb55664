import { randomUUID } from 'node:crypto'
import type { Stage } from '@outpost/rules/leads/pipeline-stages'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../kernel/types.ts'

/** Writes the stages that a company begins with, in their order. */
export async function insertStages(ctx: Ctx, pipelineId: string, stages: readonly Stage[]): Promise<void> {
  const rows = stages.map((stage, position) => ({ ...stage, id: randomUUID(), position }))
  await ctx.sql.exec(sql`
    insert into pipeline_stage ("companyId", "id", "pipelineId", "position", "name", "colour", "probability", "type", "statuses")
    select ${ctx.company.id}::uuid, r."id", ${pipelineId}::uuid, r."position", r."name", r."colour", r."probability", r."type",
      array(select jsonb_array_elements_text(r."statuses"))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("id" uuid, "position" int, "name" text, "colour" text, "probability" int, "type" text, "statuses" jsonb)`)
}
