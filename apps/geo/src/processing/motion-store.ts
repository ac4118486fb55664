import { sql } from '@outpost/platform/db/sql'
import type { Sql, Statement } from '@outpost/platform/types'
import type { MotionStore } from '../motion/rebuild.ts'
import type { Span, Stop } from '../motion/rows.ts'
import { moment, readPoints } from './points.ts'
import type { Subject } from './subject.ts'

/** The data source of a device's rebuild, from the database. */
export function motionStore(db: Sql, subject: Subject): MotionStore {
  const own = sql`"companyId" = ${subject.companyId} and "deviceId" = ${subject.deviceId}`
  const memory = async <Row>(statement: Statement) => (await db.maybe<{ memory: Row }>(statement))?.memory ?? null
  const episode = (kind: string, time: number) =>
    memory<Span>(
      sql`select "memory" from geo.episode where ${own} and "kind" = ${kind} and "startTime" < ${moment(time)}::timestamptz order by "startTime" desc limit 1`,
    )
  return {
    newest: subject.newest,
    before: async (time) => ({
      stop: await memory<Stop>(
        sql`select "memory" from geo.stop where ${own} and "startTime" < ${moment(time)}::timestamptz and "certainTime" < ${moment(time)}::timestamptz order by "startTime" desc limit 1`,
      ),
      sessions: await memory<Span>(
        sql`select "memory" from geo.engine_session where ${own} and "startTime" < ${moment(time)}::timestamptz order by "startTime" desc limit 1`,
      ),
      idles: await episode('idle', time),
      overspeeds: await episode('overspeed', time),
    }),
    next: async (time) =>
      (
        await db.one<{ next: Date }>(
          sql`select min("fixTime") as "next" from geo.position where ${own} and "fixTime" > ${moment(time)}::timestamptz`,
        )
      ).next.getTime(),
    points: (range) => readPoints(db, subject, range),
    // Stops do not overlap, so among those that began before the range only the last can end in it.
    stops: async ({ from, to }) => {
      const rows = await db.query<{ memory: Stop }>(sql`
        select "memory" from geo.stop where ${own} and "lastTime" between ${moment(from)}::timestamptz and ${moment(to)}::timestamptz
          and "startTime" >= coalesce((select max("startTime") from geo.stop where ${own} and "startTime" <= ${moment(from)}::timestamptz), '-infinity') order by "startTime"`)
      return rows.map((row) => row.memory)
    },
  }
}
