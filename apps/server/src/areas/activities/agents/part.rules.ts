import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'

type PartRow = ModelRow<'activityAssignment'>

/** A new status of an agent's part says its name, unless words were given, and since when: not ahead of now, and not before the part. */
export async function preparePart(ctx: Ctx, { input, before }: PrepareWrite<PartRow>): Promise<Partial<PartRow>> {
  if (!input.statusId) return {}
  const status = await ctx.sql.maybe<{ name: string }>(
    sql`select "name" from activity_status where "companyId" = ${ctx.company.id} and "id" = ${input.statusId}`,
  )
  const [now, since] = [new Date(), input.statusDateCreated ?? new Date()]
  const earliest = before?.dateCreated ?? since
  return {
    statusText: input.statusText || (status?.name ?? null),
    statusDateCreated: since > now ? now : since < earliest ? earliest : since,
  }
}
