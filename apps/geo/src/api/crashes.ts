import { crashStatuses } from '@outpost/contract/geo/rows'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { timeText } from '../sql/fields.ts'
import { writeAudit } from './crud/write.ts'
import { lockDevice } from './devices.ts'
import { id } from './input.ts'
import { handler } from './types.ts'

const input = z.strictObject({
  deviceId: id,
  /** Epoch milliseconds, as the crash report names it. */
  time: z.coerce.number().int(),
  status: z.enum(crashStatuses),
  note: z.string().trim().max(2_000).nullable().default(null),
})

/** Writes down what a person made of a crash; a later verdict replaces an earlier one, and the audit keeps both. */
export const reviewCrash = handler(input, (ctx, { deviceId, time, status, note }) =>
  ctx.transaction(async (db) => {
    const { companyId } = await lockDevice(ctx, db, deviceId)
    const at = new Date(time)
    const own = sql`"companyId" = ${companyId} and "deviceId" = ${deviceId} and "time" = ${at}`
    const before = await db.maybe<{ status: string; note: string | null }>(sql`select "status", "note" from geo.crash_review where ${own}`)
    await db.exec(sql`
      insert into geo.crash_review ("companyId", "deviceId", "time", "status", "note", "reviewedBy") values (${companyId}, ${deviceId}, ${at}, ${status}, ${note}, ${ctx.caller.user})
      on conflict ("companyId", "deviceId", "time") do update set "status" = excluded."status", "note" = excluded."note", "reviewedBy" = excluded."reviewedBy", "reviewedAt" = now()`)
    const crash = await db.one(sql`
      select "deviceId", ${timeText(sql`"time"`)} as "time", "status", "note", "reviewedBy", ${timeText(sql`"reviewedAt"`)} as "reviewedAt" from geo.crash_review where ${own}`)
    await writeAudit(ctx, db, {
      act: 'reviewCrash',
      objectType: 'geoDevice',
      objectId: deviceId,
      ...(before ? { before: { crash: { ...before, time: at } } } : {}),
      after: { crash },
    })
    return { data: { crash } }
  }),
)
