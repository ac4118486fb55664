import { readIn, transactionIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import type { Log } from '@outpost/platform/log'
import type { DbContext, Sql } from '@outpost/platform/types'
import { deleteReplaced, insertRows, selectBefore, selectNewest, selectPoints, selectStops, type Tracked } from './motion.sql.ts'
import type { Point } from './point.ts'
import { rebuild, type Before, type Dirty, type MotionStore } from './rebuild.ts'
import type { Span, Stop } from './rows.ts'
import { settingsOf, type MotionSettings } from './settings.ts'

export interface KeeperOptions {
  pools: GeoPools
  log: Log
  /** A device is reckoned again at most this often. */
  everyMs?: number
}

const atOnce = 100
/** What came in longer than this at once is taken in pieces: nobody holds a year of fixes in memory. */
const piece = 14 * 86_400_000

/**
 * Keeps trips, stops, engine sessions and episodes as the messages have it: takes the stretches that messages made
 * dirty and reckons them again, one transaction a device. Several processes may run it; a word left while one reckons
 * stays for the next round.
 */
export function startMotion({ pools, log, everyMs = 5_000 }: KeeperOptions): { stop(): Promise<void> } {
  let isRunning = true
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  const run = async () => {
    const done = await keepMotion(pools, { everyMs, log }).catch((error: unknown) => (log.warn({ err: error }, 'trips wait'), 0))
    if (isRunning) timer = setTimeout(() => { round = run() }, done < atOnce ? 1_000 : 0)
  }
  round = run()
  return {
    async stop() {
      isRunning = false
      clearTimeout(timer)
      await round
    },
  }
}

/** One round; returns how many devices were reckoned. */
export async function keepMotion(pools: GeoPools, { everyMs, log }: { everyMs: number, log: Log }): Promise<number> {
  const waiting = await dirtyDevices(pools.ingest, everyMs)
  let done = 0
  for (const device of waiting) {
    // One device that cannot be reckoned must not hold up the others.
    const isDone = await keepDevice(pools.geo, device).catch((error: unknown) => (log.error({ err: error, deviceId: device.deviceId }, 'trips of a device wait'), false))
    if (isDone) done += 1
  }
  return done
}

async function dirtyDevices(pool: GeoPools['ingest'], everyMs: number): Promise<Tracked[]> {
  const { rows } = await pool.query<Tracked>({
    name: 'motion dirty', values: [everyMs, atOnce],
    text: `select "companyId", "deviceId" from geo.dirty where "dateCreated" <= now() - make_interval(secs => $1::float8 / 1000) order by "dateCreated" limit $2`,
  })
  return rows
}

const contextOf = ({ companyId }: Tracked): DbContext => ({ company: companyId, scope: '*', user: null, tenant: null })

/** Reckons one device; false when another process does, or nothing is left to do. */
export async function keepDevice(pool: GeoPools['geo'], device: Tracked): Promise<boolean> {
  return transactionIn(pool, contextOf(device), async db => {
    const { isMine } = await db.one<{ isMine: boolean }>(sql`select pg_try_advisory_xact_lock(hashtextextended(${`motion ${device.deviceId}`}, 0)) as "isMine"`)
    const word = isMine ? await wordOf(db, device) : undefined
    if (!word) return false
    const newest = Math.max(word.to, (await db.maybe<{ time: number | null }>(selectNewest(device)))?.time ?? 0)
    for (const { dirty, until } of piecesOf(word, newest)) await keepPiece(db, device, { dirty, until, settings: settingsOf(word.attributes) })
    // What came in meanwhile has raised the version: its word stays.
    await db.exec(sql`delete from geo.dirty where "companyId" = ${device.companyId} and "deviceId" = ${device.deviceId} and "version" = ${word.version}`)
    return true
  })
}

interface Word extends Dirty { version: number, attributes: Record<string, unknown> }

const wordOf = (db: Sql, { companyId, deviceId }: Tracked) => db.maybe<Word>(sql`
  select (extract(epoch from d."since") * 1000)::float8 as "from", (extract(epoch from d."until") * 1000)::float8 as "to", d."version", v."attributes"
  from geo.dirty d join geo.device v on v."companyId" = d."companyId" and v."id" = d."deviceId" where d."companyId" = ${companyId} and d."deviceId" = ${deviceId}`)

/** A long stretch becomes a row of short ones up to the newest message, each as if nothing had come after it yet. */
export function piecesOf({ from, to }: Dirty, newest: number): { dirty: Dirty, until: number }[] {
  if (to - from <= piece) return [{ dirty: { from, to }, until: newest }]
  const pieces = []
  for (let start = from; start <= newest; start += piece) {
    const end = Math.min(start + piece - 1, newest)
    pieces.push({ dirty: { from: start, to: end }, until: end })
  }
  return pieces
}

async function keepPiece(db: Sql, device: Tracked, { dirty, until, settings }: { dirty: Dirty, until: number, settings: MotionSettings }): Promise<void> {
  const replacement = await rebuild(dirty, storeOf(db, device, until), settings)
  // In this order, but without waiting for each answer.
  await Promise.all([...deleteReplaced(device, replacement), ...insertRows(device, replacement.rows)].map(statement => db.exec(statement)))
}

function storeOf(db: Sql, device: Tracked, newest: number): MotionStore {
  return {
    newest,
    before: async time => {
      const { stop, ...spans } = await db.one<Before>(selectBefore(device, time))
      return { stop, sessions: spanOf(spans.sessions), idles: spanOf(spans.idles), overspeeds: spanOf(spans.overspeeds) }
    },
    points: async ({ from, to }) => (await db.query<Told>(selectPoints(device, { from, to: Math.min(to, newest) }))).map(pointOf),
    stops: async range => (await db.query<{ stop: Stop }>(selectStops(device, range))).map(({ stop }) => stop),
  }
}

/** JSON has no infinity: Postgres gives it as text. */
const spanOf = (span: Span | null): Span | null => span && { ...span, endTime: Number(span.endTime) }

type Told = Record<keyof Point, unknown>
const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null)
const truth = (value: unknown) => (typeof value === 'boolean' ? value : null)

function pointOf(row: Told): Point {
  return {
    time: Number(row.time), latitude: number(row.latitude), longitude: number(row.longitude), isValid: row.isValid === true, speed: number(row.speed), accuracy: number(row.accuracy),
    satellites: number(row.satellites), hdop: number(row.hdop), ignition: truth(row.ignition), motion: truth(row.motion), voltage: number(row.voltage),
    odometer: number(row.odometer), fuelUsed: number(row.fuelUsed), fuel: number(row.fuel), fuelLevel: number(row.fuelLevel),
  }
}

/** The messages of a trip in order, for its days, its page and what-if cuts. */
export async function pointsOf(pool: GeoPools['geo'], device: Tracked, range: { from: number, to: number }): Promise<Point[]> {
  return (await readIn<Told>(pool, contextOf(device), selectPoints(device, range))).map(pointOf)
}
