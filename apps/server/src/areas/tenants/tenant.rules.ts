import { fail, failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { reaches } from '../../kernel/session/reach.ts'
import { readPhone } from '../../kernel/phone.ts'
import { reachChanged } from '../../kernel/session/rights.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type TenantRow = ModelRow<'tenant'>
interface Place {
  id: string
  type: number
  path: string[]
}
/** Last look at a tenant: its place in the tree, the forms of its codes, and what may not be removed. */
export async function prepareTenant(ctx: Ctx, { kind, input, before, id }: PrepareWrite<TenantRow>): Promise<Partial<TenantRow>> {
  if (kind === 'remove') return before ? removeTenant(ctx, before) : {}
  if (input.phone) readPhone(ctx, 'phone', input.phone)
  return { ...readCodes(input), ...(await placeTenant(ctx, { id, input, before })) }
}

/** Country, currency and time zone as the rest of the program takes them; null is left as it is. */
export function readCodes({
  country,
  currency,
  timeZone,
}: Partial<Pick<TenantRow, 'country' | 'currency' | 'timeZone'>>): Partial<TenantRow> {
  if (country && !/^[a-z]{2}$/i.test(country)) failField('country', 'is not a country code of two letters')
  if (currency && !/^[a-z]{3}$/i.test(currency)) failField('currency', 'is not a currency code of three letters')
  if (timeZone && !isTimeZone(timeZone)) failField('timeZone', 'is not a time zone such as Africa/Nairobi')
  return { ...(country ? { country: country.toUpperCase() } : {}), ...(currency ? { currency: currency.toUpperCase() } : {}) }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

interface Placing {
  id: string
  input: Partial<TenantRow>
  before: TenantRow | undefined
}

/** Locks the shape of the company's tree until the transaction ends. Rows may be filed under the company meanwhile. */
export async function lockTree(ctx: Ctx): Promise<void> {
  await ctx.sql.exec(
    sql`select 1 from tenant where "companyId" = ${ctx.company.id}::uuid and "id" = ${ctx.company.id}::uuid for no key update`,
  )
}

/** The path of a new or moved tenant, which everything below it follows; the caller holds the tree's lock. */
async function placeTenant(ctx: Ctx, { id, input, before }: Placing): Promise<Partial<TenantRow>> {
  const isMoved = !before || (input.parentId !== undefined && input.parentId !== before.parentId)
  if (!isMoved) return {}
  if (before && before.type < 3) failField('parentId', 'a company cannot be moved')
  const type = Number(before?.type ?? input.type)
  if (type < 3) failField('type', 'only branches and teams are inside a company')
  const parent = await findParent(ctx, input.parentId ?? null)
  if (parent.type === 4) failField('parentId', 'nothing is below a team')
  if (parent.path.includes(id)) failField('parentId', 'lies below this tenant')
  const path = [...parent.path, id]
  if (before) await movePaths(ctx, id, path)
  reachChanged(ctx)
  return { path }
}

/** Gives everything below a moved tenant its new path, in one statement. */
async function movePaths(ctx: Ctx, id: string, path: string[]): Promise<void> {
  await ctx.sql.exec(sql`
    update tenant t set "path" = ${path}::uuid[] || t."path"[array_position(t."path", ${id}::uuid) + 1:], "version" = t."version" + 1, "dateModified" = now()
    where t."companyId" = ${ctx.company.id}::uuid and t."path" @> array[${id}::uuid] and t."id" <> ${id}::uuid`)
}

async function findParent(ctx: Ctx, parentId: string | null): Promise<Place> {
  if (parentId === null) return failField('parentId', 'is required')
  const isReached = reaches(ctx, parentId)
  const parent = isReached
    ? await ctx.sql.maybe<Place>(sql`
    select "id", "type", "path" from tenant where "companyId" = ${ctx.company.id}::uuid and "id" = ${parentId}::uuid and "deletedAt" is null`)
    : undefined
  return parent ?? failField('parentId', 'is not a tenant in your reach')
}

/** A tenant goes only when nothing hangs on it; its code is then free for another one. */
async function removeTenant(ctx: Ctx, { id, type, shortCode }: TenantRow): Promise<Partial<TenantRow>> {
  if (type < 3) fail('FORBIDDEN', { message: 'A company cannot be deleted.' })
  const counts = await ctx.sql.one<Record<'tenants' | 'users' | 'leads' | 'activities', number>>(sql`
    select (select count(*)::int from tenant t where t."companyId" = c.id and t."parentId" = ${id}::uuid and t."deletedAt" is null) as tenants,
      (select count(*)::int from user_tenant m join app_user u on u."companyId" = m."companyId" and u."id" = m."userId"
        where m."companyId" = c.id and m."tenantId" = ${id}::uuid) as users,
      (select count(*)::int from lead l where l."companyId" = c.id and l."tenantId" = ${id}::uuid and l."deletedAt" is null) as leads,
      (select count(*)::int from activity a where a."companyId" = c.id and a."tenantId" = ${id}::uuid and a."deletedAt" is null) as activities
    from (select ${ctx.company.id}::uuid as id) c`)
  const left = Object.entries(counts).filter(([, count]) => count > 0)
  if (left.length > 0) {
    fail('STILL_IN_USE', {
      message: `This tenant still has ${left.map(([what, count]) => `${count} ${what}`).join(', ')}.`,
      details: counts,
    })
  }
  reachChanged(ctx)
  return { shortCode: `${shortCode}~${id.slice(-8)}`, status: 0 }
}
