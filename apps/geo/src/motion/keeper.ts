import { setTimeout as wait } from 'node:timers/promises'
import { readerIn, transactionIn } from '@outpost/platform/db/context'
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
/** For each millisecond of reckoning so many are left to the ways in, which have no time to wait. */
const rest = 2
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
    const done = await keepMotion(pools, { everyMs, log, mayGoOn: () => isRunning }).catch((error: unknown) => (log.warn({ err: error }, 'trips wait'), 0))
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

interface Round { everyMs: number, log: Log, mayGoOn?: () => boolean }

/** One round; returns how many devices were reckoned. */
export async function keepMotion(pools: GeoPools, { everyMs, log, mayGoOn = () => true }: Round): Promise<number> {
  const waiting = await dirtyDevices(pools.ingest, everyMs)
  let done = 0
  for (const device of waiting) {
    if (!mayGoOn()) break
    const begun = performance.now()
    // One device that cannot be reckoned must not hold up the others.
    const isDone = await keepDevice(pools.geo, device).catch((error: unknown) => (log.error({ err: error, deviceId: device.deviceId }, 'trips of a device wait'), false))
    if (isDone) done += 1
    await wait(rest * (performance.now() - begun))
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
    points: async ({ from, to }) => pointsFrom(await db.text(selectPoints(device, { from, to: Math.min(to, newest) }))),
    stops: async range => (await db.query<{ stop: Stop }>(selectStops(device, range))).map(({ stop }) => stop),
  }
}

/** JSON has no infinity: Postgres gives it as text. */
const spanOf = (span: Span | null): Span | null => span && { ...span, endTime: Number(span.endTime) }

/** The columns of selectPoints. */
type Told = readonly unknown[]
const pointsFrom = (text: string): Point[] => (JSON.parse(text) as Told[]).map(pointOf)
const number = (value: unknown) => (typeof value === 'number' ? value : null)
const truth = (value: unknown) => (typeof value === 'boolean' ? value : null)

function pointOf([time, latitude, longitude, isValid, speed, accuracy, satellites, hdop, ignition, motion, voltage, odometer, fuelUsed, fuel, fuelLevel]: Told): Point {
  return {
    time: Number(time), latitude: number(latitude), longitude: number(longitude), isValid: isValid === true, speed: number(speed),
    // Zero is what devices say that do not know.
    accuracy: number(accuracy) || null, satellites: number(satellites), hdop: number(hdop), ignition: truth(ignition), motion: truth(motion), voltage: number(voltage),
    odometer: number(odometer), fuelUsed: number(fuelUsed), fuel: number(fuel), fuelLevel: number(fuelLevel),
  }
}

/** The messages of a trip in order, for its days, its page and what-if cuts. */
export async function pointsOf(pool: GeoPools['geo'], device: Tracked, range: { from: number, to: number }): Promise<Point[]> {
  return pointsFrom(await readerIn(pool, contextOf(device)).text(selectPoints(device, range)))
}
