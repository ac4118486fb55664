import { routeInput, timeDay, type PlanActivity, type PlanSettings, type PlanStop, type TimedDay } from '@outpost/rules/routes/route-build'
import { addDays, dayOf, timeAt } from '@outpost/rules/time-zone'
import { orderStops } from '@outpost/rules/routes/route-order'
import { defaultActivityTypes } from '@outpost/rules/people/company-defaults'
import { branchOf, iso, nameOf } from './leads.ts'
import { movesOfReport } from './moves.ts'
import type { DemoUser } from './people.ts'
import { createRandom, demoId, type Random } from './random.ts'
import type { DemoCompany } from './tree.ts'

export interface PlanRows {
  activities: object[]
  assignments: object[]
  plans: object[]
  agents: object[]
  stops: object[]
  positions: object[]
  moves: object[]
}

interface Making {
  company: DemoCompany
  random: Random
  now: number
  rows: PlanRows
  firstSeq: number
  settings: PlanSettings
}

const minute = 60_000
const places = ['Market', 'Bus stage', 'Clinic', 'School', 'Workshop', 'Bakery', 'Salon', 'Hardware shop', 'Kiosk', 'Petrol station']

/** Route plans of two officers: today's, with the day half done and the way driven so far, and the first days of next week. */
export function companyPlans({
  company,
  users,
  now,
  firstSeq,
}: {
  company: DemoCompany
  users: DemoUser[]
  now: number
  firstSeq: number
}): PlanRows {
  const rows: PlanRows = { activities: [], assignments: [], plans: [], agents: [], stops: [], positions: [], moves: [] }
  const officers = users.filter(({ role }) => role === 'officer').slice(0, 2)
  const [maker, first] = [users.find(({ role }) => role === 'branch'), officers[0]]
  if (!maker || !first) return rows
  const branch = branchOf(company, first)
  const settings: PlanSettings = {
    speed: 30,
    roadFactor: 1.3,
    longestDay: 9,
    dayStart: 480,
    dayEnd: 1_020,
    startLat: branch.lat,
    startLng: branch.lng,
    returnsToStart: false,
  }
  const making: Making = { company, random: createRandom(`plans ${company.key}`), now, rows, firstSeq, settings }
  const today = dayOf(now, company.timeZone)
  const monday = addDays(today, (8 - new Date(`${today}T00:00:00Z`).getUTCDay()) % 7 || 7)
  addPlan(making, { number: 1, name: 'Today’s round', days: [today], officers, maker, startLocation: branch.name })
  addPlan(making, {
    number: 2,
    name: 'Next week, both teams',
    days: [0, 1, 2].map((more) => addDays(monday, more)),
    officers,
    maker,
    startLocation: branch.name,
  })
  return rows
}

interface PlanMaking {
  number: number
  name: string
  days: string[]
  officers: DemoUser[]
  maker: DemoUser
  startLocation: string
}

function addPlan(making: Making, { number, name, days, officers, maker, startLocation }: PlanMaking): void {
  const { company, rows, settings, now } = making
  const planId = demoId(`plan ${company.key}`, number)
  const key = { companyId: maker.companyId, tenantId: maker.tenantIds[0] }
  const made = iso(Math.min(now, timeAt(days[0] as string, 0, company.timeZone)) - 1_000 * minute)
  rows.plans.push({
    ...key,
    ...settings,
    id: planId,
    name,
    startDate: days[0],
    endDate: days.at(-1),
    status: number === 1 ? 'IN PROGRESS' : 'PENDING',
    notes: null,
    startLocation,
    createdUserId: maker.id,
    createdBy: nameOf(maker),
    version: 1,
    dateCreated: made,
    dateModified: made,
    deletedAt: null,
  })
  rows.agents.push(...officers.map(({ id: userId }) => ({ ...key, planId, userId })))
  for (const officer of officers) {
    for (const day of days) addDay(making, { planId, planKey: key, officer, day })
  }
}

function addDay(
  making: Making,
  { planId, planKey, officer, day }: { planId: string; planKey: object; officer: DemoUser; day: string },
): void {
  const { company, settings, rows } = making
  const made = Array.from({ length: 7 }, (_, index) => newStop(making, { officer, day, number: rows.activities.length + index }))
  const order = orderStops(routeInput(settings, { day, stops: made }, company.timeZone)).map(({ id }) => id)
  const stops = made.toSorted((a, b) => order.indexOf(a.activity.id) - order.indexOf(b.activity.id))
  const timed = timeDay(settings, { userId: officer.id, day, stops }, company.timeZone)
  // Whenever the demo is started, the round is half done at most.
  const doneAt = Math.min(making.now, timeAt(day, 10 * 60 + 45, company.timeZone))
  for (const [position, { activity }] of stops.entries()) {
    const times = timed.timed.stops[position] as TimedDay['timed']['stops'][number]
    addActivity(making, { officer, activity, arrival: times.arrival, departure: times.departure, doneAt, index: position })
    rows.stops.push({
      ...planKey,
      id: demoId(`stop ${planId} ${activity.id}`),
      planId,
      activityId: activity.id,
      userId: officer.id,
      day,
      position,
      lock: null,
      keepsTime: false,
      plannedArrival: iso(times.arrival),
      plannedDeparture: iso(times.departure),
      metres: Math.round(times.metres),
      isLive: true,
      isActivityDeleted: false,
    })
  }
  // The other officers' tracks of today come with the agents' own demo data.
  if (officer.emailAddress.startsWith('officer@')) addTrack(making, { officer, day: timed, until: doneAt })
}

function newStop(
  { company, random }: Making,
  { officer, day, number }: { officer: DemoUser; day: string; number: number },
): { activity: PlanActivity; stop: PlanStop } {
  const { lat, lng } = branchOf(company, officer)
  const near = (degrees: number, spread: number) => Number((degrees + (random.next() - 0.5) * spread).toFixed(6))
  const id = demoId(`planned activity ${company.key}`, number)
  const length = random.pick([20, 30, 30, 45]) * minute
  return {
    activity: {
      id,
      name: `${random.pick(defaultActivityTypes).name}: ${random.pick(places)}`,
      lat: near(lat, 0.09),
      lng: near(lng, 0.12),
      start: 0,
      end: length,
    },
    stop: { activityId: id, userId: officer.id, day },
  }
}

interface Timed {
  officer: DemoUser
  activity: PlanActivity
  arrival: number
  departure: number
  doneAt: number
  index: number
}

function addActivity({ company, rows, firstSeq, now }: Making, { officer, activity, arrival, departure, doneAt, index }: Timed): void {
  const status = departure <= doneAt ? (index === 2 ? 'Missed' : 'Completed') : arrival <= doneAt ? 'In progress' : 'Pending'
  const key = { companyId: officer.companyId, tenantId: officer.tenantIds[0] }
  const late = (index % 3) * 4 * minute
  const changed = status === 'Pending' ? null : iso(Math.min(now, (status === 'In progress' ? arrival : departure) + late))
  const created = iso(Math.min(now, arrival) - 1_440 * minute)
  const statusId = demoId(`activity status ${company.key} ${status}`)
  const typeName = activity.name.split(':')[0]
  rows.activities.push({
    ...key,
    id: activity.id,
    name: activity.name,
    description: 'Planned on the branch’s route',
    activityTypeId: demoId(`activity type ${company.key} ${typeName}`),
    statusId,
    status: status.toUpperCase(),
    location: branchOf(company, officer).city,
    lat: activity.lat,
    lng: activity.lng,
    startDate: iso(arrival),
    endDate: iso(departure),
    createdUserId: officer.id,
    createdBy: nameOf(officer),
    syncSeq: firstSeq + rows.activities.length + 1,
    dateCreated: created,
    dateModified: changed ?? created,
  })
  rows.moves.push(
    ...visitLog({ officer, activity, arrival: Math.min(now, arrival + late), departure: Math.min(now, departure + late), status }),
  )
  rows.assignments.push({
    ...key,
    id: demoId(`planned assignment ${activity.id}`),
    activityId: activity.id,
    userId: officer.id,
    statusId,
    statusText: status,
    statusDateCreated: changed,
    dateCreated: created,
  })
}

/** What the officer reported: the start of a visit, and its end; each with the place. */
function visitLog({
  officer,
  activity,
  arrival,
  departure,
  status,
}: Pick<Timed, 'officer' | 'activity' | 'arrival' | 'departure'> & { status: string }): object[] {
  const entry = (from: string, to: string, meaning: string, at: number, seconds: number) => {
    const isThere = meaning !== 'missed'
    return movesOfReport({
      companyId: officer.companyId,
      tenantId: officer.tenantIds[0],
      activityId: activity.id,
      userId: officer.id,
      from,
      to,
      meaning,
      reason: null,
      durationSeconds: Math.round(seconds),
      latitude: isThere ? (activity.lat ?? 0) + 0.0001 : null,
      longitude: isThere ? (activity.lng ?? 0) - 0.0002 : null,
      distance: isThere ? 25 : null,
      isOutOfRange: false,
      dateCreated: iso(at),
    })
  }
  if (status === 'Pending') return []
  if (status === 'Missed') return entry('Pending', 'Missed', 'missed', departure, 3_600)
  const begun = entry('Pending', 'In progress', 'started', arrival, 3_600)
  return status === 'In progress'
    ? begun
    : [...begun, ...entry('In progress', 'Completed', 'done', departure, (departure - arrival) / 1000)]
}

/** A fix every two minutes along the way driven so far; at a stop the officer stays in place, and a missed stop is passed by. */
function addTrack({ rows, random, settings }: Making, { officer, day, until }: { officer: DemoUser; day: TimedDay; until: number }): void {
  let from = { lat: settings.startLat ?? 0, lng: settings.startLng ?? 0 }
  const drift = () => (random.next() - 0.5) * 0.0006
  for (const [index, { activity }] of day.stops.entries()) {
    const times = day.timed.stops[index] as TimedDay['timed']['stops'][number]
    const to =
      index === 2 ? { lat: (activity.lat ?? 0) + 0.012, lng: activity.lng ?? 0 } : { lat: activity.lat ?? 0, lng: activity.lng ?? 0 }
    const left = times.arrival - times.travel * 1000
    for (let at = left; at < Math.min(times.departure, until); at += 2 * minute) {
      const share = Math.min(1, (at - left) / Math.max(1, times.travel * 1000))
      rows.positions.push({
        companyId: officer.companyId,
        tenantId: officer.tenantIds[0],
        userId: officer.id,
        id: demoId(`fix ${officer.id} ${at}`),
        deviceTime: iso(at),
        serverTime: iso(at),
        accuracy: random.int(4, 25),
        speed: null,
        battery: 80,
        latitude: (from.lat + (to.lat - from.lat) * share + drift()).toFixed(6),
        longitude: (from.lng + (to.lng - from.lng) * share + drift()).toFixed(6),
        source: 'live',
        entityType: null,
        entityId: null,
        flags: null,
      })
    }
    from = to
  }
}
