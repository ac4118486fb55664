import type { FieldError } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { tenantInReach } from '../../../kernel/session/reach.ts'
import type { Ctx } from '../../../kernel/types.ts'
import type { ImportRow } from './columns.ts'

/** What names in a file mean in the company. */
export interface Names {
  /** Ids of the tenants and roles of a row, and what is wrong with its names; `undefined` for an empty cell. */
  of(row: ImportRow): { tenants: string[] | undefined; roles: string[] | undefined; problems: FieldError[] }
}

/** The user name of a row: as it says, or the beginning of its address. */
export const userNameOf = ({ userName, emailAddress = '' }: ImportRow['values']): string =>
  userName ?? (emailAddress.split('@')[0] ?? '').toLowerCase().replaceAll(/[^a-z0-9._-]/g, '')

const low = (text: string) => text.trim().toLowerCase()
const listed = (text: string | undefined) =>
  text
    ?.split(/[;|]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

/**
 * Reads the names of tenants in the caller's reach (by name or short code) and of roles, and which addresses and user names are taken: by
 * anybody of the company, deactivated ones too, or by an earlier row.
 */
export async function readNames(ctx: Ctx, rows: readonly ImportRow[]): Promise<Names> {
  const isReached = tenantInReach(ctx, sql`"id"`)
  const tenants = await ctx.sql.query<{ id: string; name: string; shortCode: string | null }>(sql`
    select "id", "name", "shortCode" from tenant where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null and "status" = 1 and ${isReached}`)
  const roles = await ctx.sql.query<{ id: string; name: string }>(
    sql`select "id", "name" from role where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null`,
  )
  const byTenant = Map.groupBy(
    tenants.flatMap(({ id, name, shortCode }) =>
      [...new Set([low(name), low(shortCode ?? '')])].filter((key) => key !== '').map((key) => ({ key, id })),
    ),
    ({ key }) => key,
  )
  const byRole = Map.groupBy(
    roles.map(({ id, name }) => ({ key: low(name), id })),
    ({ key }) => key,
  )
  const taken = await readTaken(ctx, rows)
  return {
    of: (row) => {
      const problems: FieldError[] = taken.of(row)
      const idsOf = (field: 'tenants' | 'roles', known: typeof byTenant) =>
        listed(row.values[field])?.flatMap((name) => {
          const [one, other] = known.get(low(name)) ?? []
          if (!one) problems.push({ field, message: `${name.slice(0, 60)}: no such name${field === 'tenants' ? ' in your reach' : ''}` })
          if (other) problems.push({ field, message: `${name.slice(0, 60)}: several are called so; give the short code` })
          return one ? [one.id] : []
        })
      return { tenants: idsOf('tenants', byTenant), roles: idsOf('roles', byRole), problems }
    },
  }
}

/** Which addresses and user names are taken, and which row of the file says one first. */
async function readTaken(ctx: Ctx, rows: readonly ImportRow[]): Promise<{ of(row: ImportRow): FieldError[] }> {
  const keys = ['emailAddress', 'userName'] as const
  const nameOf = ({ values }: ImportRow, key: (typeof keys)[number]) => low(key === 'userName' ? userNameOf(values) : (values[key] ?? ''))
  const used = await ctx.sql.query<{ emailAddress: string; userName: string }>(sql`
    select "emailAddress", lower("userName") as "userName" from app_user where "companyId" = ${ctx.company.id}::uuid
      and ("emailAddress" = any(${rows.map((row) => nameOf(row, 'emailAddress'))}::text[]) or lower("userName") = any(${rows.map((row) => nameOf(row, 'userName'))}::text[]))`)
  const first = new Map<string, number>()
  for (const row of rows)
    for (const key of keys) {
      const name = `${key} ${nameOf(row, key)}`
      if (!first.has(name)) first.set(name, row.number)
    }
  const of = (row: ImportRow) =>
    keys.flatMap((field): FieldError[] => {
      const name = nameOf(row, field)
      if (name === '') return []
      if (used.some((one) => one[field] === name)) return [{ field, message: 'is taken by another user' }]
      const earlier = first.get(`${field} ${name}`) ?? row.number
      return earlier === row.number ? [] : [{ field, message: `is that of row ${earlier} too` }]
    })
  return { of }
}
