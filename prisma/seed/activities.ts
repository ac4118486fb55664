import { defaultActivityStatuses, defaultActivityTypes } from '@outpost/rules/people/company-defaults'
import { branchOf, iso, nameOf, type LeadsOf } from './leads.ts'
import { movesOfReport } from './moves.ts'
import type { DemoUser } from './people.ts'
import { createRandom, demoId, type Random } from './random.ts'
import type { DemoCompany } from './tree.ts'

const hour = 3_600_000
const day = 24 * hour

export interface ActivityRows {
  types: object[]
  statuses: object[]
  series: object[]
  activities: object[]
  assignments: object[]
  leads: object[]
  moves: object[]
}

/** Activities of a company's loan officers from a month ago to two weeks ahead, each with who does it and mostly with a lead. */
export function companyActivities({
  company,
  users,
  count,
  leadCount,
  leadsOf,
  now,
}: {
  company: DemoCompany
  users: DemoUser[]
  count: number
  leadCount: number
  leadsOf: LeadsOf
  now: number
}): ActivityRows {
  const random = createRandom(`activities ${company.key}`)
  const officers = users.filter(({ role }) => role === 'officer')
  const rows: ActivityRows = { ...kindsOf(company), series: [], activities: [], assignments: [], leads: [], moves: [] }
  const busy = new Set<string>()
  const repeated = seriesOf(company, officers[0], now)
  if (repeated) rows.series.push(repeated)
  for (let index = 0; index < count; index += 1)
    addActivity(rows, {
      company,
      random,
      officers,
      index,
      now,
      leadCount,
      leadsOf,
      busy,
      occurrence: repeated ? index - (count - occurrences) : -1,
    })
  return rows
}

/** A company's types and statuses: those that every new company begins with. */
function kindsOf(company: DemoCompany): Pick<ActivityRows, 'types' | 'statuses'> {
  const key = { companyId: demoId(company.key), tenantId: demoId(company.key) }
  return {
    types: defaultActivityTypes.map((type, position) => ({ ...key, id: typeId(company, type.name), ...type, status: 1, position })),
    statuses: defaultActivityStatuses.map((status, position) => ({
      ...key,
      id: statusId(company, status.name),
      ...status,
      status: 1,
      position,
    })),
  }
}

interface Making {
  company: DemoCompany
  random: Random
  officers: DemoUser[]
  index: number
  now: number
  leadCount: number
  leadsOf: LeadsOf
  /** Agents who are at a visit already: nobody is at two. */
  busy: Set<string>
  /** Number of the activity in the weekly series; negative when it is not of it. */
  occurrence: number
}

function addActivity(rows: ActivityRows, making: Making): void {
  const { company, random, officers, index, now, leadCount, leadsOf, busy, occurrence } = making
  const isWeekly = occurrence >= 0
  const officer = isWeekly ? (officers[0] as DemoUser) : random.pick(officers)
  const type = isWeekly ? defaultActivityTypes[5] : random.pick(defaultActivityTypes)
  const start = isWeekly ? weeklyStart(company, now) + occurrence * 7 * day : startOf(making)
  const end = start + (isWeekly ? 2 : random.pick([0.5, 1, 1, 2])) * hour
  const planned = statusAt(random, start, end, now)
  const statusName = planned === 'In progress' && busy.has(officer.id) ? 'Pending' : planned
  if (statusName === 'In progress') busy.add(officer.id)
  const id = demoId(`activity ${company.key}`, index)
  const key = { companyId: officer.companyId, tenantId: officer.tenantIds[0] }
  const created = Math.min(now, start) - random.int(1, 7) * day
  const changed = statusName === 'Pending' ? null : iso(Math.min(now, end))
  rows.activities.push({
    ...key,
    id,
    name: isWeekly ? weeklyName : `${type.name} ${index + 1}`,
    ...(isWeekly ? { seriesId: seriesId(company), occurrenceDate: iso(start) } : { seriesId: null, occurrenceDate: null }),
    description: `Planned by ${nameOf(officer)}`,
    activityTypeId: typeId(company, type.name),
    statusId: statusId(company, statusName),
    status: statusName.toUpperCase(),
    ...placeOf(making, officer),
    startDate: iso(start),
    endDate: iso(end),
    createdUserId: officer.id,
    createdBy: nameOf(officer),
    syncSeq: leadCount + index + 1,
    dateCreated: iso(created),
    dateModified: changed ?? iso(created),
  })
  rows.assignments.push({
    ...key,
    id: demoId(`activity assignment ${company.key}`, index),
    activityId: id,
    userId: officer.id,
    statusId: statusId(company, statusName),
    statusText: statusName,
    statusDateCreated: changed,
    dateCreated: iso(created),
  })
  if (changed) rows.moves.push(...reportOf({ ...making, statusName, changed, key, activityId: id, officer, since: created }))
  if (random.next() < 0.7) rows.leads.push({ ...key, activityId: id, leadId: random.pick(leadsOf(officer.id)) })
}

interface Logged extends Making {
  statusName: string
  changed: string
  key: { companyId: string; tenantId: string | undefined }
  activityId: string
  officer: DemoUser
  since: number
}

/** The change that brought an activity to where it is, with how far from the place it was made. */
function reportOf({ random, statusName, changed, key, activityId, officer, since }: Logged): object[] {
  const distance = statusName === 'Completed' ? random.int(4, 420) : null
  return movesOfReport({
    ...key,
    activityId,
    userId: officer.id,
    from: 'Pending',
    to: statusName,
    meaning: defaultActivityStatuses.find(({ name }) => name === statusName)?.meaning ?? 'open',
    reason: statusName === 'Missed' ? 'Nobody was there' : null,
    durationSeconds: Math.max(0, Math.round((Date.parse(changed) - since) / 1_000)),
    latitude: null,
    longitude: null,
    distance,
    isOutOfRange: distance !== null && distance > 300,
    dateCreated: changed,
  })
}

const weeklyName = 'Market day stand'
const occurrences = 12

/** Four Fridays back, ten in the morning of the company's day. */
function weeklyStart(company: DemoCompany, now: number): number {
  const midnight = now - (now % day)
  const friday = midnight + (5 - new Date(midnight).getUTCDay()) * day
  return friday - 28 * day + (10 - hoursAhead(company)) * hour
}

function seriesOf(company: DemoCompany, officer: DemoUser | undefined, now: number): object | undefined {
  if (!officer) return undefined
  const start = weeklyStart(company, now)
  return {
    companyId: officer.companyId,
    tenantId: officer.tenantIds[0],
    id: seriesId(company),
    recurrence: 'FREQ=WEEKLY',
    startDate: iso(start),
    minutes: 120,
    name: weeklyName,
    description: `Planned by ${nameOf(officer)}`,
    activityTypeId: typeId(company, defaultActivityTypes[5].name),
    agents: [officer.id],
    leads: [],
    clients: [],
    createdUserId: officer.id,
    createdBy: nameOf(officer),
    madeUntil: iso(start + (occurrences - 1) * 7 * day),
  }
}

/** A working hour of the company's day: from 30 days back to 14 ahead, on any day but Sunday. */
function startOf({ company, random, now }: Making): number {
  const midnight = now - (now % day)
  const date = midnight + random.int(-30, 14) * day
  const weekday = new Date(date).getUTCDay() === 0 ? date + day : date
  return weekday + (random.int(8, 16) - hoursAhead(company)) * hour + random.pick([0, 0.25, 0.5, 0.75]) * hour
}

function statusAt(random: Random, start: number, end: number, now: number): string {
  if (end < now)
    return random.weighted([
      ['Completed', 78],
      ['Missed', 14],
      ['Cancelled', 8],
    ])
  if (start <= now) return 'In progress'
  return random.weighted([
    ['Pending', 95],
    ['Cancelled', 5],
  ])
}

function placeOf({ company, random }: Making, officer: DemoUser): object {
  const { city, lat, lng } = branchOf(company, officer)
  const near = (degrees: number) => Number((degrees + (random.next() - 0.5) * 0.2).toFixed(6))
  return { location: city, lat: near(lat), lng: near(lng) }
}

const hoursAhead = ({ country }: DemoCompany) => ({ KE: 3, ZA: 2, ZM: 2 })[country]
const seriesId = (company: DemoCompany) => demoId(`activity series ${company.key}`)
const typeId = (company: DemoCompany, name: string) => demoId(`activity type ${company.key} ${name}`)
const statusId = (company: DemoCompany, name: string) => demoId(`activity status ${company.key} ${name}`)
