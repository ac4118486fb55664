import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { nameOf } from '../../kernel/names.ts'
import { isAllowed, rangesOf, type AddressRule } from '../../kernel/session/addresses.ts'
import type { Ctx } from '../../kernel/types.ts'

export interface Rule extends AddressRule {
  roleId: string | null
  userId: string | null
}
/** The entry as it would be; without `rule`: these are gone, all at once. */
interface Change {
  ids: readonly string[]
  rule?: Rule
}

/** Somebody who worked from an address that would be refused. */
export interface LockedOut {
  Id: string
  name: string
  ip: string
}

interface Worker extends LockedOut {
  roleIds: string[]
}

/** Active people and API users whose last address of the last 30 days is on their list now and would be on none after the change. */
export async function lockedOutBy(ctx: Ctx, change: Change): Promise<LockedOut[]> {
  const [before, workers] = [await rulesOf(ctx), await workersOf(ctx)]
  const after = applied(before, change)
  return workers.filter((worker) => mayWork(before, worker) && !mayWork(after, worker)).map(({ Id, name, ip }) => ({ Id, name, ip }))
}

/** Stops with INVALID when the caller could not make the next call from the present address: after a change, or as the lists are now. */
export async function refuseOwnLockOut(ctx: Ctx, change?: Change): Promise<void> {
  if (await wouldLockSelfOut(ctx, change)) fail('INVALID', { fields: [{ field: 'range', message: ownLockOut(ctx) }] })
}

export const noRange = 'is no address and no range like 196.201.214.0/24'

/** What the caller is told who would be locked out by a change. */
export const ownLockOut = ({ ip }: Ctx): string => `would lock you out: you call from ${ip ?? ''}. Add that address first.`

/** True when the caller works from the present address now and could not after the change; without one: cannot as the lists are. */
export async function wouldLockSelfOut(ctx: Ctx, change?: Change): Promise<boolean> {
  const { id: Id, companyId } = ctx.user
  const roles = await ctx.sql.query<{ roleId: string }>(
    sql`select "roleId" from user_role where "companyId" = ${companyId}::uuid and "userId" = ${Id}::uuid`,
  )
  const own = { Id, name: '', ip: ctx.ip ?? '', roleIds: roles.map(({ roleId }) => roleId) }
  const before = await rulesOf(ctx)
  return change ? mayWork(before, own) && !mayWork(applied(before, change), own) : !mayWork(before, own)
}

/** Stops with INVALID when people would be locked out and the caller has not said with this very call that they may be. */
export async function refuseUnlessConfirmed(ctx: Ctx, change: Change, mayLockOut: boolean | undefined): Promise<void> {
  const lockedOut = mayLockOut ? [] : await lockedOutBy(ctx, change)
  if (lockedOut.length > 0) fail('INVALID', { fields: [{ field: 'mayLockOut', message: lockOutWords(lockedOut) }] })
}

const shown = 5
/** How many would be locked out, the first by name and address. */
export function lockOutWords(lockedOut: readonly LockedOut[]): string {
  const names = lockedOut.slice(0, shown).map(({ name, ip }) => `${name} (${ip})`)
  const others = lockedOut.length > shown ? ` and ${lockedOut.length - shown} more` : ''
  const people = lockedOut.length === 1 ? '1 person' : `${lockedOut.length} people`
  return `would lock out ${people} who worked from there in the last 30 days: ${names.join(', ')}${others}`
}

const rulesOf = (ctx: Ctx) =>
  ctx.sql.query<Rule & { id: string }>(
    sql`select "id", "range", "appliesTo", "roleId", "userId" from ip_rule where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null`,
  )

const applied = (rules: readonly (Rule & { id: string })[], { ids, rule }: Change): Rule[] => [
  ...rules.filter((one) => !ids.includes(one.id)),
  ...(rule ? [rule] : []),
]

const mayWork = (rules: readonly Rule[], { Id, roleIds, ip }: Worker): boolean =>
  isAllowed(rangesOf(rules.filter((rule) => isAbout(rule, Id, roleIds))), ip)

const isAbout = ({ appliesTo, roleId, userId }: Rule, id: string, roleIds: readonly string[]) =>
  appliesTo === 'company' || userId === id || (roleId !== null && roleIds.includes(roleId))

/** Who worked in the last 30 days, with the address of the last time. */
const workersOf = ({ sql: db, company }: Ctx) =>
  db.query<Worker & Record<string, unknown>>(sql`
    select u."id" as "Id", ${nameOf('u')} as name, seen."ip",
      array(select m."roleId"::text from user_role m where m."companyId" = u."companyId" and m."userId" = u."id") as "roleIds"
    from app_user u cross join lateral (
      select e."ip" from (
        select l."ip", l."dateCreated" as at from login_event l
          where l."companyId" = u."companyId" and l."userId" = u."id" and l."kind" = 'login' and l."dateCreated" > now() - interval '30 days'
        union all select k."lastUsedIp", k."lastUsedAt" from api_key k
          where k."companyId" = u."companyId" and k."userId" = u."id" and k."lastUsedAt" > now() - interval '30 days') e
      where e."ip" is not null order by e.at desc limit 1) seen
    where u."companyId" = ${company.id}::uuid and u."status" = 1 and u."deletedAt" is null order by name, u."id" limit 20000`)
