import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { catchUpFences } from '../fences/catch-up.ts'
import { indexFences, type Fence } from '../fences/fence-index.ts'
import { shapeOfRow, type ShapeRow } from '../fences/row.ts'
import { phaseOf } from '../fences/fence-state.ts'
import { longSilence, type TrackPoint } from '../fences/track.ts'
import type { Transition } from '../fences/transition.ts'
import type { DeviceFences } from '../fences/watch.ts'
import { indexAt } from '../motion/point.ts'
import { placesAlong, type Doubt } from '../motion/quality.ts'
import { eventOfTransition } from '../rules/event.ts'
import { eventFromTransition, type EventChanges } from './changes.ts'
import { moment, piecesOf, readPoints } from './points.ts'
import type { DeviceMemory } from './memory.ts'
import type { DeviceRef, Subject } from './subject.ts'

type FenceMemory = Pick<DeviceMemory, 'now' | 'snapshots'>
type FenceRow = ShapeRow & {
  id: string
  since: number
  speedLimit: number | null
  enterDelay: number
  exitDelay: number
  attributes: Record<string, unknown>
}

const day = 86_400_000

/** A fence that a device is linked to; km/h. */
export interface LinkedFence extends Fence {
  speedLimit: number | null
}

/**
 * `after`: the state at fences may differ from the former one from this time on. `knownFrom`: per fence, before this time nothing is
 * known: its first position since the fence was drawn or linked, where that is later than `after`.
 */
export interface ProcessedFences {
  stored: FenceMemory
  changes: EventChanges
  after: number
  knownFrom: ReadonlyMap<string, number>
}

/** Processes a device's positions at its linked fences; returns the event changes and the state to store. */
export async function processFences(
  db: Sql,
  subject: Subject,
  { stored, fences }: { stored: FenceMemory; fences: readonly LinkedFence[] },
): Promise<ProcessedFences> {
  if (fences.length === 0 && Object.keys(stored.now.fences).length === 0)
    return { stored, changes: { insert: [], correct: [], retract: [] }, after: Infinity, knownFrom: new Map() }
  const linked = new Set(fences.map(({ id }) => id))
  // The time before a fence was drawn or linked does not count.
  const earliest = Math.min(subject.from, ...fences.map(({ since }) => since)) - day
  const knownFrom = new Map<string, number>()
  const states: DeviceFences[] = [stored.now, ...stored.snapshots]
  const {
    stored: next,
    changes,
    after: since,
  } = await catchUpFences({
    stored,
    since: subject.from,
    watching: { index: indexFences(fences), isLinked: (id) => linked.has(id) },
    async *readPlaces(after) {
      const last = states.find((state) => state.last?.time === after)?.last ?? null
      let doubt: Doubt = { known: last && { ...last, ignition: null }, doubted: null }
      for await (const piece of piecesOf(db, subject, { from: last ? after + 1 : earliest, to: subject.newest })) {
        const { places, ...next } = placesAlong(await readPoints(db, subject, piece), doubt, subject.settings)
        doubt = next
        for (const { id, since } of fences)
          if (since > after && !knownFrom.has(id) && (places.at(-1)?.time ?? -Infinity) >= since)
            knownFrom.set(id, places[indexAt(places, since)]!.time)
        yield places.map((place): TrackPoint => ({ ...place, hdop: place.hdop ?? null }))
      }
    },
    readStored: (after) => storedTransitions(db, subject, after),
  })
  await writeStates(db, subject, next.now)
  const times = [...changes.insert, ...changes.retract, ...changes.correct.flatMap(({ from, to }) => [from, to])].map(({ at }) => at)
  for (const { id, since: linkedAt } of fences) if (linkedAt > since && !knownFrom.has(id)) knownFrom.set(id, Infinity)
  return {
    stored: next,
    knownFrom,
    after: times.reduce((least, time) => Math.min(least, time - 1), since),
    changes: {
      insert: changes.insert.map(eventFromTransition),
      retract: changes.retract.map(eventOfTransition),
      correct: changes.correct.map(({ from, to }) => ({ from: eventOfTransition(from), to: eventFromTransition(to) })),
    },
  }
}

/** The fences linked to a device; deleted or disabled ones are excluded. */
export async function linkedFences(db: Sql, { companyId, deviceId }: DeviceRef): Promise<LinkedFence[]> {
  const rows = await db.query<FenceRow>(sql`
    select g."id", g."type", g."shape", g."area", g."radius", g."enterDelay", g."exitDelay", g."speedLimit", g."attributes", (extract(epoch from k."dateCreated") * 1000)::float8 as "since"
    from geo.geofence_link k join geo.geofence g on g."companyId" = k."companyId" and g."id" = k."geofenceId"
    where k."companyId" = ${companyId} and k."deviceId" = ${deviceId} and g."deletedAt" is null and g."isActive"`)
  return rows.map(({ id, since, speedLimit, enterDelay, exitDelay, attributes, ...row }) => ({
    id,
    since,
    speedLimit,
    shape: shapeOfRow(row),
    settings: { enterDelay, exitDelay, dwells: dwellsOf(attributes), wantsCrossed: attributes.wantsCrossed === true },
  }))
}

/** Attribute `dwellMinutes` of a fence: "30" or "30,120". */
function dwellsOf({ dwellMinutes }: Record<string, unknown>): number[] {
  return String(dwellMinutes ?? '')
    .split(',')
    .map(Number)
    .filter((minutes) => minutes > 0 && Number.isFinite(minutes))
    .map((minutes) => minutes * 60)
}

async function storedTransitions(db: Sql, { companyId, deviceId }: DeviceRef, after: number): Promise<Transition[]> {
  const rows = await db.query<{ origin: Transition }>(sql`
    select "origin" from geo.event where "companyId" = ${companyId} and "deviceId" = ${deviceId} and "originTime" > ${moment(after)}::timestamptz
      and "origin" is not null and not "isSuperseded" order by "originTime"`)
  return rows.map(({ origin }) => origin)
}

async function writeStates(db: Sql, { companyId, deviceId }: DeviceRef, { last, fences }: DeviceFences): Promise<void> {
  const asOf = last?.time ?? 0
  const rows = Object.entries(fences).map(([geofenceId, state]) => ({
    geofenceId,
    state: phaseOf(state),
    since: state.isInside ? new Date(state.since) : null,
  }))
  await db.exec(
    sql`delete from geo.fence_state where "companyId" = ${companyId} and "deviceId" = ${deviceId} and "geofenceId" <> all(${rows.map((row) => row.geofenceId)}::uuid[])`,
  )
  await db.exec(sql`
    insert into geo.fence_state ("companyId", "deviceId", "geofenceId", "state", "since", "asOf", "isStale")
    select ${companyId}, ${deviceId}, r."geofenceId", r."state", r."since", ${moment(asOf)}::timestamptz, ${Date.now() - asOf > longSilence}::boolean
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r("geofenceId" uuid, "state" text, "since" timestamptz)
    on conflict ("companyId", "deviceId", "geofenceId") do update set "state" = excluded."state", "since" = excluded."since", "asOf" = excluded."asOf", "isStale" = excluded."isStale"`)
}
