import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type PipelineRow = ModelRow<'pipeline'>

/** Files a new pipeline under the chosen tenant; one of a tenant above the caller's reach is only read. A new default takes the place of the old one. */
export async function preparePipeline(ctx: Ctx, { kind, input, before, id }: PrepareWrite<PipelineRow>): Promise<Partial<PipelineRow>> {
  if (before && ctx.scope !== '*' && !ctx.scope.includes(before.tenantId)) fail('FORBIDDEN', { message: 'This pipeline belongs to a tenant above yours.' })
  if (kind === 'remove') return {}
  const entity = before?.entity ?? input.entity ?? ''
  const tenantId = before?.tenantId ?? ctx.tenant.id
  if (input.isDefault) {
    await ctx.sql.exec(sql`
      update pipeline set "isDefault" = false, "version" = "version" + 1
      where "companyId" = ${ctx.company.id}::uuid and "entity" = ${entity} and "tenantId" = ${tenantId}::uuid and "isDefault" and "deletedAt" is null and "id" <> ${id}::uuid`)
  }
  return kind === 'create' ? { tenantId } : {}
}
