import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../kernel/types.ts'

/** Routes of today and later that somebody drives; over alias t. */
export const planOpenFor = (
  { company }: Ctx,
  userId: Statement,
): Statement => sql`t."endDate" >= (now() at time zone ${company.timeZone})::date and exists (
  select from activity_plan_agent a where a."companyId" = t."companyId" and a."planId" = t."id" and a."userId" = ${userId})`
