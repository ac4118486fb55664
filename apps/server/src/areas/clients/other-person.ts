import { fail } from '@outpost/contract/errors'
import { identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { openLeadStatuses } from '@outpost/rules/leads/lead-stage'
import { resourceNamed } from '../../kernel/resource/define.ts'
import { findDuplicates, typedField, type Duplicate } from '../../kernel/resource/duplicates.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { AnyResource, Ctx } from '../../kernel/types.ts'

/** Records of another kind that may be the same person: those (alias t) that count, for whoever may see them. */
export interface OtherPerson {
  resource: () => AnyResource
  permission: string
  counts: (Id: string | undefined) => Statement
}

/** A lead who becomes a client: the client is made from the lead, with consents and assessments. Leads lie above clients, so they are found by their name. */
export const openLead: OtherPerson = {
  resource: () => resourceNamed('lead') ?? fail('NOT_FOUND'),
  permission: 'SALES/LEADS',
  counts: () => sql`t."status" = any(${openLeadStatuses}::text[])`,
}

export interface OtherFound extends Duplicate {
  field: string
  name: string
}

/** Who of the other kind shares one of the values, each with the field that was typed; only those whom the caller sees: no one hears of others. */
export async function findOthers(
  ctx: Ctx,
  { resource, permission, counts }: OtherPerson,
  { rows, Id }: { rows: readonly Record<string, unknown>[]; Id?: string | undefined },
): Promise<OtherFound[]> {
  if (!holdsAny(ctx, permission)) return []
  const other = resource()
  const found = (await findDuplicates(ctx, other, rows)).filter(({ isVisible }) => isVisible)
  if (found.length === 0) return []
  const named = await ctx.sql.query<{ id: string; name: string }>(sql`
    select t."id", concat_ws(' ', t."firstName", t."lastName") as name from ${identifier(other.table)} t
    where ${visibleRows(ctx, other)} and t."id" = any(${found.map(({ id }) => id)}::uuid[]) and ${counts(Id)}`)
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return found.flatMap((one) => {
    const name = names.get(one.id)
    return name === undefined ? [] : [{ ...one, name, field: other.duplicates ? typedField(other.duplicates, one.column) : one.column }]
  })
}
