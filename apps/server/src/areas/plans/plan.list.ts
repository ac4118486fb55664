import { sql } from '@outpost/platform/db/sql'
import { list } from '../../kernel/resource/operations.ts'
import { exportStatement, listRecords } from '../../kernel/resource/read/list.ts'
import type { ListInput } from '../../kernel/resource/schema.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Ctx } from '../../kernel/types.ts'
import { windowOf } from './plan.handlers.ts'
import { activityPlan } from './plan.resource.ts'

type PlanList = ListInput & { userId?: string | undefined }
const standard = list(activityPlan, { extra: { userId: idSchema.optional() } })

/** The plans that touch the asked days, by default today and 30 ahead: a plan that runs already is one of them. */
export const listPlans = {
  ...standard,
  run: (ctx: Ctx, input: PlanList) => listRecords(ctx, activityPlan, ...touching(ctx, input)),
  exportRows: (ctx: Ctx, input: PlanList) => exportStatement(ctx, activityPlan, ...touching(ctx, input)),
}

function touching(ctx: Ctx, { startDate, endDate, dateType: _, userId, ...input }: PlanList) {
  const window = windowOf(ctx, { startDate, endDate })
  const theirs = sql`and exists (select 1 from activity_plan_agent a where a."companyId" = t."companyId" and a."planId" = t."id" and a."userId" = ${userId})`
  const where = () =>
    sql`t."endDate" >= ${window.startDate.slice(0, 10)}::date and t."startDate" <= ${window.endDate.slice(0, 10)}::date ${userId ? theirs : sql``}`
  return [input, { where }] as const
}
