import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../kernel/types.ts'

/** What somebody has planned or begun by their own part of it, and what did not end longer than a day ago; over alias t. */
export const activityOpenFor = (_ctx: Ctx, userId: Statement): Statement => sql`t."endDate" > now() - interval '1 day' and exists (
  select from activity_assignment x left join activity_status s on s."companyId" = x."companyId" and s."id" = coalesce(x."statusId", t."statusId")
  where x."companyId" = t."companyId" and x."activityId" = t."id" and x."userId" = ${userId} and coalesce(s."meaning", 'open') in ('open', 'started'))`
