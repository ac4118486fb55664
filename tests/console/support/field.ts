import type { Route } from 'playwright'
import type { ConsoleLayout } from '@outpost/contract/console'
import type { ChangeRecord, PullAnswer } from '@outpost/contract/sync/protocol'
import type { PullPage } from '@outpost/contract/sync/pull'
import type { FormView, ListView, View } from '@outpost/contract/views'
import type { BoardView, WidgetView } from '@outpost/contract/widget-view'
import { makeOffice, type Office } from '../../../apps/console/src/offline/fake-office.ts'
import { refuse, sentBy } from './browser.ts'
import type { Answers } from './browser.ts'
import { fixtureLayout, fixtureToken } from './fixture.ts'
import { leadFields, leadList } from './views.ts'

const me = '11111111-1111-4111-8111-111111111111'
const custom = (screen: 'my-work' | 'home' | 'needs-attention' | 'onboarding-wizard', title: string, data = {}): View => ({
  kind: 'custom',
  title,
  screen,
  data,
})
const numbers: Record<string, string> = {
  'leads-today': 'Leads captured today',
  'leads-week': 'Leads captured, 7 days',
  'leads-consent': 'Waiting for consent',
  'my-leads': 'My leads',
  'activities-today': 'Activities today',
  'activities-overdue': 'Late activities',
  'my-day': 'My activities today',
  'my-overdue': 'My late activities',
}
const drawings = [
  { id: 'leads-status', title: 'Leads by status', draw: 'donut', value: 'byStatus', span: 12 },
  { id: 'leads-agent', title: 'Leads by who captured them', draw: 'bars', value: 'byAgent', span: 12 },
  { id: 'leads-day', title: 'Leads a day', draw: 'line', value: 'byDay', span: 24 },
] as const
/** What the server describes to a loan officer. */
const board: BoardView = {
  board: 'home',
  widgets: [
    ...Object.entries(numbers).map(([id, title]): WidgetView => ({
      id,
      title,
      draw: 'number',
      source: { method: 'GET', path: '/api/home/figures' },
      value: `tiles.${id}`,
      open: '/sales/leads',
      span: 6,
    })),
    ...drawings.map((drawing): WidgetView => ({
      ...drawing,
      source: { method: 'GET', path: '/api/leads/figures' },
      period: 'Captured in the last 30 days',
    })),
  ],
  first: [...Object.keys(numbers), ...drawings.map(({ id }) => id)],
}
const fields = leadFields.filter(({ key }) => ['firstName', 'lastName', 'phonenumber', 'emailAddress', 'notes'].includes(key))
const form = (title: string, submit: FormView['submit'], load?: FormView['load']): FormView => ({
  kind: 'form',
  title,
  resource: 'lead',
  one: 'lead',
  idKey: 'Id',
  titleKey: 'fullName',
  fields,
  sections: [{ rows: [['firstName', 'lastName'], ['phonenumber', 'emailAddress'], ['notes']] }],
  ...(load ? { load } : {}),
  submit,
  after: '/sales/leads',
  offline: 'lead',
  actions: [],
})
const list: ListView = {
  ...leadList,
  offline: true,
  columns: [{ key: 'fullName' }, { key: 'phonenumber' }, { key: 'status' }],
  dateTypes: undefined,
  filters: [],
  actions: [],
}

const screens: Record<string, { path: string; view: View }> = {
  home: { path: '/', view: custom('home', 'Dashboard', board) },
  work: { path: '/agents/landingpage', view: custom('my-work', 'My Work') },
  attention: { path: '/offline/attention', view: custom('needs-attention', 'Needs attention') },
  wizard: { path: '/sales/leads/digital-onboarding/wizard', view: custom('onboarding-wizard', 'Digital onboarding') },
  leads: { path: '/sales/leads', view: list },
  create: { path: '/sales/leads/create', view: form('New lead', { method: 'POST', path: '/api/leads' }) },
  edit: {
    path: '/sales/leads/edit/:id',
    view: form('Edit lead', { method: 'PUT', path: '/api/leads/:id' }, { method: 'GET', path: '/api/leads/:id' }),
  },
  activities: { path: '/sales/activities', view: { ...list, title: 'Activities' } },
}

/** A loan officer's console: a field role whose screens work offline. */
export function officerLayout(): ConsoleLayout {
  const base = fixtureLayout()
  return {
    ...base,
    isFieldRole: true,
    maySwitchTenant: false,
    landing: '/agents/landingpage',
    user: {
      ...base.user,
      userName: 'amina',
      emailAddress: 'officer@sunrise.test',
      firstName: 'Amina',
      lastName: 'Otieno',
      roles: [{ name: 'Loan Officer' }],
    },
    screens: Object.entries(screens).map(([id, { path, view }]) => ({
      id,
      path,
      title: view.title,
      layout: 'standard',
      offline: true,
      permitted: true,
      kind: view.kind,
    })),
  }
}

const at = (days: number, hour: number) => new Date(new Date().setHours(hour, 0, 0, 0) + days * 86_400_000).toISOString()
const activity = (Id: string, name: string, [days, hour]: [number, number], more: object = {}) => ({
  Id,
  name,
  typeDesc: 'Visit',
  status: 'PENDING',
  statusId: 's1',
  location: 'Ngara Market, Nairobi',
  startDate: at(days, hour),
  endDate: at(days, hour + 1),
  assignedUsers: [{ Id: me }],
  leads: [{ Id: 'l1', firstName: 'Wanjiru', lastName: 'Kamau', phonenumber: '0722000001' }],
  ...more,
})
export const dayOfOfficer = [
  activity('a1', 'Collect documents at Gikomba', [-2, 9]),
  activity('a2', 'Visit Mama Njeri Hardware', [0, 9], { statusId: 's2', status: 'Visited' }),
  activity('a3', 'Site visit: Kariokor workshop', [0, 22]),
  activity('a4', 'Group meeting Umoja', [0, 21], { leads: [] }),
]

/** An office with some leads of this officer, and the calls the console makes against it. */
export function fieldAnswers(office: Office = makeOffice({ pageSize: 50 })): { office: Office; answers: Answers } {
  const leads = [
    ['l1', 'Wanjiru', 'Kamau', '0722000001', 'New'],
    ['l2', 'Otieno', 'Ouma', '0722000002', 'Contacted'],
    ['l3', 'Faith', 'Mutua', '0722000003', 'New'],
  ] as const
  for (const [Id, firstName, lastName, phonenumber, status] of leads) {
    office.add(Id, {
      Id,
      firstName,
      lastName,
      fullName: `${firstName} ${lastName}`,
      phonenumber,
      trimmedPhonenumber: `254${phonenumber.slice(1)}`,
      status,
      consentStatus: Id === 'l3' ? 'REQUESTED' : 'NONE PROVIDED',
      createdByUserId: me,
      city: 'Nairobi',
      dateCreated: at(-1, 10),
    })
  }
  const body = (route: Route) => sentBy<Record<string, never>>(route.request())
  const drafts = new Map<string, object>()
  const bare = async (route: Route, json: object) => {
    await route.fulfill({ json })
    return undefined
  }
  const answers: Answers = {
    'POST /api/auth/login': () => ({ token: fixtureToken({ sub: me }), serverNow: new Date().toISOString() }),
    'POST /api/auth/refresh': () => ({ token: fixtureToken({ sub: me }), serverNow: new Date().toISOString() }),
    'GET /api/console': () => officerLayout(),
    'GET /api/console/screens/*': (route) => ({ view: screens[decodeURIComponent(route.request().url().split('/').at(-1) ?? '')]?.view }),
    'GET /api/activities/agent-my-work-activities': () => ({ activities: dayOfOfficer }),
    'GET /api/activities/statuses': () => ({
      activityStatuses: [
        { Id: 's1', name: 'PENDING', meaning: 'open' },
        { Id: 's2', name: 'Visited', meaning: 'done' },
      ],
    }),
    'POST /api/agent/action': () => ({ agentAction: [] }),
    'GET /api/home/figures': () => ({
      tiles: Object.fromEntries(
        Object.entries({
          'leads-today': 4,
          'leads-week': 31,
          'my-leads': 12,
          'leads-unassigned': 3,
          'leads-consent': 7,
          'activities-today': 9,
          'activities-done': 4,
          'activities-overdue': 2,
          'my-day': 4,
          'my-overdue': 1,
          'agents-online': 5,
        }).map(([id, value]) => [id, { value, before: 3, period: 'Today', open: '/sales/leads' }]),
      ),
    }),
    'GET /api/leads/figures': () => ({
      byStatus: [
        { label: 'New', value: 9 },
        { label: 'Contacted', value: 5 },
        { label: 'Qualified', value: 3 },
      ],
      byDay: [1, 4, 2, 6, 3, 5, 4].map((value, day) => ({ label: `2026-11-${15 + day}`, value })),
      byAgent: [{ label: 'Amina Otieno', value: 12 }],
    }),
    'GET /api/views*': () => ({ views: [] }),
    'GET /api/leads/onboarding-drafts': () => ({ drafts: [...drafts.values()] }),
    'POST /api/leads/onboarding-drafts': (route) => {
      drafts.set(String(body(route)['Id']), { ...body(route), dateModified: new Date().toISOString() })
      return { draft: body(route) }
    },
    'POST /api/leads/exist': (route) => {
      const exists = office.rows().some((row) => row.phonenumber === body(route)['phonenumber'])
      return { exists, fields: exists ? ['phonenumber'] : [], existingId: exists ? 'l1' : undefined }
    },
    'POST /api/onbording/first-page': (route) => {
      const { person, contact, draftId } = body(route) as unknown as { person: object; contact: object; draftId: string }
      drafts.delete(draftId)
      return { lead: office.add('onboarded', { ...person, ...contact, status: 'New' }).row }
    },
    'GET /api/leads': () => ({ leads: office.rows().toSorted((a, b) => String(b.dateCreated).localeCompare(String(a.dateCreated))) }),
    'GET /api/leads/*': (route) => ({ lead: office.row(decodeURIComponent(route.request().url().split('/').at(-1) ?? '')) }),
    'POST /api/leads': (route) => ({ lead: office.add(String(body(route)['Id']), body(route)).row }),
    'PUT /api/leads/*': (route) => {
      const id = route.request().url().split('/').at(-1) ?? ''
      office.edit(id, body(route))
      return { lead: office.row(id) }
    },
    'POST /api/sync/push': (route) =>
      bare(route, {
        serverNow: new Date().toISOString(),
        results: office.push((body(route) as unknown as { changes: ChangeRecord[] }).changes),
      }),
    'GET /api/sync/pull': (route) => bare(route, pageOf(office.pull(new URL(route.request().url()).searchParams.get('cursor')))),
    'GET /api/sync/conflicts': () => ({ conflicts: [] }),
    'POST /api/sync/dead-letter': (route) => refuse(route, 404, 'NOT_FOUND'),
  }
  return { office, answers }
}

/** As the server sends it: values in the order of names that are sent once. */
function pageOf({ changes, ...answer }: PullAnswer): PullPage {
  const names = [...new Set(changes.flatMap(({ data }) => Object.keys(data ?? {})))]
  return {
    ...answer,
    fields: { lead: names },
    changes: changes.map(({ data, ...change }) => (data ? { ...change, data: names.map((name) => data[name] ?? null) } : change)),
  }
}
