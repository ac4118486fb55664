import { transactionIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { momentsOf } from '../rules/schedule.ts'
import { appliesTo, fencesOf, settleMs, scheduledRules, type ScheduledRule } from './checks.ts'

/** Older times mark nothing as dirty; they are checked with the device's next position. */
const lookBack = 15 * 60_000

interface Link {
  deviceId: string
  geofenceId: string
  timeZone: string
}
interface Due {
  deviceId: string
  time: number
}

/** Marks devices as dirty once the time of a scheduled rule has passed, also stationary and silent ones. Returns their number. */
export function createSchedules(pools: GeoPools): { pass(now?: number): Promise<number> } {
  let after: number | null = null
  return {
    async pass(now = Date.now()) {
      const span = { after: after ?? now - lookBack, upTo: now - settleMs }
      const { rows } = await pools.ingest.query<{ companyId: string }>(
        `select distinct "companyId" from geo.event_io where "schedule" is not null and "isActive" and "deletedAt" is null`,
      )
      let count = 0
      for (const { companyId } of rows) {
        count += await transactionIn(pools.geo, { company: companyId, scope: '*', user: null, tenant: null }, async (db) =>
          markDirty(db, companyId, await dueDevices(db, companyId, span)),
        )
      }
      after = span.upTo
      return count
    },
  }
}

async function dueDevices(db: Sql, companyId: string, { after, upTo }: { after: number; upTo: number }): Promise<Due[]> {
  const rules = await scheduledRules(db, companyId, null)
  const moments = new Map<string, number | null>()
  const firstOf = ({ id, schedule, since, type }: ScheduledRule, timeZone: string) => {
    const key = `${id} ${timeZone}`
    if (!moments.has(key))
      moments.set(
        key,
        momentsOf(
          { id, fenceId: '', expects: type === 'geofenceNotInside' ? 'inside' : 'outside', ...schedule },
          { after: Math.max(after, since), upTo, timeZone },
        )[0] ?? null,
      )
    return moments.get(key)!
  }
  const links = rules.length === 0 ? [] : await linksOf(db, companyId, [...new Set(rules.flatMap(fencesOf))])
  return rules.flatMap((rule) => {
    const ids = new Set(fencesOf(rule))
    return links
      .filter(({ geofenceId, deviceId }) => ids.has(geofenceId) && appliesTo(rule, deviceId))
      .flatMap(({ deviceId, timeZone }) => {
        const time = firstOf(rule, timeZone)
        return time === null ? [] : [{ deviceId, time }]
      })
  })
}

function linksOf(db: Sql, companyId: string, fenceIds: readonly string[]): Promise<Link[]> {
  return db.query<Link>(sql`
    select k."deviceId", k."geofenceId", coalesce((select z."timeZone" from public.tenant z where z."companyId" = t."companyId" and z."id" = any(t."path") and z."timeZone" is not null
      order by array_position(t."path", z."id") desc limit 1), 'UTC') as "timeZone"
    from geo.geofence_link k join geo.device d on d."companyId" = k."companyId" and d."id" = k."deviceId" and d."deletedAt" is null
    join public.tenant t on t."companyId" = d."companyId" and t."id" = d."tenantId"
    where k."companyId" = ${companyId} and k."geofenceId" = any(${fenceIds}::uuid[])`)
}

async function markDirty(db: Sql, companyId: string, due: readonly Due[]): Promise<number> {
  const first = new Map<string, number>()
  for (const { deviceId, time } of due) first.set(deviceId, Math.min(time, first.get(deviceId) ?? Infinity))
  const list = [...first].toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (list.length === 0) return 0
  await db.exec(sql`
    insert into geo.dirty ("companyId", "deviceId", "since", "until") select ${companyId}, t.d, to_timestamp(t.at / 1000.0), to_timestamp(t.at / 1000.0)
    from unnest(${list.map(([deviceId]) => deviceId)}::uuid[], ${list.map(([, time]) => time)}::float8[]) t(d, at)
    on conflict ("companyId", "deviceId") do update set "since" = least(dirty."since", excluded."since"), "until" = greatest(dirty."until", excluded."until"), "version" = dirty."version" + 1`)
  return list.length
}
