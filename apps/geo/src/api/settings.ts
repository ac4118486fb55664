import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { tripRules, type TripRule } from '../motion/traccar/trips.ts'
import { writeAudit } from './crud/write.ts'
import { handler, type GeoCtx } from './types.ts'

const days = z.int().min(0).max(3_660).nullable()
const seconds = z.int().min(0).max(86_400)
/** Traccar's report.trip.* settings, by its names and in its units: metres and seconds. */
const tripSettings = z.strictObject({
  minimalTripDistance: z.number().min(0).max(100_000), minimalTripDuration: seconds, minimalParkingDuration: seconds, minimalNoDataDuration: seconds,
  useIgnition: z.boolean(), ignoreOdometer: z.boolean(), minDistance: z.number().min(1).max(100_000), minDuration: z.int().min(1).max(3_600), stopGap: seconds,
}).partial()
const changes = z.strictObject({
  version: z.int(),
  /** Days that positions are kept, and trips, visits and events: null as the installation has it, 0 for ever. */
  keepDays: days, keepTripDays: days,
  tripRule: z.enum(tripRules), tripSettings,
}).partial()

/** What a company has chosen for itself; keepDays null: as the installation has it. */
export interface CompanySettings { keepDays: number | null, keepTripDays: number | null, tripRule: TripRule, tripSettings: z.infer<typeof tripSettings>, version: number }

/** What holds for the caller's company. */
export async function readSettings({ caller }: Pick<GeoCtx, 'caller'>, reader: Sql): Promise<CompanySettings> {
  const row = await reader.maybe<CompanySettings>(sql`select "keepDays", "keepTripDays", "tripRule", "tripSettings", "version" from geo.company_setting where "companyId" = ${caller.company}`)
  return row ?? { keepDays: null, keepTripDays: null, tripRule: 'arrival', tripSettings: {}, version: 0 }
}

export const getSettings = handler(z.strictObject({}), async (ctx) => ({ data: { settings: await readSettings(ctx, ctx.sql) } }))

/** Changes what is named. It holds for the whole company, so only who works in the whole of it may. */
export const updateSettings = handler(changes, async (ctx, { version, ...given }) => {
  if (ctx.caller.scope !== '*') fail('CONFLICT', { message: 'These settings hold for the whole company: choose the company first.' })
  return ctx.transaction(async (db) => {
    await db.query(sql`select pg_advisory_xact_lock(hashtextextended(${`geo settings ${ctx.caller.company}`}, 0))`)
    const before = await readSettings(ctx, db)
    if (version !== undefined && version !== before.version) fail('CONFLICT', { details: { version: before.version } })
    const after: CompanySettings = { ...before, ...given, version: before.version + 1 }
    refuseShorterTrips(after)
    await db.exec(sql`
      insert into geo.company_setting ("companyId", "keepDays", "keepTripDays", "tripRule", "tripSettings", "version")
      values (${ctx.caller.company}, ${after.keepDays}, ${after.keepTripDays}, ${after.tripRule}, ${JSON.stringify(after.tripSettings)}::jsonb, ${after.version})
      on conflict ("companyId") do update set "keepDays" = excluded."keepDays", "keepTripDays" = excluded."keepTripDays", "tripRule" = excluded."tripRule",
        "tripSettings" = excluded."tripSettings", "version" = excluded."version", "dateModified" = now()`)
    await writeAudit(ctx, db, { act: 'update', objectType: 'settings', objectId: ctx.caller.company, before, after })
    return { data: { settings: after } }
  })
})

/** Trips are made from positions: those of days whose positions are there must not be missing. */
function refuseShorterTrips({ keepDays, keepTripDays }: CompanySettings): void {
  if (keepTripDays && keepDays !== null && (keepDays === 0 || keepTripDays < keepDays)) fail('INVALID', { fields: [{ field: 'keepTripDays', message: 'must not be shorter than keepDays' }] })
}
