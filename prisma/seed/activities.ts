import { defaultActivityStatuses, defaultActivityTypes } from '@outpost/rules/company-defaults'
import { branchOf, iso, nameOf } from './leads.ts'
import type { DemoUser } from './people.ts'
import { createRandom, demoId, type Random } from './random.ts'
import type { DemoCompany } from './tree.ts'

const hour = 3_600_000
const day = 24 * hour

export interface ActivityRows { types: object[], statuses: object[], activities: object[], assignments: object[], leads: object[] }

/** Activities of a company's loan officers from a month ago to two weeks ahead, each with who does it and mostly with a lead. */
export function companyActivities({ company, users, count, leadCount, now }: {
  company: DemoCompany, users: DemoUser[], count: number, leadCount: number, now: number
}): ActivityRows {
  const random = createRandom(`activities ${company.key}`)
  const officers = users.filter(({ role }) => role === 'officer')
  const rows: ActivityRows = { ...kindsOf(company), activities: [], assignments: [], leads: [] }
  for (let index = 0; index < count; index += 1) addActivity(rows, { company, random, officers, index, now, leadCount })
  return rows
}

/** A company's types and statuses: those that every new company begins with. */
function kindsOf(company: DemoCompany): Pick<ActivityRows, 'types' | 'statuses'> {
  const key = { companyId: demoId(company.key), tenantId: demoId(company.key) }
  return {
    types: defaultActivityTypes.map((type, position) => ({ ...key, id: typeId(company, type.name), ...type, status: 1, position })),
    statuses: defaultActivityStatuses.map((status, position) => ({ ...key, id: statusId(company, status.name), ...status, status: 1, position })),
  }
}

interface Making { company: DemoCompany, random: Random, officers: DemoUser[], index: number, now: number, leadCount: number }

function addActivity(rows: ActivityRows, making: Making): void {
  const { company, random, officers, index, now, leadCount } = making
  const officer = random.pick(officers)
  const type = random.pick(defaultActivityTypes)
  const start = startOf(making)
  const end = start + random.pick([0.5, 1, 1, 2]) * hour
  const statusName = statusAt(random, start, end, now)
  const id = demoId(`activity ${company.key}`, index)
  const key = { companyId: officer.companyId, tenantId: officer.tenantIds[0] }
  const created = Math.min(now, start) - random.int(1, 7) * day
  const changed = statusName === 'Pending' ? null : iso(Math.min(now, end))
  rows.activities.push({
    ...key, id, name: `${type.name} ${index + 1}`, description: `Planned by ${nameOf(officer)}`, activityTypeId: typeId(company, type.name),
    statusId: statusId(company, statusName), status: statusName.toUpperCase(), ...placeOf(making, officer), startDate: iso(start), endDate: iso(end),
    createdUserId: officer.id, createdBy: nameOf(officer), syncSeq: leadCount + index + 1, dateCreated: iso(created), dateModified: changed ?? iso(created),
  })
  rows.assignments.push({
    ...key, id: demoId(`activity assignment ${company.key}`, index), activityId: id, userId: officer.id, statusId: statusId(company, statusName),
    statusText: statusName, statusDateCreated: changed, dateCreated: iso(created),
  })
  if (random.next() < 0.7) rows.leads.push({ ...key, activityId: id, leadId: demoId(`lead ${company.key}`, random.int(0, leadCount - 1)) })
}

/** A working hour of the company's day: from 30 days back to 14 ahead, on any day but Sunday. */
function startOf({ company, random, now }: Making): number {
  const midnight = now - (now % day)
  const date = midnight + random.int(-30, 14) * day
  const weekday = new Date(date).getUTCDay() === 0 ? date + day : date
  const ahead = { KE: 3, ZA: 2, ZM: 2 }[company.country]
  return weekday + (random.int(8, 16) - ahead) * hour + random.pick([0, 0.25, 0.5, 0.75]) * hour
}

function statusAt(random: Random, start: number, end: number, now: number): string {
  if (end < now) return random.weighted([['Completed', 78], ['Missed', 14], ['Cancelled', 8]])
  if (start <= now) return 'In progress'
  return random.weighted([['Pending', 95], ['Cancelled', 5]])
}

function placeOf({ company, random }: Making, officer: DemoUser): object {
  const { city, lat, lng } = branchOf(company, officer)
  const near = (degrees: number) => Number((degrees + (random.next() - 0.5) * 0.2).toFixed(6))
  return { location: city, lat: near(lat), lng: near(lng) }
}

const typeId = (company: DemoCompany, name: string) => demoId(`activity type ${company.key} ${name}`)
const statusId = (company: DemoCompany, name: string) => demoId(`activity status ${company.key} ${name}`)
