import { metresBetween } from '@outpost/rules/places/distance'
import { checkPosition, type TrackPoint } from '@outpost/rules/places/integrity'
import { branchOf, iso } from './leads.ts'
import type { DemoUser } from './people.ts'
import { createRandom, demoId, type Random } from './random.ts'
import type { DemoCompany } from './tree.ts'

const minute = 60_000
const day = 24 * 60 * minute

export interface AgentRows {
  actions: object[]
  positions: object[]
}

/**
 * Where loan officers were: yesterday and today, a fix each few minutes of the working day, with what real devices send
 * too: an old fix, a jump that cannot be true. The officer whose login is published has not started today.
 */
export function companyAgents({ company, users, now }: { company: DemoCompany; users: DemoUser[]; now: number }): AgentRows {
  const officers = users.filter(({ role }) => role === 'officer')
  const rows: AgentRows = { actions: [], positions: [] }
  for (const [index, officer] of officers.entries()) {
    // The traces hold the starts and ends of days gone by; today's are made here.
    for (const back of [1, 0])
      if (back === 1 || !officer.emailAddress.startsWith('officer@')) addDay(rows, { company, officer, index, back, now })
  }
  return rows
}

interface Making {
  company: DemoCompany
  officer: DemoUser
  index: number
  back: number
  now: number
}

function addDay(rows: AgentRows, { company, officer, index, back, now }: Making): void {
  const random = createRandom(`track ${officer.id} ${back}`)
  const ahead = { KE: 3, ZA: 2, ZM: 2 }[company.country]
  const morning = now - (now % day) - back * day + (7 - ahead) * 60 * minute + random.int(20, 80) * minute
  // Today's work goes on whenever Outpost is started, so that there is always somebody on the map.
  const end = back === 0 ? now - random.int(2, 10) * minute : morning + 9 * 60 * minute
  const start = back === 0 ? Math.min(Math.max(morning, end - 9 * 60 * minute), end - 2 * 60 * minute) : morning
  const key = { companyId: officer.companyId, tenantId: officer.tenantIds[0] }
  const track = walk(random, { from: branchOf(company, officer), start, end })
  // Every seventh device lost its receiver an hour and a half ago; every fifth jumped once.
  if (back === 0 && index % 7 === 3) track.push(...lastOld(track, now))
  if (index % 5 === 2) track.splice(Math.floor(track.length / 2), 0, ...jump(track))
  const [first] = track
  if (back === 0 && first) {
    rows.actions.push({
      ...key,
      id: demoId(`today ${officer.id}`),
      performedByUserId: officer.id,
      action: 1,
      latitude: first.latitude,
      longitude: first.longitude,
      accuracy: first.accuracy,
      deviceTime: iso(start),
      source: 'live',
      dateCreated: iso(start),
    })
  }
  // The first two officers drive today's route plan, whose seed knows their way.
  if (back === 0 && index < 2) return
  rows.positions.push(
    ...track.map((point, at) => {
      const flags = checkPosition({ point, earlier: track.slice(Math.max(0, at - 10), at) })
      return {
        ...key,
        userId: officer.id,
        id: demoId(`position ${officer.id} ${back}`, at),
        deviceTime: iso(point.at),
        serverTime: iso(point.at + 2_000),
        latitude: point.latitude,
        longitude: point.longitude,
        accuracy: point.accuracy,
        battery: Math.max(8, 97 - Math.round((point.at - start) / (7 * minute))),
        source: point.source,
        flags: flags.length > 0 ? flags : null,
      }
    }),
  )
}

/** From place to place at town speed, with stays of half an hour, in which a device stores nothing. */
function walk(random: Random, { from, start, end }: { from: { lat: number; lng: number }; start: number; end: number }): TrackPoint[] {
  const track: TrackPoint[] = []
  const near = (degrees: number) => degrees + (random.next() - 0.5) * 0.12
  let here = { latitude: near(from.lat), longitude: near(from.lng) }
  let at = start
  while (at < end) {
    const goal = { latitude: near(from.lat), longitude: near(from.lng) }
    const steps = Math.max(2, Math.ceil(metresBetween(here, goal) / 1_500))
    for (let step = 1; step <= steps && at < end; step += 1) {
      const share = step / steps
      const along = (a: number, b: number) => Number((a + (b - a) * share + (random.next() - 0.5) * 0.002).toFixed(6))
      track.push({
        latitude: along(here.latitude, goal.latitude),
        longitude: along(here.longitude, goal.longitude),
        accuracy: random.int(4, 25),
        source: 'live',
        at,
      })
      at += random.int(3, 5) * minute
    }
    here = goal
    at += random.int(20, 45) * minute
  }
  return track
}

function lastOld(track: readonly TrackPoint[], now: number): TrackPoint[] {
  const last = track.findLast(({ at }) => at < now - 90 * minute)
  if (!last) return []
  return [{ ...last, accuracy: 9_999, source: 'cached_old', at: now - 3 * minute }]
}

function jump(track: readonly TrackPoint[]): TrackPoint[] {
  const last = track[Math.floor(track.length / 2) - 1]
  return last ? [{ ...last, latitude: Number((last.latitude + 2.4).toFixed(6)), at: last.at + minute }] : []
}
