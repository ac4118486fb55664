import type { Route } from 'playwright'
import type { ConsoleLayout } from '@outpost/contract/console'
import type { CustomView } from '@outpost/contract/views'
import { refuse } from './browser.ts'
import type { Answers } from './browser.ts'
import { fixtureLayout } from './fixture.ts'
import { bodyOf } from './views.ts'

export interface Activity extends Record<string, unknown> {
  Id: string
  name: string
  startDate: string
  endDate: string
  status: string
}

const agents = [
  { Id: 'u1', label: 'Amina Otieno' },
  { Id: 'u2', label: 'Brian Kamau' },
] as const
const statuses = [
  ['Pending', 'gold', 'open'],
  ['In progress', 'blue', 'started'],
  ['Completed', 'green', 'done'],
  ['Missed', 'red', 'missed'],
].map(([name, colour, meaning]) => ({ Id: name, name, colour, meaning }))
const types = [
  { Id: 't1', name: 'Client visit' },
  { Id: 't2', name: 'Phone call' },
]
const names = ['Visit Achieng', 'Call Barasa', 'Collect papers', 'Visit market', 'Call Chebet']

/** Thursday of the week that all tests look at. */
export const today = '2026-11-19'

/** Ten activities, two each working day of the week around `today`, at 9 and at 14 o'clock in Nairobi. */
export function makeActivities(): Activity[] {
  return Array.from({ length: 10 }, (_, index) => {
    const day = 16 + Math.floor(index / 2)
    const hour = index % 2 === 0 ? 6 : 11
    return {
      Id: `a${index}`,
      name: `${names[index % names.length]} ${index}`,
      startDate: `2026-11-${day}T${String(hour).padStart(2, '0')}:00:00.000Z`,
      endDate: `2026-11-${day}T${String(hour + 1).padStart(2, '0')}:00:00.000Z`,
      status: statuses[index % statuses.length]?.name ?? '',
      activityTypeId: types[index % 2]?.Id,
      typeDesc: types[index % 2]?.name,
      assignedUsers: [agents[index % 2]],
      agentName: agents[index % 2]?.label,
      location: 'Westlands, Nairobi',
      seriesId: index === 4 ? 's1' : null,
      leads: [],
    }
  })
}

/** The user's own meeting at nine on `today`, and two visits of each of thirty others, at nine and at eleven. */
export function makeCrowd(): Activity[] {
  const first = makeActivities()[0] as Activity
  const at = (hour: number) => ({
    startDate: `${today}T${String(hour - 3).padStart(2, '0')}:00:00.000Z`,
    endDate: `${today}T${String(hour - 2).padStart(2, '0')}:00:00.000Z`,
  })
  const own = {
    ...first,
    ...at(9),
    Id: 'own',
    name: 'Own meeting',
    assignedUsers: [{ Id: fixtureLayout().user.Id, label: 'Grace Wanjiku' }],
    agentName: 'Grace Wanjiku',
  }
  const others = Array.from({ length: 60 }, (_, index): Activity => {
    const label = `Agent ${String(index % 30).padStart(2, '0')}`
    return {
      ...first,
      ...at(index < 30 ? 9 : 11),
      Id: `c${index}`,
      typeDesc: 'Client visit',
      name: `Client visit: Wanjiru Achieng ${index}`,
      status: index % 2 === 0 ? 'Pending' : 'Completed',
      assignedUsers: [{ Id: `u${index % 30}`, label }],
      agentName: label,
    }
  })
  return [...others, own]
}

const view: CustomView = {
  kind: 'custom',
  title: 'Calendar',
  screen: 'activity-calendar',
  data: {
    mayEdit: true,
    mayCreate: true,
    layers: [
      { key: 'leadConsent', label: 'Consent given', colour: 'green', screen: '/sales/leads/:id/view', isAllDay: false },
      { key: 'routePlans', label: 'Route plans', colour: 'orange', screen: '/sales/activities/activity-plan/:id/map-view', isAllDay: true },
    ],
  },
}
const path = '/sales/activities/calendar'

export function calendarLayout(): ConsoleLayout {
  const entry = { id: 'calendar', path, title: 'Calendar', layout: 'standard' as const, offline: false, permitted: true, kind: 'custom' }
  return fixtureLayout({ screens: [...fixtureLayout().screens, entry] })
}

async function update(activities: Activity[], route: Route): Promise<unknown> {
  const activity = activities.find(({ Id }) => route.request().url().endsWith(`/${Id}`))
  if (!activity) return refuse(route, 404, 'NOT_FOUND')
  if (activity.name.startsWith('Visit market')) return refuse(route, 422, 'INVALID', 'The market is closed then.')
  return { activity: Object.assign(activity, bodyOf(route)) }
}

/** A small server over activities in memory. */
export function calendarServer(activities: Activity[], data: Record<string, unknown> = {}): Answers {
  return {
    'GET /api/console/screens/*': () => ({ view: { ...view, data: { ...view.data, ...data } } }),
    'GET /api/activities': async (route) => {
      const query = new URL(route.request().url()).searchParams
      const [from, to] = [query.get('startDate') ?? '', `${query.get('endDate')}T23:59`]
      const rows = activities.filter(({ startDate }) => startDate >= from && startDate <= to)
      await route.fulfill({ json: { success: true, data: { activities: rows }, meta: { page: 1, size: 5000, total: rows.length } } })
    },
    'GET /api/activities/statuses': () => ({ activityStatuses: statuses }),
    'GET /api/activities/types': () => ({ activityTypes: types }),
    'GET /api/activities/calendar-layers/leadConsent': () => ({
      entries: [{ Id: 'l1', title: 'Wanjiru Kamau', start: '2026-11-17T08:30:00.000Z', end: null, note: 'GRANTED' }],
    }),
    'GET /api/activities/calendar-layers/routePlans': () => ({
      entries: [{ Id: 'p1', title: 'Westlands round', start: '2026-11-17', end: '2026-11-18', note: 'PENDING' }],
    }),
    'POST /api/activities': (route) => {
      const activity = { ...makeActivities()[0], ...bodyOf(route), Id: `new${activities.length}`, status: 'Pending' } as unknown as Activity
      activities.push(activity)
      return { activity }
    },
    'PUT /api/activities/*': (route) => update(activities, route),
  }
}
