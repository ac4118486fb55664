import { empty, escapeLike, every, sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { timeText } from '../sql/fields.ts'
import { orderOf, pageStatement } from './crud/read.ts'
import { id, listShape, searchText } from './input.ts'
import { handler } from './types.ts'

const states = ['asked', 'queued', 'sent', 'acked', 'done', 'failed', 'expired', 'cancelled'] as const
const commas = (text: string) => text.split(',').map((part) => part.trim())

const personOf = (column: 'createdUserId' | 'approvedUserId') =>
  sql`(select u."firstName" || ' ' || u."lastName" from public.app_user u where u."companyId" = c."companyId" and u."id" = ${
    column === 'createdUserId' ? sql`c."createdUserId"` : sql`c."approvedUserId"`
  })`

const fields = {
  id: sql`c."id"`,
  deviceId: sql`c."deviceId"`,
  device: sql`d."name"`,
  type: sql`c."type"`,
  parameters: sql`c."parameters"`,
  /** An open command whose time is over reads so before anybody has noted it. */
  state: sql`case when c."state" in ('asked', 'queued') and c."expiresAt" <= now() then 'expired' else c."state" end`,
  purpose: sql`c."purpose"`,
  reason: sql`c."reason"`,
  answer: sql`c."answer"`,
  attempts: sql`c."attempts"`,
  createdUserId: sql`c."createdUserId"`,
  approvedUserId: sql`c."approvedUserId"`,
  createdBy: personOf('createdUserId'),
  approvedBy: personOf('approvedUserId'),
  expiresAt: timeText(sql`c."expiresAt"`),
  dateCreated: timeText(sql`c."dateCreated"`),
  sentAt: timeText(sql`c."sentAt"`),
  endedAt: timeText(sql`c."endedAt"`),
}
const order = {
  fields: { ...fields, dateCreated: sql`c."dateCreated"` },
  sorts: ['dateCreated', 'device', 'type', 'state'],
  sort: ['dateCreated', 'DESC'] as const,
}

const input = z.strictObject({
  ...listShape,
  deviceId: id.optional(),
  /** One state, or several separated by commas. */
  state: z
    .string()
    .transform(commas)
    .pipe(z.array(z.enum(states)).min(1))
    .optional(),
})

/** What was sent to devices of the caller's reach, newest first, with what became of it. */
export const listSentCommands = handler(input, async (ctx, { deviceId, state, ...given }) => {
  const text = searchText(given)
  const where = every([
    sql`c."companyId" = ${ctx.caller.company}`,
    ...(deviceId ? [sql`c."deviceId" = ${deviceId}`] : []),
    ...(state ? [sql`(${fields.state}) = any(${state})`] : []),
    ...(text === undefined
      ? []
      : [sql`upper(concat_ws(' ', d."name", d."uniqueId", c."type", c."purpose")) like ${`%${escapeLike(text.toUpperCase())}%`}`]),
  ])
  const from = sql`geo.command c join geo.device d on d."companyId" = c."companyId" and d."id" = c."deviceId"`
  return {
    json: await ctx.sql.text(
      pageStatement({ many: 'sentCommands', input: given, fields, from, joins: empty, where, order: orderOf(order, given, sql`c."id"`) }),
    ),
  }
})
