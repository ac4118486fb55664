import { escapeLike, identifier, join, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { fieldSql } from '../../kernel/resource/read/columns.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import type { PalettePlace } from '../../kernel/screens/palette-place.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'

const maxShown = 5
/** Hits the index is asked for. Of a narrow reach most fall away after it, so it is asked for more. */
const maxFound = ({ scope }: Ctx) => (scope === '*' ? 200 : 2_000)
/** Shorter texts have no trigram: they are looked for in small tables only. */
const shortest = 3

export const searchInput = z.strictObject({
  q: z
    .string()
    .max(100)
    .refine((text) => !text.includes('\0'), 'may not hold the NUL character'),
})

/** Records the caller may see whose words hold the text, five of each kind: data.results of {resource, Id, title, subtitle, place (its branch, or null), screen, isPerson}. */
export async function searchAll(ctx: Ctx, places: readonly PalettePlace[], { q }: z.infer<typeof searchInput>): Promise<Answer> {
  const text = q.trim().toUpperCase()
  const wanted = places.filter(({ anyOf, isSmall }) => holdsAny(ctx, ...anyOf) && (text.length >= shortest || isSmall))
  if (text.length < 2 || wanted.length === 0) return { data: { results: [] } }
  const results = await ctx.sql.query(
    sql`select * from (${join(
      wanted.map((place, order) => hits(ctx, place, { text, order })),
      ' union all ',
    )}) h order by "order", nth`,
  )
  return { data: { results: results.map(({ order: _, nth: __, ...hit }) => hit) } }
}

/** Titles that begin with the text come first. The index gives ids of the company; the outer query checks reach and rights. */
function hits(
  ctx: Ctx,
  { resource, subtitle, open, tail = '', branch, isPerson = false }: PalettePlace,
  { text, order }: { text: string; order: number },
): Statement {
  const [title, pattern] = [fieldSql(resource, resource.title), escapeLike(text)]
  const place = branch
    ? sql`(select n."name" from tenant n where n."companyId" = t."companyId" and n."id" = t.${identifier(branch)})`
    : sql`null`
  const found = sql`array(select ${identifier('search', resource.table)}(${`%${pattern}%`}, ${trusted(String(maxFound(ctx)))}))`
  return sql`(
    select ${resource.one}::text as resource, t."id" as "Id", ${title}::text as title, ${trusted(subtitle)} as subtitle, ${place}::text as place, ${open}::text || t."id" || ${tail}::text as screen, ${isPerson}::boolean as "isPerson",
      ${order}::int as "order", row_number() over (order by (upper(${title}::text) like ${`${pattern}%`}) desc, t."dateCreated" desc, ${title}::text) as nth
    from ${identifier(resource.table)} t where ${visibleRows(ctx, resource)} and t."id" = any(${found}) order by nth limit ${trusted(String(maxShown))})`
}
