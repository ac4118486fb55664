import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { tripRules, type TripRule } from '../motion/traccar/trips.ts'
import { writeAudit } from './crud/write.ts'
import { handler, type GeoCtx } from './types.ts'

const days = z.int().min(0).max(3_660).nullable()
const seconds = z.int().min(0).max(86_400)
/** Traccar's report.trip.* settings, by its names and in its units: metres and seconds. */
const tripSettings = z
  .strictObject({
    minimalTripDistance: z.number().min(0).max(100_000),
    minimalTripDuration: seconds,
    minimalParkingDuration: seconds,
    minimalNoDataDuration: seconds,
    useIgnition: z.boolean(),
    ignoreOdometer: z.boolean(),
    minDistance: z.number().min(1).max(100_000),
    minDuration: z.int().min(1).max(3_600),
    stopGap: seconds,
  })
  .partial()
const changes = z
  .strictObject({
    version: z.int(),
    /** Retention in days, of positions and of trips, visits and events. Null uses the installation's setting; 0 keeps them for ever. */
    keepDays: days,
    keepTripDays: days,
    tripRule: z.enum(tripRules),
    tripSettings,
  })
  .partial()

/** The company's own settings; keepDays null uses the installation's setting. */
export interface CompanySettings {
  keepDays: number | null
  keepTripDays: number | null
  tripRule: TripRule
  tripSettings: z.infer<typeof tripSettings>
  version: number
}

/** The effective settings of the caller's company. */
export async function readSettings({ caller }: Pick<GeoCtx, 'caller'>, reader: Sql): Promise<CompanySettings> {
  const row = await reader.maybe<CompanySettings>(
    sql`select "keepDays", "keepTripDays", "tripRule", "tripSettings", "version" from geo.company_setting where "companyId" = ${caller.company}`,
  )
  return row ?? { keepDays: null, keepTripDays: null, tripRule: 'arrival', tripSettings: {}, version: 0 }
}

export const getSettings = handler(z.strictObject({}), async (ctx) => ({ data: { settings: await readSettings(ctx, ctx.sql) } }))

/** Updates the given settings. They apply to the whole company, so the caller's reach must be the whole company. */
export const updateSettings = handler(changes, async (ctx, { version, ...given }) => {
  if (ctx.caller.scope !== '*') fail('CONFLICT', { message: 'These settings hold for the whole company: choose the company first.' })
  return ctx.transaction(async (db) => {
    await takeTurn(db, `geo settings ${ctx.caller.company}`)
    const before = await readSettings(ctx, db)
    if (version !== undefined && version !== before.version) fail('CONFLICT', { details: { version: before.version } })
    const after: CompanySettings = { ...before, ...given, version: before.version + 1 }
    assertTripRetention(after)
    await db.exec(sql`
      insert into geo.company_setting ("companyId", "keepDays", "keepTripDays", "tripRule", "tripSettings", "version")
      values (${ctx.caller.company}, ${after.keepDays}, ${after.keepTripDays}, ${after.tripRule}, ${JSON.stringify(after.tripSettings)}::jsonb, ${after.version})
      on conflict ("companyId") do update set "keepDays" = excluded."keepDays", "keepTripDays" = excluded."keepTripDays", "tripRule" = excluded."tripRule",
        "tripSettings" = excluded."tripSettings", "version" = excluded."version", "dateModified" = now()`)
    await writeAudit(ctx, db, { act: 'update', objectType: 'settings', objectId: ctx.caller.company, before, after })
    return { data: { settings: after } }
  })
})

/** Trips may not expire before the positions they are made from. */
function assertTripRetention({ keepDays, keepTripDays }: CompanySettings): void {
  if (keepTripDays && keepDays !== null && (keepDays === 0 || keepTripDays < keepDays))
    fail('INVALID', { fields: [{ field: 'keepTripDays', message: 'must not be shorter than keepDays' }] })
}
