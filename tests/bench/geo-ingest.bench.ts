import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../support/port.ts'
import { percentile, rounded, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { companyId } from './support/rows.ts'
import { dial, makePackets, sendPacket } from './support/trackers.ts'

const trackers = 200
const size = 10
const start = Math.trunc(Date.now() / 86_400_000) * 86_400_000 - 7 * 86_400_000
/** TEST_SIZE=nightly: five minutes. */
const sustainedSeconds = process.env.TEST_SIZE === 'nightly' ? 300 : 60
const sustainedTrackers = 600
const idle = Number(process.env.BENCH_SESSIONS ?? 10_000)
const imeiOf = (n: number) => `37${String(n).padStart(13, '0')}`

/** Trackers over real sockets: how many positions are taken and kept, how long an answer takes, what they weigh, what idle lines cost. */
export const bench: Bench = {
  name: 'geo-ingest',
  leads: 0,
  run: async (house) => {
    const port = await freePort()
    await house.admin.query(
      `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") select $1, $1, '37' || lpad(n::text, 13, '0'), 'Tracker ' || n from generate_series(0, $2::int) n on conflict do nothing`,
      [companyId, idle + trackers + sustainedTrackers],
    )
    await fenceIn(house)
    const geo = await house.startGeo({ DEVICE_PORTS: `teltonika:${port}`, DEVICE_HOST: '127.0.0.1', DEVICES_PER_ADDRESS: '20000' })
    try {
      const sockets = await Promise.all(Array.from({ length: trackers }, (_, n) => dial(port, imeiOf(n))))
      const figures = [...(await flood(house, sockets)), ...(await steady(sockets)), await weight(house)]
      for (const socket of sockets) socket.destroy()
      return [...figures, ...(await sustain(geo.pid, port)), await lines(geo.pid, port)]
    } finally {
      await geo.stop()
    }
  },
}

/** Each tracker sends its next packet when the one before is acknowledged: as fast as the service takes them. */
async function flood(house: House, sockets: readonly Socket[]): Promise<Figure[]> {
  const packets = sockets.map(() => makePackets({ start, packets: 120, size }))
  const begin = performance.now()
  const times = (
    await Promise.all(
      sockets.map(async (socket, n) => {
        const own: number[] = []
        for (const packet of packets[n] ?? []) own.push(await sendPacket(socket, packet))
        return own
      }),
    )
  ).flat()
  const seconds = (performance.now() - begin) / 1_000
  const sent = times.length * size
  const {
    rows: [stored],
  } = await house.admin.query<{ n: string }>(
    `select count(*) as n from geo.position p join geo.device d on d."companyId" = p."companyId" and d."id" = p."deviceId" where p."companyId" = $1 and d."uniqueId" = any($2)`,
    [companyId, sockets.map((_, index) => imeiOf(index))],
  )
  if (Number(stored?.n) !== sent) throw new Error(`${sent} positions were acknowledged, ${stored?.n} are there`)
  const detail = `${sent} positions in ${rounded(seconds)} s from ${trackers} trackers; frame to answer p50 ${rounded(percentile(times, 0.5))}, p99 ${rounded(percentile(times, 0.99))} ms`
  return [{ name: 'durable ingest over TCP', value: Math.round(sent / seconds), unit: 'positions/s', target: '>= 5000', detail }]
}

/** A thousand positions a second, evenly, for ten seconds. */
async function steady(sockets: readonly Socket[]): Promise<Figure[]> {
  const packets = sockets.map(() => makePackets({ start: start + 86_400_000, packets: 10, size: 5 }))
  const times = (
    await Promise.all(
      sockets.map(async (socket, n) => {
        await wait((n * 1_000) / sockets.length)
        const own: number[] = []
        const begin = performance.now()
        for (const [index, packet] of (packets[n] ?? []).entries()) {
          await wait(Math.max(0, begin + index * 1_000 - performance.now()))
          own.push(await sendPacket(socket, packet))
        }
        return own
      }),
    )
  ).flat()
  return [
    {
      name: 'frame to answer at 1,000 positions/s, p50',
      value: rounded(percentile(times, 0.5)),
      unit: 'ms',
      target: '<= 150',
      detail: `${times.length} packets of 5`,
    },
    { name: 'frame to answer at 1,000 positions/s, p99', value: rounded(percentile(times, 0.99)), unit: 'ms', target: '<= 500' },
  ]
}

/** Six thousand a second, evenly, with fences and all that is processed of them meanwhile. */
async function sustain(pid: number, port: number): Promise<Figure[]> {
  const sockets = await Promise.all(Array.from({ length: sustainedTrackers }, (_, n) => dial(port, imeiOf(trackers + idle + n))))
  const own = sockets.map(() => makePackets({ start, packets: sustainedSeconds, size }))
  const begin = performance.now()
  const times = (
    await Promise.all(
      sockets.map(async (socket, n) => {
        const answers: number[] = []
        for (const [second, packet] of (own[n] ?? []).entries()) {
          await wait(Math.max(0, begin + (second + n / sustainedTrackers) * 1_000 - performance.now()))
          answers.push(await sendPacket(socket, packet))
        }
        return answers
      }),
    )
  ).flat()
  const seconds = (performance.now() - begin) / 1_000
  const memory = Math.round((await memoryOf(pid)) / 1024)
  for (const socket of sockets) socket.destroy()
  const detail = `${times.length * size} positions of ${sustainedTrackers} trackers in ${rounded(seconds)} s, fences and trips processed beside it; frame to answer p50 ${rounded(percentile(times, 0.5))}, p99 ${rounded(percentile(times, 0.99))} ms; ${memory} MB`
  return [
    {
      name: `durable ingest, sustained ${sustainedSeconds} s`,
      value: Math.round((times.length * size) / seconds),
      unit: 'positions/s',
      target: '>= 5000',
      detail,
    },
  ]
}

/** Fifty circles on the way, linked to every tracker that moves. */
async function fenceIn({ admin }: House): Promise<void> {
  const moving = [
    ...Array.from({ length: trackers }, (_, n) => imeiOf(n)),
    ...Array.from({ length: sustainedTrackers }, (_, n) => imeiOf(trackers + idle + n)),
  ]
  await admin.query(
    `insert into geo.geofence ("companyId", "tenantId", "type", "shape", "name", "area", "radius")
    select $1, $1, 'geofence', 'circle', 'Bench ' || n, json_build_object('type', 'Point', 'coordinates', json_build_array(36.82 + n * 0.001, -1.28 + n * 0.001)), 60 from generate_series(1, 50) n`,
    [companyId],
  )
  await admin.query(
    `insert into geo.geofence_link ("companyId", "deviceId", "geofenceId") select d."companyId", d."id", f."id" from geo.device d join geo.geofence f on f."companyId" = d."companyId"
    where d."companyId" = $1 and d."uniqueId" = any($2) and f."name" like 'Bench %'`,
    [companyId, moving],
  )
}

/** As they lie when a week has ended and was packed, beside what they weigh on the day they came. */
async function weight({ admin }: House): Promise<Figure> {
  const fresh = await weighed(admin)
  for (const week of (
    await admin.query<{ index: string }>(
      `select i.inhrelid::regclass::text as "index" from pg_inherits i where i.inhparent = 'geo.position_pkey'::regclass`,
    )
  ).rows)
    await admin.query(`reindex index ${week.index}`)
  const packed = await weighed(admin)
  return {
    name: 'bytes of a position, index included',
    value: packed.all,
    unit: 'B',
    target: '<= 200',
    detail: `${packed.row} B of it the row, with seven attributes; ${fresh.all} B until its week is packed`,
  }
}

async function weighed(admin: House['admin']): Promise<{ all: number; row: number }> {
  const {
    rows: [row],
  } = await admin.query<{
    bytes: string
    table: string
    n: string
  }>(`select sum(pg_total_relation_size(i.inhrelid)) as bytes, sum(pg_relation_size(i.inhrelid)) as "table", (select count(*) from geo.position) as n
    from pg_inherits i where i.inhparent = 'geo.position'::regclass`)
  const [bytes, table, n] = [Number(row?.bytes), Number(row?.table), Number(row?.n)]
  return { all: Math.round(bytes / n), row: Math.round(table / n) }
}

/** Lines of trackers that say nothing. */
async function lines(pid: number, port: number): Promise<Figure> {
  const before = await memoryOf(pid)
  const sockets: Socket[] = []
  for (let first = 0; first < idle; first += 200) {
    sockets.push(
      ...(await Promise.all(Array.from({ length: Math.min(200, idle - first) }, (_, n) => dial(port, imeiOf(trackers + first + n))))),
    )
  }
  await wait(2_000)
  const after = await memoryOf(pid)
  for (const socket of sockets) socket.destroy()
  return {
    name: `memory with ${idle} idle trackers`,
    value: Math.round(after / 1024),
    unit: 'MB',
    target: '<= 1500',
    detail: `${rounded((after - before) / idle)} KB a line; ${Math.round(before / 1024)} MB without`,
  }
}

/** Resident memory of a process in KB. */
async function memoryOf(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
}
