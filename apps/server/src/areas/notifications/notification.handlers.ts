import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { identifierSchema } from '@outpost/contract/input'
import { takeTurn } from '@outpost/platform/db/turn'
import { idSchema } from '../../kernel/resource/schema.ts'
import { hashSecret } from '../../kernel/session/tokens/opaque.ts'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { vapidKeys } from './push.keys.ts'
import { subscriptionOf } from './push.sender.ts'

const maxShown = 200
const told = {
  Id: identifierSchema,
  itemType: z.string(),
  itemId: z.string().nullable(),
  message: z.string(),
  link: z.string().nullable(),
  dateCreated: z.iso.datetime(),
}
export const unreadAnswer = z.strictObject({ notifications: z.array(z.strictObject(told)), count: z.int() })
export const historyAnswer = z.strictObject({ notifications: z.array(z.strictObject({ ...told, readAt: z.iso.datetime().nullable() })) })
/** How many were marked. */
export const readAnswer = z.strictObject({ read: z.int() })

/** The caller's unread notifications in the company worked in, newest first; 200 at most, data.count counts them all. */
export async function unread(ctx: Ctx): Promise<Answer> {
  const mine = sql`"companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid and "readAt" is null`
  const [notifications, { count }] = await Promise.all([
    ctx.sql.query(
      sql`select "id" as "Id", "itemType", "itemId", "message", "link", "dateCreated" from notification where ${mine} order by "dateCreated" desc, "id" desc limit ${maxShown}`,
    ),
    ctx.sql.one<{ count: number }>(sql`select count(*)::int as count from notification where ${mine}`),
  ])
  return { data: { notifications, count } }
}

export const historyInput = z.strictObject({
  page: z.coerce.number().int().min(1).max(10_000).default(1),
  size: z.coerce.number().int().min(1).max(200).default(50),
  state: z.enum(['all', 'unread', 'read']).default('all'),
})

/** The caller's notifications in the company worked in, newest first: data.notifications with `readAt`, page by page. */
export async function history(ctx: Ctx, { page, size, state }: z.infer<typeof historyInput>): Promise<Answer> {
  const wanted = { all: sql`true`, unread: sql`"readAt" is null`, read: sql`"readAt" is not null` }[state]
  const mine = sql`"companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid and ${wanted}`
  const [notifications, { total }] = await Promise.all([
    ctx.sql.query(sql`select "id" as "Id", "itemType", "itemId", "message", "link", "dateCreated", "readAt" from notification where ${mine}
      order by "dateCreated" desc, "id" desc limit ${size} offset ${(page - 1) * size}`),
    ctx.sql.one<{ total: number }>(sql`select count(*)::int as total from notification where ${mine}`),
  ])
  return { data: { notifications }, meta: { page, size, total } }
}

/** Marks all of them as read. Somebody who acts in another's name leaves that person's list alone. */
export async function markAllRead(ctx: Ctx): Promise<Answer> {
  const read = await ctx.sql.exec(sql`
    update notification set "readAt" = now() where "companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid and "readAt" is null`)
  return { data: { read } }
}

export const readInput = z.strictObject({ ids: z.array(idSchema).min(1).max(500) })

/** Marks the named ones as read; those of others and those read before are left alone. */
export async function markRead(ctx: Ctx, { ids }: z.infer<typeof readInput>): Promise<Answer> {
  const read = await ctx.sql.exec(sql`
    update notification set "readAt" = now()
    where "companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid and "readAt" is null and "id" = any(${ids}::uuid[])`)
  return { data: { read } }
}

export const deviceInput = z.strictObject({
  token: z
    .string()
    .trim()
    .min(10)
    .max(4_096)
    .refine((token) => subscriptionOf(token) !== undefined, { message: 'is no subscription of a public push service' }),
})
export const keyAnswer = z.strictObject({ publicKey: z.string() })

/**
 * Lets push messages for the caller go to this device. A token is one phone or browser: whoever had it before gets
 * nothing there any more, in any company. It goes with the session, see the trigger end_push.
 */
export async function registerPush({ user, sessionId }: Ctx, { token }: z.infer<typeof deviceInput>): Promise<Answer> {
  const tokenHash = hashSecret(token)
  await session().store.write(null, async (db) => {
    // Two people on one phone within a moment: the second waits, then takes it over.
    await takeTurn(db, tokenHash.toString('hex'))
    await db.exec(
      sql`delete from push_device where "tokenHash" = ${tokenHash} and ("companyId", "userId") <> (${user.companyId}::uuid, ${user.id}::uuid)`,
    )
    await db.exec(sql`
      insert into push_device ("companyId", "id", "userId", "tokenHash", "token", "sessionId")
      values (${user.companyId}::uuid, gen_random_uuid(), ${user.id}::uuid, ${tokenHash}, ${token}, ${sessionId}::uuid)
      on conflict ("companyId", "tokenHash") do update set "sessionId" = excluded."sessionId", "lastSeenAt" = now()`)
  })
  return { data: {}, message: 'This device receives notifications now.' }
}

/** The key that a browser subscribes with: only messages signed with its other half are shown. */
export async function pushKey(): Promise<Answer> {
  return { data: { publicKey: vapidKeys(session().secrets[0]).publicKey } }
}

/** This device receives nothing any more; one of somebody else is left alone. */
export async function endPush({ user }: Ctx, { token }: z.infer<typeof deviceInput>): Promise<Answer> {
  const tokenHash = hashSecret(token)
  await session().store.write(null, (db) =>
    db.exec(
      sql`delete from push_device where "companyId" = ${user.companyId}::uuid and "userId" = ${user.id}::uuid and "tokenHash" = ${tokenHash}`,
    ),
  )
  return { data: {}, message: 'This device receives no notifications any more.' }
}
