import { fail } from '@outpost/contract/errors'
import { identifier, sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import type { AnyResource, Ctx } from '../types.ts'
import { inSentence } from '../in-sentence.ts'

interface Placed {
  id: string
  name: string
  parentId: string | null
}

/**
 * Refuses a record that would lie in itself, and a second one of its name beside it; `parentKey` names its parent. Records of one
 * tree wait for each other: two at once could lay each into the other.
 */
export async function refuseInTree(
  ctx: Ctx,
  { table, title, label }: Pick<AnyResource, 'table' | 'title' | 'label'>,
  parentKey: string,
  { id, name, parentId }: Placed,
): Promise<void> {
  await takeTurn(ctx.sql, `${table} ${ctx.company.id}`)
  const [rows, parent] = [identifier(table), identifier(parentKey)]
  const [found] = await ctx.sql.query<{ isTwin: boolean; isWithin: boolean }>(sql`
    with recursive above("id", "parent") as (
      select "id", ${parent} from ${rows} where "companyId" = ${ctx.company.id}::uuid and "id" = ${parentId}::uuid
      union select c."id", c.${parent} from ${rows} c join above a on a."parent" = c."id" where c."companyId" = ${ctx.company.id}::uuid)
    select exists (select from above where "id" = ${id}::uuid) as "isWithin", exists (select from ${rows} where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null
      and "id" <> ${id}::uuid and ${parent} is not distinct from ${parentId}::uuid and upper(${identifier(title)}) = upper(${name})) as "isTwin"`)
  if (found?.isWithin) refuse(parentKey, `lies in this ${inSentence(label)}: that would be a circle`)
  if (found?.isTwin) refuse(title, 'is there already')
}

const refuse = (field: string, message: string): never => fail('INVALID', { fields: [{ field, message }] })
