import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { dayOrTime } from '../../kernel/days.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import { userInReach } from '../../kernel/session/reach.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { setTimeRight } from '../../kernel/sync/clock.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { nameOf } from '../../kernel/names.ts'
import { atWork } from './consent/trackable.ts'
import { positionShape, recordPositions } from './positions.ts'

/** One position record, or ours: several that waited offline under `positions`, with the device's clock beside them. */
export const trackingInput = z.strictObject({
  ...positionShape,
  positions: z.array(z.strictObject(positionShape)).min(1).max(500).optional(),
  sentAt: z.iso.datetime({ offset: true }).optional(),
})

/** Stores where the caller was; answers the records as they are kept, with what is doubtful about them. `notKept`: outside working time, or without consent. */
export async function track(ctx: Ctx, { positions, sentAt, ...single }: z.infer<typeof trackingInput>): Promise<Answer> {
  const given = (positions ?? [single]).map((one) => setTimeRight(one, sentAt))
  if (given.some(({ userId }) => userId && userId !== ctx.user.id))
    fail('FORBIDDEN', { fields: [{ field: 'userId', message: 'is not the signed-in user' }] })
  const stored = await recordPositions(ctx, given, { sentAt })
  return { data: { userTracking: positions ? stored : (stored[0] ?? null), stored: stored.length, notKept: given.length - stored.length } }
}

export const periodInput = z.strictObject({ from: dayOrTime, to: dayOrTime, id: idSchema })

/** Most rows of one answer: a fix each half minute for five days. */
const maxPositions = 15_000

/** The track of a user between two times, both days included when only days are given; oldest first, at most 15,000. */
export async function trackOf(ctx: Ctx, { from, to, id }: z.infer<typeof periodInput>): Promise<Answer> {
  await requireAgent(ctx, id)
  const rows = await ctx.sql.text(sql`
    select coalesce(json_agg(p order by p."deviceTime"), '[]')::text from (
      select "id" as "Id", "userId", "deviceTime", "serverTime", "latitude", "longitude", "accuracy", "speed", "battery", "source", "entityType", "entityId",
        coalesce("flags", '{}') as "flags"
      from user_position p where "companyId" = ${ctx.company.id}::uuid and "userId" = ${id}::uuid
        and "deviceTime" >= ${instant(ctx, from)} and "deviceTime" < ${instant(ctx, to, true)} and ${atWork(id, instant(ctx, from), instant(ctx, to, true))}
      order by "deviceTime" limit ${maxPositions}) p`)
  return { json: `{"success":true,"data":{"userTracking":${rows}}}` }
}

/** A day of the company's calendar as the moment it begins, or with `isEnd` the moment it is over; a time as it is. */
export function instant({ company }: Ctx, value: string, isEnd = false): Statement {
  if (value.length > 10) return sql`${value}::timestamptz`
  return sql`((${value}::date + ${isEnd ? 1 : 0}::int)::timestamp at time zone ${company.timeZone})`
}

/** Stops unless the caller may look at the work of this user: one's own always, others' with the history permission and in reach. */
export async function requireAgent(ctx: Ctx, userId: string, field = 'id'): Promise<{ Id: string; name: string }> {
  if (!mayLook(ctx, userId)) fail('FORBIDDEN', { fields: [{ field, message: 'is not you' }] })
  return (await findAgent(ctx, userId)) ?? fail('NOT_FOUND', { fields: [{ field, message: 'is nobody you can see' }] })
}

const mayLook = (ctx: Ctx, userId: string) => userId === ctx.user.id || holdsAny(ctx, 'SALES/AGENTS/HISTORY')

/** The user whose work the caller may look at; undefined when they may not, or the user is out of reach. */
export async function findAgent(ctx: Ctx, userId: string): Promise<{ Id: string; name: string } | undefined> {
  if (!mayLook(ctx, userId)) return undefined
  return ctx.sql.maybe<{ Id: string; name: string }>(sql`
    select u."id" as "Id", ${nameOf('u')} as name from app_user u
    where u."companyId" = ${ctx.company.id}::uuid and u."id" = ${userId}::uuid and ${userInReach(ctx, 'u')}`)
}
