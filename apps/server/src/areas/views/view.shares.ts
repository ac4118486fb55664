import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { audit } from '../../kernel/audit.ts'
import { otherNews } from '../../kernel/realtime/notification-kinds.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { refuseUsersBeyondReach } from '../../kernel/session/reach.ts'
import type { Ctx } from '../../kernel/types.ts'
import { nameOf, userName } from '../../kernel/names.ts'

/** Whose the view `v` is, as SQL; staff of the group has no name in the company. */
export const ownerName = sql`coalesce(${userName(sql`v."companyId"`, sql`v."userId"`)}, 'Somebody of the group')`

/** Names of those with whom the view `v` is shared, as SQL for a JSON list of {Id, label}. */
export const sharedWith = sql`coalesce((
  select json_agg(json_build_object('Id', u."id", 'label', ${nameOf('u')}) order by u."firstName", u."lastName", u."id") from saved_view_share s
    join app_user u on u."companyId" = s."companyId" and u."id" = s."userId" and u."deletedAt" is null
    where s."companyId" = v."companyId" and s."viewId" = v."id"), '[]'::json)`

interface Shared {
  Id: string
  screen: string
  name: string
  scope: string
  sharedWith: readonly { Id: string }[]
}

/**
 * Shares the caller's own view with exactly these colleagues; undefined leaves it. Whoever joins must be an active user
 * in the caller's reach and gets a notification; INVALID on `userIds` otherwise.
 */
export async function shareByName(ctx: Ctx, view: Shared, userIds: readonly string[] | undefined): Promise<void> {
  if (userIds === undefined) return
  const [wanted, known] = [[...new Set(userIds.map((id) => id.toLowerCase()))], new Set(view.sharedWith.map(({ Id }) => Id))]
  const refuse = (message: string) => fail('INVALID', { fields: [{ field: 'userIds', message }] })
  if (wanted.length > 0 && view.scope !== 'user') refuse(`cannot be named: everybody of the ${view.scope} sees this view`)
  if (wanted.includes(ctx.user.id)) refuse('names yourself')
  const joining = wanted.filter((id) => !known.has(id))
  await refuseUsersBeyondReach(ctx, joining, 'userIds')
  const own = sql`"companyId" = ${ctx.company.id}::uuid and "viewId" = ${view.Id}::uuid`
  await ctx.sql.exec(sql`delete from saved_view_share where ${own} and not ("userId" = any(${wanted}::uuid[]))`)
  await ctx.sql.exec(sql`
    insert into saved_view_share ("companyId", "viewId", "userId") select ${ctx.company.id}::uuid, ${view.Id}::uuid, id from unnest(${joining}::uuid[]) id on conflict do nothing`)
  if (joining.length > 0) audit(ctx, { action: 'view.share', objectType: 'view', objectId: view.Id, after: { userIds: joining } })
  await notifyJoining(ctx, view, joining)
}

/** A screen is what a client calls it: only a plain path of the console is followed. */
const isPath = (screen: string) => /^(\/[\w-]+)+$/.test(screen)

async function notifyJoining(ctx: Ctx, { Id, screen, name }: Shared, joining: readonly string[]): Promise<void> {
  if (joining.length === 0) return
  const { owner } = await ctx.sql.one<{ owner: string }>(sql`
    select ${ownerName} as owner from saved_view v where v."companyId" = ${ctx.company.id}::uuid and v."id" = ${Id}::uuid`)
  for (const userId of joining) {
    await notify(ctx, {
      userId,
      itemType: 'Message',
      kind: otherNews,
      itemId: Id,
      message: `${owner} shares the view “${name}” with you`,
      link: isPath(screen) ? `${screen}?view=${Id}` : { none: 'another program named the screen, and the console has none of its name' },
    })
  }
}

/** Ends what is shared with the caller; gives how many shares that were. */
export const endShare = (ctx: Ctx, viewId: string): Promise<number> =>
  ctx.sql.exec(sql`
  delete from saved_view_share where "companyId" = ${ctx.company.id}::uuid and "viewId" = ${viewId}::uuid and "userId" = ${ctx.user.id}::uuid`)
