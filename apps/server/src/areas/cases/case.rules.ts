import { fail } from '@outpost/contract/errors'
import type { Option } from '@outpost/contract/fields'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import type { Meaning } from '../../kernel/workflow/types.ts'
import { ensurePipeline, stagesInEffect } from '../pipelines/index.ts'

type CaseRow = ModelRow<'salesCase'>

interface StageRow {
  id: string
  name: string
  type: string
  statuses: string[]
  meaning: Meaning
  within: { id: string; name: string }
}

/** The stages of a case's pipeline, in their order; without a case those of all pipelines in use. */
export const stagesOf = (ctx: Ctx, { pipelineId }: Partial<CaseRow>): Promise<StageRow[]> =>
  ctx.sql.query<StageRow & Record<string, unknown>>(sql`
  select s."id", s."name", s."type", s."statuses", case s."type" when 'won' then 'done' when 'lost' then 'missed' else 'open' end as meaning,
    json_build_object('id', p."id", 'name', p."name") as within
  from pipeline_stage s join pipeline p on p."companyId" = s."companyId" and p."id" = s."pipelineId"
  where s."companyId" = ${ctx.company.id}::uuid and ${pipelineId ? sql`p."id" = ${pipelineId}::uuid` : sql`p."entity" = 'case' and p."deletedAt" is null`}
  order by p."name", p."id", s."position"`)

/** The stages of the pipeline in effect; a company without cases has none of its own yet. */
export async function stageColumns(ctx: Ctx): Promise<Option[]> {
  const { stages } = await stagesInEffect(ctx, 'case')
  return stages.flatMap(({ Id, name, colour }) => (Id === null ? [] : [{ value: Id, label: name, colour }]))
}

/** A new case begins in the first stage of the pipeline in effect; the stage says its status. */
export async function prepareCase(ctx: Ctx, { kind, input, before }: PrepareWrite<CaseRow>): Promise<Partial<CaseRow>> {
  if (kind === 'create') return newCase(ctx, input)
  return before && input.stageId && input.stageId !== before.stageId
    ? inStage(
        before,
        (await stagesOf(ctx, before)).find(({ id }) => id === input.stageId),
      )
    : {}
}

/** Leaving the open stages settles a case, and the first that anybody does about it is the response to it. */
function inStage(before: CaseRow, stage: StageRow | undefined): Partial<CaseRow> {
  const { type = 'open', statuses = [] } = stage ?? {}
  return {
    status: statuses.includes(before.status) ? before.status : (statuses[0] ?? before.status),
    resolvedAt: type === 'open' ? null : (before.resolvedAt ?? new Date()),
    firstResponseAt: before.firstResponseAt ?? new Date(),
  }
}

async function newCase(ctx: Ctx, input: Partial<CaseRow>): Promise<Partial<CaseRow>> {
  const {
    Id: pipelineId,
    stages: [first],
  } = await ensurePipeline(ctx, 'case')
  if (!first) return fail('NOT_CONFIGURED', { message: 'The pipeline of cases has no stage.' })
  return { pipelineId, stageId: first.Id, status: first.statuses[0] ?? 'New', ownerUserId: input.ownerUserId ?? ctx.user.id }
}
