import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { eventNames } from '../live/event-rows.ts'
import type { GeoEvent } from '../rules/event.ts'
import { matchRules, type LastNotified } from '../rules/match.ts'
import { ruleInput, type Rule } from '../rules/rule.ts'
import { selection } from '../sql/fields.ts'
import { fields } from './events/list.ts'
import { handler, type GeoCtx } from './types.ts'

const days = 7
const maxEvents = 5_000
const maxExamples = 20
const { type, ...rest } = ruleInput.shape
/** A rule as its form holds it, saved or not; what does not shape matching is ignored. */
const input = z.looseObject({ ...rest, eventType: type })

interface Happened {
  id: string
  deviceId: string
  type: GeoEvent['type']
  time: number
  key: string
  latitude: number | null
  longitude: number | null
  speed: number | null
  geofenceId: string | null
  attributes: GeoEvent['attributes']
  timeZone: string | null
  inside: string[]
}

/**
 * Counts how often a rule would have matched in the last seven days, with its cooldown: over the events that were stored, whatever rules
 * there were. Only devices in the caller's reach count. Scheduled types leave no events without a rule, so they have none.
 */
export const previewRule = handler(input, async (ctx, { eventType, conditions, severity, cooldownSeconds, calendar, schedule }) => {
  const rule: Rule = { id: 'preview', type: eventType, conditions, severity, cooldownSeconds, calendar }
  const happened = schedule ? [] : await eventsOf(ctx, eventType)
  const rung: Happened[] = []
  let told: LastNotified = {}
  for (const one of happened) {
    const context = { deviceId: one.deviceId, insideFences: one.inside, timeZone: one.timeZone ?? ctx.caller.timeZone, now: one.time }
    const found = matchRules(one, [rule], { context, told })
    told = found.told
    if (found.matches.some(({ silence }) => silence === null)) rung.push(one)
  }
  const newest = rung.slice(-maxExamples).map(({ id }) => id)
  const examples = await ctx.sql.query(sql`
    select ${selection(fields)} from geo.event e ${eventNames} where e."companyId" = ${ctx.caller.company} and e."id" = any(${newest}::uuid[]) order by e."eventTime" desc, e."id"`)
  return {
    data: {
      days,
      events: happened.length,
      rings: rung.length,
      devices: new Set(rung.map(({ deviceId }) => deviceId)).size,
      isCut: happened.length === maxEvents,
      examples,
    },
  }
})

/** Stored events of a type in their order, the newest 5,000, each with the fences that its device was in. */
async function eventsOf({ sql: reader, caller, now }: GeoCtx, eventType: string): Promise<Happened[]> {
  const since = new Date(now() - days * 86_400_000)
  const rows = await reader.query<Happened>(sql`
    select e."id", e."deviceId", e."type", (extract(epoch from e."eventTime") * 1000)::float8 as "time", e."key", e."latitude", e."longitude", e."speed", e."geofenceId", e."attributes", b."timeZone",
      array(select v."geofenceId"::text from geo.visit v where v."companyId" = e."companyId" and v."deviceId" = e."deviceId" and v."enterTime" <= e."eventTime"
        and (v."exitTime" is null or v."exitTime" > e."eventTime")) as "inside"
    from geo.event e join geo.device d on d."companyId" = e."companyId" and d."id" = e."deviceId"
      join public.tenant b on b."companyId" = d."companyId" and b."id" = d."tenantId"
    where e."companyId" = ${caller.company} and e."type" = ${eventType} and e."eventTime" >= ${since} and not e."isSuperseded"
    order by e."eventTime" desc, e."id" limit ${maxEvents}`)
  return rows.toReversed()
}
