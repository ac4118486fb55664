import { sql } from '@outpost/platform/db/sql'
import { reportingFigures } from '../doctor/reporting.ts'
import type { GeoCtx } from '../api/types.ts'
import { devicesOf, beganIn, ofSubjects, ofSubjectsAt, type ReportParameters, type Device } from './parameters.ts'
import { dateTime, duration, id, number, percent, summed, text, type GeoReport, type Row } from './report.ts'

const columns = [
  text('device', 'Device'),
  id('deviceId', 'Device id'),
  text('status', 'Status'),
  dateTime('firstFix', 'First message'),
  dateTime('lastFix', 'Last message'),
  summed(number('messages', 'Messages')),
  summed(number('km', 'Distance', 'km')),
  summed(duration('moving', 'Moving')),
  summed(duration('engine', 'Engine on')),
  number('daysActive', 'Days active'),
  percent('coverage', 'Coverage'),
  percent('buffered', 'Came late'),
  duration('interval', 'Usual interval'),
  text('protocol', 'Protocol'),
  text('model', 'Model'),
  text('firmware', 'Firmware'),
]

const report = (isShown: (row: Row) => boolean): GeoReport => ({
  columns,
  async *rows(ctx, asked) {
    // One device at a time: its messages are stored together, and no statement grows with the fleet.
    for (const device of await devicesOf(ctx, asked)) {
      const row = await usageOf(ctx, asked, device)
      if (isShown(row)) yield row
    }
  },
})

/** Devices that sent something in the window, and their share of the reports that their own interval predicts. */
export const active = report(({ messages }) => Number(messages) > 0)

/** The same for all devices, including silent ones. */
export const deviceUsage = report(() => true)

async function usageOf(ctx: GeoCtx, asked: ReportParameters, { id: deviceId, name, status }: Device): Promise<Row> {
  const one = { ...asked, deviceIds: [deviceId] }
  const messages = sql`${ofSubjectsAt(one, sql`t."fixTime"`)} and ${beganIn(one, 'fixTime')}`
  const [figures, ingestServices] = await Promise.all([
    ctx.sql.one(
      reportingFigures(
        messages,
        sql`min(point."fixTime") as "firstFix", max(point."fixTime") as "lastFix", count(distinct (point."fixTime" at time zone ${asked.timeZone})::date)::int as "daysActive"`,
      ),
    ),
    ctx.sql.one(sql`
      select d."protocol", d."model", l."state" ->> 'versionFw' as "firmware",
        (select coalesce(round((sum(t."metres") / 1000)::numeric, 3)::float8, 0) from geo.trip t where ${ofSubjects(one)} and ${beganIn(one)}) as "km",
        (select coalesce(sum(t."movingSeconds")::int, 0) from geo.trip t where ${ofSubjects(one)} and ${beganIn(one)}) as "moving",
        (select coalesce(sum(t."seconds")::int, 0) from geo.engine_session t where ${ofSubjects(one)} and ${beganIn(one)}) as "engine"
      from geo.device d left join geo.latest l on l."companyId" = d."companyId" and l."deviceId" = d."id" where d."companyId" = ${asked.company} and d."id" = ${deviceId}`),
  ])
  const { positions, lateShare, intervalSeconds, reported, firstFix, lastFix, daysActive } = figures
  const coverage = typeof reported === 'number' ? Math.min(1, reported) : null
  return {
    device: name,
    deviceId,
    status,
    messages: positions,
    firstFix,
    lastFix,
    daysActive,
    coverage,
    buffered: lateShare,
    interval: intervalSeconds,
    ...ingestServices,
  }
}
