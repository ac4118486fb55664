import { fail, failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { audit } from '../../kernel/audit.ts'
import { nameOf } from '../../kernel/names.ts'
import { otherNews } from '../../kernel/realtime/notification-kinds.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { updateRecords } from '../../kernel/resource/records.ts'
import type { Ctx } from '../../kernel/types.ts'
import { handOver } from '../activities/index.ts'
import { giveLead } from '../leads/index.ts'
import { giveStopsBack, handOverPlan, type HandedPlan } from '../plans/index.ts'
import { handOverTask } from '../tasks/index.ts'
import { countsOf, openWorkOf, owned, ownedKinds, said, type OpenWork, type OwnedKind } from './open-work.ts'
import { user } from './user.resource.ts'

interface Choice {
  toUserId?: string | null | undefined
  leaveWork?: boolean | null | undefined
}

/**
 * Gives the open work of users to somebody before they are deactivated, and keeps what went so that it comes back with
 * them. Stops with STILL_IN_USE that counts the work when nobody was chosen and it is not to be left.
 */
export async function handOverWork(ctx: Ctx, userIds: readonly string[], { toUserId, leaveWork }: Choice): Promise<string> {
  const people = await openWorkOf(ctx, userIds)
  if (people.length === 0 || leaveWork) return ''
  if (!toUserId) {
    fail('STILL_IN_USE', {
      message: `${said(people)}. Choose who takes it over, or leave it where it is.`,
      details: { work: people.map(countsOf) },
      fields: [{ field: 'toUserId', message: `${said(people)}. To whom does it go?` }],
    })
  }
  const heir = await heirOf(ctx, toUserId, userIds)
  for (const one of people) await giveAll(ctx, one, toUserId)
  if (toUserId !== ctx.user.id)
    await notify(ctx, {
      userId: toUserId,
      itemType: 'Message',
      kind: otherNews,
      message: `You took over the work of ${people.map(({ name }) => name).join(', ')}`,
      link: '/sales/leads',
    })
  return ` ${heir} takes over the open work.`
}

async function heirOf(ctx: Ctx, id: string, leaving: readonly string[]): Promise<string> {
  const found = await ctx.sql.maybe<{ name: string }>(sql`
    select ${nameOf('t')} as name from app_user t where ${visibleRows(ctx, user)} and t."id" = ${id} and t."status" = 1 and t."deletedAt" is null`)
  if (!found || leaving.includes(id)) failField('toUserId', 'is not an active user in your reach who stays')
  return found.name
}

async function giveAll(ctx: Ctx, one: OpenWork, to: string): Promise<void> {
  const { userId, leads, activities, tasks, plans } = one
  const moved: { id: string; isShared: boolean }[] = []
  const movedTasks: typeof moved = []
  for (const id of leads) await giveLead(ctx, id, { userId: to })
  for (const id of activities) moved.push({ id, ...(await handOver(ctx, id, { from: userId, to })) })
  for (const id of tasks) movedTasks.push({ id, ...(await handOverTask(ctx, id, { from: userId, to })) })
  const handed: HandedPlan[] = []
  for (const id of plans) handed.push(await handOverPlan(ctx, id, { from: userId, to }))
  for (const kind of ownedKinds) await updateRecords(ctx, owned[kind].resource, one[kind], { [owned[kind].field]: to })
  const ofOwned = Object.fromEntries(ownedKinds.map((kind) => [kind, one[kind]]))
  await ctx.sql.exec(sql`
    insert into user_handover ("companyId", "id", "fromUserId", "toUserId", "moved", "byUserId")
    values (${ctx.company.id}, gen_random_uuid(), ${userId}, ${to}, ${JSON.stringify({ ...ofOwned, leads, activities: moved, tasks: movedTasks, plans: handed })}::jsonb, ${ctx.user.id})`)
  audit(ctx, {
    action: 'user.handOver',
    objectType: 'user',
    objectId: userId,
    after: { toUserId: to, ...countsOf(one) },
  })
}

interface Handover {
  id: string
  fromUserId: string
  toUserId: string
  moved: {
    leads?: string[]
    activities?: { id: string; isShared: boolean }[]
    tasks?: { id: string; isShared: boolean }[]
    plans?: HandedPlan[]
  } & Partial<Record<OwnedKind, string[]>>
}

/** Gives restored users back what went when they were deactivated, as far as it is still with whom it went to. */
export async function giveWorkBack(ctx: Ctx, userIds: readonly string[]): Promise<void> {
  const handovers = await ctx.sql.query<Handover>(sql`
    update user_handover set "undoneAt" = now() where "companyId" = ${ctx.company.id} and "fromUserId" = any(${userIds}::uuid[]) and "undoneAt" is null
    returning "id", "fromUserId", "toUserId", "moved"`)
  for (const { fromUserId, toUserId, moved } of handovers) {
    const held = (await openWorkOf(ctx, [toUserId]))[0]
    for (const id of (moved.leads ?? []).filter((one) => held?.leads.includes(one))) await giveLead(ctx, id, { userId: fromUserId })
    for (const { id, isShared } of (moved.activities ?? []).filter((one) => held?.activities.includes(one.id)))
      await handOver(ctx, id, { from: toUserId, to: fromUserId, keep: isShared })
    for (const { id, isShared } of (moved.tasks ?? []).filter((one) => held?.tasks.includes(one.id)))
      await handOverTask(ctx, id, { from: toUserId, to: fromUserId, keep: isShared })
    for (const plan of (moved.plans ?? []).filter(({ id }) => held?.plans.includes(id)))
      await giveStopsBack(ctx, plan, { from: toUserId, to: fromUserId })
    for (const kind of ownedKinds) {
      const back = (moved[kind] ?? []).filter((one) => held?.[kind].includes(one))
      await updateRecords(ctx, owned[kind].resource, back, { [owned[kind].field]: fromUserId })
    }
  }
}
