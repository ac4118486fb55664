import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { readRecord } from './crud/read.ts'
import { readAssets } from './device-asset.ts'
import { timeText } from '../sql/fields.ts'
import { id } from './input.ts'
import { readEngineHours, readOdometer } from './readings/read.ts'
import { device } from './resources/device.ts'
import { handler } from './types.ts'

/** Returns a device with its last ten commands in any state, its connection quality, odometer, engine hours and asset history. */
export const getDevice = handler(z.strictObject({ id }), async (ctx, input) => {
  const { sql: reader, caller } = ctx
  const record = await readRecord(ctx, device, input.id)
  const own = { companyId: caller.company, deviceId: input.id }
  const [commands, health, odometer, engineHours, assets] = await Promise.all([
    reader.query(sql`
      select "id", "type", "state", "parameters", "purpose", "reason", "answer", "attempts", "createdUserId", "approvedUserId",
        ${timeText(sql`"expiresAt"`)} as "expiresAt", ${timeText(sql`"dateCreated"`)} as "dateCreated", ${timeText(sql`"sentAt"`)} as "sentAt", ${timeText(sql`"endedAt"`)} as "endedAt"
      from geo.command where "companyId" = ${caller.company} and "deviceId" = ${input.id} order by "id" desc limit 10`),
    reader.maybe(sql`
      select "frames", "fixes", "refused", "bad", "logins", "conflicts", "buffered", "clockSkewMs", ${timeText(sql`"lastFrameAt"`)} as "lastFrameAt", ${timeText(sql`"lastFixAt"`)} as "lastFixAt"
      from geo.device_health where "companyId" = ${caller.company} and "deviceId" = ${input.id}`),
    readOdometer(reader, own),
    readEngineHours(reader, own),
    readAssets(reader, own),
  ])
  return { data: { [device.one]: { ...record, commands, health: health ?? null, odometer, engineHours, assets } } }
})
