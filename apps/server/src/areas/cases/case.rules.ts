import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { ensurePipeline } from '../pipelines/index.ts'

type CaseRow = ModelRow<'salesCase'>

/** A new case begins in the first stage of the pipeline in effect. */
export async function prepareCase(ctx: Ctx, { kind, input }: PrepareWrite<CaseRow>): Promise<Partial<CaseRow>> {
  if (kind === 'remove') return {}
  return kind === 'create' ? newCase(ctx, input) : {}
}

async function newCase(ctx: Ctx, input: Partial<CaseRow>): Promise<Partial<CaseRow>> {
  const { Id: pipelineId, stages: [first] } = await ensurePipeline(ctx, 'case')
  if (!first) return fail('NOT_CONFIGURED', { message: 'The pipeline of cases has no stage.' })
  return {
    pipelineId, stageId: first.Id, status: first.statuses[0] ?? 'New', ownerUserId: input.ownerUserId ?? ctx.user.id,
    createdByUserId: ctx.user.id, createdBy: `${ctx.user.firstName} ${ctx.user.lastName}`,
  }
}
