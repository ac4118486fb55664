import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { notify } from '../../../kernel/realtime/notify.ts'
import { recordSchema } from '../../../kernel/resource/answers.ts'
import { createRecord, getRecord, updateRecord } from '../../../kernel/resource/records.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import { userInReach } from '../../../kernel/session/reach.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { workNews } from '../agent.news.ts'
import { companyPhone } from './company-phone.resource.ts'

const words = z.string().trim().min(1, 'is required').max(300)
export const markInput = z.strictObject({ id: idSchema, reason: words })
export const endInput = z.strictObject({ id: idSchema, endReason: words })
export const phoneAnswer = () => z.strictObject({ companyPhone: recordSchema(companyPhone, 'detail') })

interface Carried {
  deviceId: string
  userId: string
  name: string
  kind: 'Tracker' | 'Work device'
}

/** Marks a device of the geo service as the company's; NOT_FOUND where nobody in reach carries it. */
export const markTracker = (ctx: Ctx, { id, reason }: z.infer<typeof markInput>): Promise<Answer> =>
  mark(ctx, reason, () =>
    ctx.sql.maybe<Carried>(sql`select ${id}::uuid as "deviceId", "userId", "name", 'Tracker' as "kind" from ctx.own_phone(${id}::uuid)`),
  )

/** The same for a work device, by the id of its row. */
export const markWorkDevice = (ctx: Ctx, { id, reason }: z.infer<typeof markInput>): Promise<Answer> =>
  mark(ctx, reason, () =>
    ctx.sql.maybe<Carried>(sql`
      select "deviceId", "userId", 'Work device ' || left("deviceId"::text, 8) as "name", 'Work device' as "kind" from sync_device
      where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`),
  )

async function mark(ctx: Ctx, reason: string, find: () => Promise<Carried | undefined>): Promise<Answer> {
  const phone = await find()
  const person =
    phone &&
    (await ctx.sql.maybe<{ tenantId: string }>(sql`
      select u."tenantId" from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = ${phone.userId}::uuid and ${userInReach(ctx, 'u')} for update`))
  if (!phone || !person) return fail('NOT_FOUND', { fields: [{ field: 'id', message: 'is no phone that somebody you can see carries' }] })
  const { deviceId, userId } = phone
  const marked = await ctx.sql.maybe(sql`
    select from company_phone where "companyId" = ${ctx.company.id}::uuid and "deviceId" = ${deviceId}::uuid and "userId" = ${userId}::uuid and "endedAt" is null`)
  if (marked) return fail('CONFLICT', { message: 'This phone is marked as the company’s already.' })
  const made = await createRecord(ctx, companyPhone, { reason }, { ...phone, tenantId: person.tenantId })
  await notify(ctx, {
    userId,
    itemType: 'Activity',
    kind: workNews,
    message: `${phone.name} belongs to ${ctx.company.name}: it is followed in working time. Why: ${reason}`,
    link: '/profile',
  })
  return { data: { companyPhone: made }, message: 'Marked. Who carries it was told.' }
}

/** Ends a mark: from then on the consent of who carries the phone decides alone. */
export async function endMark(ctx: Ctx, { id, endReason }: z.infer<typeof endInput>): Promise<Answer> {
  await getRecord(ctx, companyPhone, id)
  const { userId } = await ctx.sql.one<{ userId: string }>(
    sql`select "userId" from company_phone where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for update`,
  )
  const ended = await updateRecord(ctx, companyPhone, id, { endReason })
  await notify(ctx, {
    userId,
    itemType: 'Activity',
    kind: workNews,
    message: `${String(ended.name)} is followed by your consent alone from now on. Why: ${endReason}`,
    link: '/profile',
  })
  return { data: { companyPhone: ended }, message: 'Ended. Who carries it was told.' }
}
