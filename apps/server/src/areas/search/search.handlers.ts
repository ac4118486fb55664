import type { Permission } from '@outpost/contract/permissions'
import { escapeLike, identifier, join, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { fieldSql } from '../../kernel/resource/columns.ts'
import { visibleRows } from '../../kernel/resource/query.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Answer, AnyResource, Ctx } from '../../kernel/types.ts'
import { activity } from '../activities/index.ts'
import { client } from '../clients/index.ts'
import { lead } from '../leads/index.ts'
import { role } from '../roles/index.ts'
import { tenant } from '../tenants/index.ts'
import { user } from '../users/index.ts'

interface Place { resource: AnyResource, anyOf: Permission[], subtitle: string, open: string, /** What follows the id in the path. */ tail?: string, /** The column of the branch it stands in. */ branch?: 'tenantId' | 'parentId' }

/** Where the palette looks, in this order: for whom, and which view a hit opens. Kinds without a view of their own open beside their list. */
const places: Place[] = [
  { resource: lead, anyOf: ['SALES/LEADS'], subtitle: `concat_ws(' · ', t."phonenumber", t."status")`, open: '/sales/leads/', tail: '/view', branch: 'tenantId' },
  { resource: activity, anyOf: ['SALES/ACTIVITIES/ACTIVITIES'], subtitle: `concat_ws(' · ', to_char(t."startDate" at time zone (select c."timeZone" from tenant c where c."companyId" = t."companyId" and c."id" = t."companyId"), 'YYYY-MM-DD HH24:MI'), t."status", t."location")`, open: '/sales/activities/', tail: '/view', branch: 'tenantId' },
  { resource: client, anyOf: ['CLIENTS'], subtitle: `concat_ws(' · ', t."phonenumber", t."employer")`, open: '/clients/', tail: '/view', branch: 'tenantId' },
  { resource: user, anyOf: ['ADMIN/USERS'], subtitle: `concat_ws(' · ', t."userName", t."emailAddress")`, open: '/admin/users/list?peek=', branch: 'tenantId' },
  { resource: tenant, anyOf: ['ADMIN/TENANTS'], subtitle: `t."shortCode"`, open: '/admin/tenants/list?peek=', branch: 'parentId' },
  { resource: role, anyOf: ['ADMIN/ROLES'], subtitle: `t."description"`, open: '/admin/roles/list?peek=' },
]

const mostShown = 5
/** Hits the index is asked for. Of a narrow reach most fall away after it, so it is asked for more. */
const mostFound = ({ scope }: Ctx) => scope === '*' ? 200 : 2_000
/** Shorter texts have no trigram: they are looked for in small tables only. */
const shortest = 3

export const searchInput = z.strictObject({ q: z.string().max(100).refine((text) => !text.includes('\0'), 'may not hold the NUL character') })

/** Records the caller may see whose words hold the text, five of each kind: data.results of {resource, Id, title, subtitle, place (its branch, or null), screen}. */
export async function searchAll(ctx: Ctx, { q }: z.infer<typeof searchInput>): Promise<Answer> {
  const text = q.trim().toUpperCase()
  const wanted = places.filter(({ resource, anyOf }) => holdsAny(ctx, ...anyOf) && (text.length >= shortest || isSmall(resource)))
  if (text.length < 2 || wanted.length === 0) return { data: { results: [] } }
  const results = await ctx.sql.query(sql`select * from (${join(wanted.map((place, order) => hits(ctx, place, { text, order })), ' union all ')}) h order by "order", nth`)
  return { data: { results: results.map(({ order: _, nth: __, ...hit }) => hit) } }
}

const isSmall = ({ one }: AnyResource) => one === 'user' || one === 'tenant' || one === 'role'

/** Titles that begin with the text come first. The index gives ids of the company; the outer query checks reach and rights. */
function hits(ctx: Ctx, { resource, subtitle, open, tail = '', branch }: Place, { text, order }: { text: string, order: number }): Statement {
  const [title, pattern] = [fieldSql(resource, resource.title), escapeLike(text)]
  const place = branch ? sql`(select n."name" from tenant n where n."companyId" = t."companyId" and n."id" = t.${identifier(branch)})` : sql`null`
  const found = sql`array(select ${identifier('search', resource.table)}(${`%${pattern}%`}, ${trusted(String(mostFound(ctx)))}))`
  return sql`(
    select ${resource.one}::text as resource, t."id" as "Id", ${title}::text as title, ${trusted(subtitle)} as subtitle, ${place}::text as place, ${open}::text || t."id" || ${tail}::text as screen,
      ${order}::int as "order", row_number() over (order by (upper(${title}::text) like ${`${pattern}%`}) desc, t."dateCreated" desc, ${title}::text) as nth
    from ${identifier(resource.table)} t where ${visibleRows(ctx, resource)} and t."id" = any(${found}) order by nth limit ${trusted(String(mostShown))})`
}
