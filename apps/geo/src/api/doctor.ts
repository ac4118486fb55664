import { identifier, sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { findingsOf, type Condition } from '../doctor/findings.ts'
import { reportingFigures, type ReportingFigures } from '../doctor/reporting.ts'
import { readRecord } from './crud/read.ts'
import { selection } from '../sql/fields.ts'
import { timeText } from '../sql/fields.ts'
import { id } from './input.ts'
import { historyFields } from './positions/fields.ts'
import { device } from './resources/device.ts'
import { handler, type GeoCtx } from './types.ts'

type Health = Omit<Condition, 'now' | 'lastDay'> & { fixes: number; buffered: number; lastRemote: string | null }

/** Returns a device's connection quality, findings, last positions as read and last unreadable frames. */
export const examineDevice = handler(z.strictObject({ id }), async (ctx, input) => {
  const { name, uniqueId, protocol } = await readRecord(ctx, device, input.id)
  const [health, lastDay, badFrames, positions] = await Promise.all([
    readHealth(ctx, input.id),
    readLastDay(ctx, input.id),
    readBadFrames(ctx, input.id),
    readNewest(ctx, input.id),
  ])
  const findings = findingsOf({ ...health, lastDay, now: ctx.now() })
  return {
    data: {
      deviceDoctor: { deviceId: input.id, name, uniqueId, protocol, ...wireHealth(health), lastDay, findings, badFrames, positions },
    },
  }
})

function wireHealth({ lastFrameAt, lastFixAt, lastConflictAt, days, ...health }: Health) {
  const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())
  return {
    ...health,
    lastFrameAt: iso(lastFrameAt),
    lastFixAt: iso(lastFixAt),
    lastConflictAt: iso(lastConflictAt),
    reconnectsPerDay: Math.round((health.logins / Math.max(1, days)) * 10) / 10,
  }
}

/** A time column of alias h as epoch milliseconds. */
const epoch = (name: string) => sql`(extract(epoch from h.${identifier(name)}) * 1000)::bigint`
/** A count column of alias h; 0 for a device that never sent anything. */
const count = (name: string) => sql`coalesce(h.${identifier(name)}, 0) as ${identifier(name)}`

function readHealth({ sql: reader, caller }: GeoCtx, deviceId: string): Promise<Health> {
  return reader.one<Health>(sql`
    select d."status", d."disabled" as "isDisabled", extract(epoch from now() - d."dateCreated")::float8 / 86400 as "days",
      ${epoch('lastFrameAt')} as "lastFrameAt", ${epoch('lastFixAt')} as "lastFixAt", ${epoch('lastConflictAt')} as "lastConflictAt",
      ${count('frames')}, ${count('fixes')}, ${count('refused')}, ${count('logins')}, ${count('conflicts')}, ${count('buffered')},
      coalesce(h."bad", '{}') as "bad", h."clockSkewMs", h."lastRemote"
    from geo.device d left join geo.device_health h on h."companyId" = d."companyId" and h."deviceId" = d."id"
    where d."companyId" = ${caller.company} and d."id" = ${deviceId}`)
}

/** Reads the figures of the last 24 hours' positions. */
async function readLastDay({ sql: reader, caller }: GeoCtx, deviceId: string): Promise<Condition['lastDay']> {
  const { reported, ...figures } = await reader.one<ReportingFigures>(
    reportingFigures(sql`
    t."companyId" = ${caller.company} and t."deviceId" = ${deviceId} and t."fixTime" > now() - interval '1 day' and t."fixTime" <= now()`),
  )
  // Coverage is capped at 1: a few extra reports do not make up for missing ones elsewhere.
  return { ...figures, coverage: reported === null ? null : Math.min(1, reported) }
}

const maxShown = 50

function readBadFrames({ sql: reader, caller }: GeoCtx, deviceId: string): Promise<object[]> {
  return reader.query(sql`
    select "id", "protocol", "reason", "detail", "remote", encode("bytes", 'hex') as "hex", ${timeText(sql`"dateCreated"`)} as "dateCreated"
    from geo.quarantine where "companyId" = ${caller.company} and "deviceId" = ${deviceId} order by "id" desc limit ${maxShown}`)
}

function readNewest({ sql: reader, caller }: GeoCtx, deviceId: string): Promise<object[]> {
  return reader.query(sql`select ${selection(historyFields)} from geo.position p
    where p."companyId" = ${caller.company} and p."deviceId" = ${deviceId} order by p."fixTime" desc limit ${maxShown}`)
}
