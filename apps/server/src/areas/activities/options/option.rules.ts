import { failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { keepOneDefault } from '../../../kernel/relations/own-options.ts'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'

type TypeRow = ModelRow<'activityType'>
type StatusRow = ModelRow<'activityStatus'>

/** One default type a tenant; an inactive one cannot be it. */
export async function prepareType(ctx: Ctx, write: PrepareWrite<TypeRow>): Promise<Partial<TypeRow>> {
  await keepOneDefault(ctx, { table: 'activity_type' }, write)
  return {}
}

/** One default status a tenant, and it means work to be done; what a status means stays once activities carry it. */
export async function prepareStatus(ctx: Ctx, write: PrepareWrite<StatusRow>): Promise<Partial<StatusRow>> {
  const { kind, input, before, id } = write
  const meaning = input.meaning ?? before?.meaning
  if ((input.default ?? before?.default) && meaning !== 'open' && kind !== 'remove')
    failField('default', 'must mean that work is to be done')
  if (kind === 'update' && input.meaning && input.meaning !== before?.meaning && (await isUsed(ctx, id))) {
    failField('meaning', 'cannot change: activities carry this status. Make it inactive and add another one.')
  }
  await keepOneDefault(ctx, { table: 'activity_status' }, write)
  return {}
}

async function isUsed(ctx: Ctx, statusId: string): Promise<boolean> {
  const found = await ctx.sql.maybe(sql`
    select 1 as one from activity where "companyId" = ${ctx.company.id} and "statusId" = ${statusId}
    union all select 1 from activity_assignment where "companyId" = ${ctx.company.id} and "statusId" = ${statusId} limit 1`)
  return found !== undefined
}
