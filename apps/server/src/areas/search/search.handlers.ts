import { escapeLike, identifier, join, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { remoteHits, type RemotePlace } from '../../kernel/remote/palette.ts'
import { fieldSql } from '../../kernel/resource/read/columns.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { hitSchema, type Hit } from '../../kernel/screens/palette-hit.ts'
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

export const searchAnswer = z.strictObject({ results: z.array(hitSchema) })

/** Records the caller may see whose words hold the text, five of each kind, in the order of the kinds. */
export async function searchAll(
  ctx: Ctx,
  places: readonly (PalettePlace | RemotePlace)[],
  { q }: z.infer<typeof searchInput>,
): Promise<Answer> {
  const text = q.trim().toUpperCase()
  if (text.length < 2) return { data: { results: [] } }
  const isLong = text.length >= shortest
  const own = places.filter(isOwn).filter(({ anyOf, isSmall }) => holdsAny(ctx, ...anyOf) && (isLong || isSmall))
  const remote = isLong ? places.filter(isRemote) : []
  const found = await Promise.all([
    ownHits(ctx, own, text),
    ...remote.map((place) => remoteHits(ctx, place, { text: q.trim(), size: maxShown })),
  ])
  const order = new Map(places.map(({ resource }, index) => [resource.one, index]))
  const results = found.flat().toSorted((a, b) => (order.get(a.resource) ?? 0) - (order.get(b.resource) ?? 0))
  return { data: { results } }
}

const isOwn = (place: PalettePlace | RemotePlace): place is PalettePlace => !isRemote(place)
const isRemote = (place: PalettePlace | RemotePlace): place is RemotePlace => 'find' in place

async function ownHits(ctx: Ctx, places: readonly PalettePlace[], text: string): Promise<Hit[]> {
  if (places.length === 0) return []
  const rows = await ctx.sql.query<Hit & { order: number; nth: number }>(
    sql`select * from (${join(
      places.map((place, order) => hits(ctx, place, { text, order })),
      ' union all ',
    )}) h order by "order", nth`,
  )
  return rows.map(({ order: _, nth: __, ...hit }) => hit)
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
