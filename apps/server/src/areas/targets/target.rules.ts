import { fail, failField } from '@outpost/contract/errors'
import { periodAround, type PeriodKind } from '@outpost/rules/targets/target-period'
import { decimalsOf } from '@outpost/rules/targets/target-units'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Statement } from '@outpost/platform/types'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { dayText } from '../../kernel/days.ts'
import { tenantInReach, userInReach } from '../../kernel/session/reach.ts'
import { metricNamed } from '../../kernel/metrics.ts'
import { milestoneJob } from './milestones.ts'

type TargetRow = ModelRow<'target'>

/** Completes the period, files the target where its owner works and refuses what no record could ever reach. */
export async function prepareTarget(ctx: Ctx, { kind, input, before, id }: PrepareWrite<TargetRow>): Promise<Partial<TargetRow>> {
  if (kind === 'remove') return {}
  const row = { ...before, ...input } as TargetRow
  refuseUnfit(ctx, row)
  const period = periodOf(input, before)
  milestoneJob.plan(ctx)
  if (kind === 'create' || identity.some((key) => input[key] !== undefined)) await refuseSame(ctx, { ...row, ...period, id })
  if (kind === 'update') return period
  const type = row.ownerType as OwnerType
  const owner = ownedBy(type, row[ownerFields[type]])
  return { ...period, ...owner, tenantId: await tenantOfOwner(ctx, row), createdByUserId: ctx.user.id }
}

/** What makes a target unique. */
const identity = ['metric', 'product', 'parentId', 'periodKind', 'startDate', 'endDate'] as const

/** The same number for the same owner and days is stored once: two would be reached by the same records. */
async function refuseSame(
  ctx: Ctx,
  { id, metric, product, parentId, ownerUserId, ownerTeamId, ownerTenantId, startDate, endDate }: TargetRow,
): Promise<void> {
  await takeTurn(ctx.sql, `targets of ${ctx.company.id}`)
  const same = await ctx.sql.maybe<{ id: string }>(sql`
    select "id" from target where "companyId" = ${ctx.company.id} and "id" <> ${id}::uuid and "deletedAt" is null and "metric" = ${metric} and "product" is not distinct from ${product ?? null}
      and "parentId" is not distinct from ${parentId ?? null}::uuid and num_nonnulls("ownerUserId", "ownerTeamId", "ownerTenantId") = 1
      and coalesce("ownerUserId", "ownerTeamId", "ownerTenantId") = ${ownerUserId ?? ownerTeamId ?? ownerTenantId ?? null}::uuid
      and "startDate" = ${dayText(startDate)}::date and "endDate" = ${dayText(endDate)}::date limit 1`)
  if (same)
    fail('ALREADY_EXISTS', {
      message: 'There is this target already, for the same owner and days.',
      fields: [{ field: 'metric', message: 'has a target for this owner and these days' }],
      details: { existingId: same.id },
    })
}

function refuseUnfit(ctx: Ctx, { metric, product, value }: TargetRow): void {
  const { hasProduct, unit, label } = metricNamed(ctx, metric)
  if (product && !hasProduct) failField('product', `${label} are not told apart by type`)
  const decimals = decimalsOf(unit)
  if (Number(Number(value).toFixed(decimals)) !== Number(value)) {
    failField('value', decimals === 0 ? 'must be a whole number' : 'may hold two decimals at most')
  }
}

/** Month, quarter and week are whole whatever day of them was named. */
function periodOf(input: Partial<TargetRow>, before: TargetRow | undefined): Partial<TargetRow> {
  if (input.periodKind === undefined && input.startDate === undefined && input.endDate === undefined) return {}
  const kind = (input.periodKind ?? before?.periodKind) as PeriodKind
  const start = dayText(input.startDate ?? before?.startDate)
  const whole = periodAround(kind, start)
  const end = whole ? whole.endDate : dayText(input.endDate ?? before?.endDate)
  if (end === '') failField('endDate', 'is required')
  if (end < start) failField('endDate', 'lies before the start')
  if (Date.parse(end) - Date.parse(start) > 3 * 366 * 86_400_000) failField('endDate', 'lies more than three years after the start')
  return { startDate: new Date(whole?.startDate ?? start), endDate: new Date(end) }
}

const ownerFields = { user: 'ownerUserId', team: 'ownerTeamId', tenant: 'ownerTenantId' } as const
export type OwnerType = keyof typeof ownerFields

/** The three columns of an owner, of which that of its kind alone holds it. */
export const ownedBy = (type: OwnerType, id: string | null) => ({
  ownerUserId: type === 'user' ? id : null,
  ownerTeamId: type === 'team' ? id : null,
  ownerTenantId: type === 'tenant' ? id : null,
})

/** Where the target of an owner in the caller's reach is filed: a person's at their main tenant (or the first in reach), a team's at its own. */
async function tenantOfOwner(ctx: Ctx, row: TargetRow): Promise<string> {
  const type = row.ownerType as OwnerType
  const field = ownerFields[type]
  const id = row[field]
  if (!id) return failField(field, 'is required')
  const company = ctx.company.id
  const inScope = (tenant: Statement) => tenantInReach(ctx, tenant)
  const owner = await ctx.sql.maybe<{ tenantId: string }>(
    {
      user: sql`select b."id" as "tenantId" from app_user u join user_tenant w on w."companyId" = u."companyId" and w."userId" = u."id"
      join tenant b on b."companyId" = w."companyId" and b."id" = w."tenantId" where u."companyId" = ${company}::uuid and u."id" = ${id}::uuid and u."status" = 1 and u."deletedAt" is null
      and ${userInReach(ctx, 'u')} and ${inScope(sql`b."id"`)} order by (b."id" = u."tenantId") desc, w."position" limit 1`,
      team: sql`select m."tenantId" from team m where m."companyId" = ${company}::uuid and m."id" = ${id}::uuid and m."deletedAt" is null and ${inScope(sql`m."tenantId"`)}`,
      tenant: sql`select b."id" as "tenantId" from tenant b where b."companyId" = ${company}::uuid and b."id" = ${id}::uuid and b."deletedAt" is null and ${inScope(sql`b."id"`)}`,
    }[type],
  )
  return owner?.tenantId ?? failField(field, 'is not in your reach')
}
