import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { sql } from '@outpost/platform/db/sql'
import { companyDay } from '../../../kernel/days.ts'
import { refuseUsersBeyondReach } from '../../../kernel/session/reach.ts'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'
import { planReminders } from './maintenance.job.ts'

type Plan = ModelRow<'maintenancePlan'>
type Entry = ModelRow<'maintenanceEntry'>

/** A plan is of a vehicle or of a category, and says how often; somebody in reach is reminded. */
export async function prepareMaintenancePlan(ctx: Ctx, { kind, input, before }: PrepareWrite<Plan>): Promise<Partial<Plan>> {
  if (kind === 'remove') return {}
  const { assetId = null, categoryId = null, everyKm = null, everyHours = null, everyDays = null } = { ...before, ...input }
  if ((assetId === null) === (categoryId === null))
    fail('INVALID', {
      fields: [{ field: assetId === null ? 'assetId' : 'categoryId', message: 'a plan is of one vehicle or of one category' }],
    })
  if (everyKm === null && everyHours === null && everyDays === null)
    fail('INVALID', { fields: [{ field: 'everyKm', message: 'say how often: by distance, engine hours or days' }] })
  const responsibleUserId = input.responsibleUserId ?? before?.responsibleUserId ?? ctx.user.id
  if (responsibleUserId !== before?.responsibleUserId) await refuseUsersBeyondReach(ctx, [responsibleUserId], 'responsibleUserId')
  ctx.beforeCommit(() => planReminders(ctx, responsibleUserId))
  const filed = assetId !== null && assetId !== before?.assetId ? await branchOf(ctx, assetId) : {}
  return { responsibleUserId, ...filed }
}

/** A plan of one vehicle is filed where the vehicle is. */
async function branchOf(ctx: Ctx, assetId: string): Promise<Partial<Plan>> {
  const asset = await ctx.sql.maybe<{ tenantId: string }>(
    sql`select "tenantId" from asset where "companyId" = ${ctx.company.id}::uuid and "id" = ${assetId}::uuid`,
  )
  return asset ?? {}
}

/** What was done was done to a vehicle of the plan, not in the future, and at the reading that the plan counts by. */
export async function prepareMaintenanceEntry(ctx: Ctx, { kind, input, before }: PrepareWrite<Entry>): Promise<Partial<Entry>> {
  if (kind === 'remove') return {}
  const entry = { ...before, ...input }
  const plan = await ctx.sql.maybe<{ everyKm: number | null; everyHours: number | null; tenantId: string | null }>(sql`
    select p."everyKm", p."everyHours", (select a."tenantId" from asset a where a."companyId" = p."companyId" and a."id" = ${entry.assetId ?? null}::uuid
      and (a."id" = p."assetId" or a."categoryId" = p."categoryId")) as "tenantId"
    from maintenance_plan p where p."companyId" = ${ctx.company.id}::uuid and p."id" = ${entry.planId ?? null}::uuid and p."deletedAt" is null`)
  if (!plan) return fail('INVALID', { fields: [{ field: 'planId', message: 'is no plan in your reach' }] })
  if (plan.tenantId === null) return fail('INVALID', { fields: [{ field: 'assetId', message: 'is no vehicle of this plan' }] })
  if (plan.everyKm !== null && (entry.odometer ?? null) === null)
    fail('INVALID', { fields: [{ field: 'odometer', message: 'is required: the plan goes by distance' }] })
  if (plan.everyHours !== null && (entry.engineHours ?? null) === null)
    fail('INVALID', { fields: [{ field: 'engineHours', message: 'is required: the plan goes by engine hours' }] })
  if (entry.doneOn && dayText(entry.doneOn) > companyDay(ctx))
    fail('INVALID', { fields: [{ field: 'doneOn', message: 'lies in the future' }] })
  // Filed where the vehicle is: whoever sees the vehicle there sees what was done to it.
  return kind === 'create' ? { createdByUserId: ctx.user.id, tenantId: plan.tenantId } : {}
}

const dayText = (day: Date | string): string => (typeof day === 'string' ? day : day.toISOString()).slice(0, 10)
