import { fail } from '@outpost/contract/errors'
import { every, escapeLike, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { recordSchema } from '../../kernel/resource/answers.ts'
import { listRecords } from '../../kernel/resource/read/list.ts'
import { list, type ListCall } from '../../kernel/resource/operations.ts'
import { searchText, visibleRows } from '../../kernel/resource/read/query.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema, type ListInput } from '../../kernel/resource/schema.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Answer, AnyResource, Ctx, Operation } from '../../kernel/types.ts'
import { isInTeam } from '../teams/index.ts'
import { person, user } from './user.resource.ts'

/** Callers without ADMIN/USERS who choose people for their work see names and main tenants only. */
const seenAs = (ctx: Ctx): AnyResource => (holdsAny(ctx, 'ADMIN/USERS') ? user : person)

type Extra<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>

/** A list of users, cut to what the caller may know of them; also the search then looks at names only. */
export function people<Shape extends z.ZodRawShape = Record<never, never>>(
  call: ListCall<Shape> = {},
): Operation<ListInput & Extra<Shape>> {
  const whole = list(user, call)
  return {
    ...whole,
    answer: () =>
      z.strictObject({ [call.many ?? user.many]: z.array(z.union([recordSchema(user, 'list'), recordSchema(person, 'list')])) }),
    run: (ctx, input, facts) =>
      seenAs(ctx) === user
        ? whole.run(ctx, input, facts)
        : listRecords(
            ctx,
            person,
            { ...input, search: undefined },
            {
              ...call,
              sort: person.list.sort,
              where: () => every([call.where?.(ctx, input) ?? sql`true`, nameLike(input)]),
            },
          ),
    exportRows: (ctx, input) => (seenAs(ctx) === user && whole.exportRows ? whole.exportRows(ctx, input) : fail('FORBIDDEN')),
  }
}

function nameLike(input: Pick<ListInput, 'search'>): Statement {
  const text = searchText(input)
  return text === undefined
    ? sql`true`
    : sql`upper(concat_ws(' ', t."firstName", t."lastName", t."userName")) like ${`%${escapeLike(text)}%`}`
}

/** One user in reach, cut to what the caller may know. */
export async function getPerson(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  return { data: { user: await getRecord(ctx, seenAs(ctx), id) } }
}

const membership = sql`user_tenant m join tenant b on b."companyId" = m."companyId" and b."id" = m."tenantId"
  where m."companyId" = t."companyId" and m."userId" = t."id"`

export const listExtra = { roleName: z.string().trim().max(60).optional(), usrId: idSchema.optional() }

/** Users with a role of that name (any case), and users who work where `usrId` works or below. */
export function byRoleAndUser(
  ctx: Ctx,
  { roleName, usrId }: { roleName?: string | undefined; usrId?: string | undefined },
): Statement | null {
  const conditions = [
    ...(roleName
      ? [
          sql`exists (select 1 from user_role m join role r on r."companyId" = m."companyId" and r."id" = m."roleId"
      where m."companyId" = t."companyId" and m."userId" = t."id" and upper(trim(r."name")) = upper(${roleName}))`,
        ]
      : []),
    ...(usrId ? [below(ctx, usrId)] : []),
  ]
  return conditions.length === 0 ? null : every(conditions)
}

/** Users of a tenant itself. */
export const inTenant = (_: Ctx, { id }: { id: string }) => sql`exists (select 1 from ${membership} and b."id" = ${id}::uuid)`

/** Users of a team, whichever kind it is. */
export const inTeam = (_: Ctx, { id }: { id: string }) => isInTeam('t', id)

/** Users below a tenant, or below the tenants of a user, however deep; never that user. */
export const agentsBelow = (ctx: Ctx, { id }: { id: string }) => sql`${below(ctx, id)} and t."id" <> ${id}::uuid`

function below({ company }: Ctx, id: string): Statement {
  return sql`exists (select 1 from ${membership} and b."path" && (
    array[${id}::uuid] || array(select o."tenantId" from user_tenant o where o."companyId" = ${company.id}::uuid and o."userId" = ${id}::uuid)))`
}

export const idsInput = z.strictObject({
  ids: z
    .string()
    .max(20_000)
    .transform((text) => [
      ...new Set(
        text
          .split(',')
          .map((id) => id.trim().toLowerCase())
          .filter((id) => id !== ''),
      ),
    ])
    .pipe(z.array(idSchema).min(1, 'names no user').max(500)),
})

/** The users of a comma-separated list: all, or NOT_FOUND when one of them is out of sight. */
export async function peopleByIds(ctx: Ctx, { ids }: z.infer<typeof idsInput>): Promise<Answer> {
  const resource = seenAs(ctx)
  const { seen } = await ctx.sql.one<{ seen: number }>(
    sql`select count(*)::int as seen from app_user t where ${visibleRows(ctx, resource)} and t."id" = any(${ids}::uuid[])`,
  )
  if (seen < ids.length) fail('NOT_FOUND')
  return listRecords(ctx, resource, { page: 1, size: 500 }, { where: () => sql`t."id" = any(${ids}::uuid[])` })
}

export const emailInput = z.strictObject({ email: z.string().trim().min(3).max(254) })

/** The user of an address, in the caller's reach. */
export async function userByEmail(ctx: Ctx, { email }: z.infer<typeof emailInput>): Promise<Answer> {
  const row = await ctx.sql.maybe<{ id: string }>(
    sql`select t."id" from app_user t where ${visibleRows(ctx, user)} and t."emailAddress" = ${email.toLowerCase()}`,
  )
  return { data: { user: row ? await getRecord(ctx, user, row.id) : fail('NOT_FOUND') } }
}

/** A user with the company and all tenants above the user's own, topmost first. */
export async function userWithHighLevelTenants(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const found = await getRecord(ctx, user, id)
  const highLevelTenants = await ctx.sql.query<{ type: number }>(sql`
    select distinct a."id" as "Id", a."name", a."shortCode", a."type", a."type" as tenant_type, a."parentId", cardinality(a."path") as level
    from user_tenant m join tenant b on b."companyId" = m."companyId" and b."id" = m."tenantId"
    join tenant a on a."companyId" = b."companyId" and a."id" = any(b."path") and (a."type" = 2 or a."id" <> b."id")
    where m."companyId" = ${ctx.company.id}::uuid and m."userId" = ${id}::uuid order by level, a."name"`)
  return { data: { user: { ...found, highLevelTenants, company: highLevelTenants.find(({ type }) => type === 2) ?? null } } }
}
