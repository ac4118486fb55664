import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { isAllowed, rangesOf } from '../../kernel/session/addresses.ts'
import type { Ctx } from '../../kernel/types.ts'
import { days, groupRulesOf, rulesOf, workersOf, type Entry, type Rule, type Worker } from './workers.ts'

/** Entries as they would be, in the place of those of these ids; without `rules` these are gone, all at once. */
interface Change {
  ids: readonly string[]
  rules?: readonly Rule[]
}

/** Somebody who worked from an address that would be refused. */
export interface LockedOut {
  Id: string
  name: string
  ip: string
}

/** Active people, those of the group among them, and API users with an address that is on their list now and would be on none after the change. */
export async function lockedOutBy(ctx: Ctx, change: Change): Promise<LockedOut[]> {
  const [before, ofGroup, workers] = [await rulesOf(ctx), await groupRulesOf(ctx), await workersOf(ctx)]
  const after = applied(before, change)
  const found = new Map<string, LockedOut>()
  for (const worker of workers) {
    const { Id, name, ip, isOfGroup } = worker
    const more = isOfGroup ? ofGroup : []
    if (!found.has(Id) && mayWork([...before, ...more], worker) && !mayWork([...after, ...more], worker)) found.set(Id, { Id, name, ip })
  }
  return [...found.values()]
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
  const isOfGroup = companyId !== ctx.company.id
  const own = { Id, name: '', ip: ctx.ip ?? '', roleIds: roles.map(({ roleId }) => roleId), isOfGroup }
  const [before, more] = [await rulesOf(ctx), isOfGroup ? await groupRulesOf(ctx) : []]
  const mayNow = mayWork([...before, ...more], own)
  return change ? mayNow && !mayWork([...applied(before, change), ...more], own) : !mayNow
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
  return `would lock out ${people} who worked from there in the last ${days} days: ${names.join(', ')}${others}`
}

const applied = (entries: readonly Entry[], { ids, rules = [] }: Change): Rule[] => [
  ...entries.filter((one) => !ids.includes(one.id)),
  ...rules,
]

const mayWork = (rules: readonly Rule[], { Id, roleIds, ip }: Worker): boolean =>
  isAllowed(rangesOf(rules.filter((rule) => isAbout(rule, Id, roleIds))), ip)

const isAbout = ({ appliesTo, roleId, userId }: Rule, id: string, roleIds: readonly string[]) =>
  appliesTo === 'company' || userId === id || (roleId !== null && roleIds.includes(roleId))
