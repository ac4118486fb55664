import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { stageFaults, type PipelineEntity, type Stage } from '@outpost/rules/leads/pipeline-stages'
import { openLeadStatuses } from '@outpost/rules/leads/lead-stage'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type StageLine = Stage & { Id: string }
type PipelineRow = ModelRow<'pipeline'> & { stages?: StageLine[] }

/** Files a new pipeline under the chosen tenant; one of a tenant above the caller's reach is only read. A new default takes the place of the old one. */
export async function preparePipeline(ctx: Ctx, { kind, input, before, id }: PrepareWrite<PipelineRow>): Promise<Partial<PipelineRow>> {
  if (before && ctx.scope !== '*' && !ctx.scope.includes(before.tenantId))
    fail('FORBIDDEN', { message: 'This pipeline belongs to a tenant above yours.' })
  if (kind === 'remove') return before ? refuseInUse(ctx, before) : {}
  const entity = before?.entity ?? input.entity ?? ''
  const tenantId = before?.tenantId ?? ctx.tenant.id
  if (input.stages) refuseFaults(entity as PipelineEntity, input.stages)
  if (input.stages && before?.stages)
    await refuseStagesInUse(
      ctx,
      before.stages.filter(({ Id }) => !input.stages?.some((stage) => stage.Id === Id)),
    )
  if (input.isDefault) {
    await ctx.sql.exec(sql`
      update pipeline set "isDefault" = false, "version" = "version" + 1
      where "companyId" = ${ctx.company.id}::uuid and "entity" = ${entity} and "tenantId" = ${tenantId}::uuid and "isDefault" and "deletedAt" is null and "id" <> ${id}::uuid`)
  }
  return kind === 'create' ? { tenantId } : {}
}

function refuseFaults(entity: PipelineEntity, stages: readonly Stage[]): void {
  const faults = stageFaults(entity, stages)
  if (faults.length > 0)
    fail('INVALID', { fields: faults.map(({ index, part, message }) => ({ field: `stages.${index}.${part}`, message })) })
}

/** A stage left out goes, unless records are in it. */
async function refuseStagesInUse(ctx: Ctx, gone: readonly StageLine[]): Promise<void> {
  if (gone.length === 0) return
  const held = await ctx.sql.maybe<{ stageId: string; cases: number }>(sql`
    select c."stageId", count(*)::int as cases from sales_case c where c."companyId" = ${ctx.company.id}::uuid and c."stageId" = any(${gone.map(({ Id }) => Id)}::uuid[]) group by 1 limit 1`)
  const name = gone.find(({ Id }) => Id === held?.stageId)?.name
  if (held) fail('STILL_IN_USE', { message: `${held.cases} ${held.cases === 1 ? 'case is' : 'cases are'} in ${name}. Move them first.` })
}

/** Cases are in the stages of their pipeline; open leads pass those of the default that holds for their tenant. */
async function refuseInUse(ctx: Ctx, { id, entity, tenantId, isDefault, name }: PipelineRow): Promise<Partial<PipelineRow>> {
  const { cases, leads } = await ctx.sql.one<{ cases: number; leads: number }>(sql`
    select (select count(*)::int from sales_case c where c."companyId" = ${ctx.company.id} and c."pipelineId" = ${id} and c."deletedAt" is null) as cases,
      (select count(*)::int from lead l join tenant n on n."companyId" = l."companyId" and n."id" = l."tenantId" and ${tenantId}::uuid = any(n."path")
        where ${isDefault && entity === 'lead'} and l."companyId" = ${ctx.company.id} and l."deletedAt" is null and l."status" = any(${openLeadStatuses}::text[])) as leads`)
  if (cases > 0)
    fail('STILL_IN_USE', {
      message: `${cases} ${cases === 1 ? 'case is' : 'cases are'} in ${name}. Move them first.`,
      details: { cases },
    })
  if (leads > 0)
    fail('STILL_IN_USE', {
      message: `${leads} open ${leads === 1 ? 'lead passes' : 'leads pass'} ${name}. Make another pipeline the default first.`,
      details: { leads },
    })
  return {}
}
