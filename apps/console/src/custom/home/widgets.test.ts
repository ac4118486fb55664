import { expect, it } from 'vitest'
import { viewpointOf } from './viewpoint.ts'
import { firstWidgets, permittedWidgets } from './widgets.ts'

const user = { permissions: [], rolepermissions: [] }
const frame = (...paths: string[]) => ({ user, screens: paths.map((path) => ({ path, permitted: true })) }) as never
/** The frame of somebody who decides on credit. */
const deciding = (...paths: string[]) =>
  ({ ...(frame(...paths) as object), user: { permissions: [], rolepermissions: [{ hierarchy: 'LOAN/DISBURSEMENTS' }] } }) as never

it('offers only widgets whose screen is open to the user', () => {
  expect(permittedWidgets(frame())).toEqual([])
  expect(
    permittedWidgets(frame('/sales/activities'))
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([
    'activities-done',
    'activities-overdue',
    'activities-status',
    'activities-today',
    'activities-type',
    'agents-done',
    'my-day',
    'my-overdue',
  ])
  expect(permittedWidgets({ user, screens: [{ path: '/sales/leads', permitted: false }] } as never)).toEqual([])
})

it('keeps what is one’s own off the dashboard of the sales work', () => {
  const paths = ['/sales/leads', '/sales/activities']
  expect(permittedWidgets(frame(...paths), 'home').map(({ id }) => id)).toContain('my-day')
  expect(permittedWidgets(frame(...paths), 'sales').some(({ id }) => id.startsWith('my-'))).toBe(false)
})

it('begins with whole rows of figures, then the drawings', () => {
  const begun = firstWidgets(permittedWidgets(frame('/sales/leads', '/sales/activities', '/agents/landingpage')), 'home')
  expect(begun.filter(({ draw }) => draw === 'number')).toHaveLength(8)
  expect(begun.findIndex(({ draw }) => draw !== 'number')).toBe(8)
  expect(firstWidgets(permittedWidgets(frame('/sales/leads')), 'home').filter(({ draw }) => draw === 'number')).toHaveLength(4)
})

it('begins with what a role is asked for', () => {
  const of = (...names: string[]) => viewpointOf(names.map((name) => ({ name })))
  expect([
    of('Managing Director'),
    of('Administrator'),
    of(' branch manager '),
    of('Loan Officer'),
    of('Teller'),
    of('Team Leader'),
    of('Team Leader', 'Administrator'),
  ]).toEqual(['director', 'admin', 'branch', 'own', 'own', 'team', 'admin'])
  const everything = permittedWidgets(
    frame('/sales/leads', '/sales/activities', '/sales/agents/actions', '/sales/agents/map', '/sales/targets', '/admin/users/list'),
  )
  const begun = (viewpoint: 'director' | 'admin' | 'branch') => firstWidgets(everything, 'home', viewpoint).map(({ id }) => id)
  expect(begun('director').slice(0, 5)).toEqual(['leads-week', 'leads-converted', 'activities-done', 'leads-stale', 'targets-teams'])
  expect(begun('branch')).toEqual(expect.arrayContaining(['leads-unassigned', 'leads-officer', 'targets-teams']))
  expect(begun('admin').slice(0, 2)).toEqual(['users-active', 'users-seen'])
})

it('begins the sales dashboard by another question for each role', () => {
  const everything = permittedWidgets(
    frame(
      '/sales/leads',
      '/sales/activities',
      '/sales/agents/actions',
      '/sales/agents/map',
      '/sales/targets',
      '/sales/activities/activity-plan',
      '/admin/users/list',
    ),
    'sales',
  )
  const boards = (['director', 'branch', 'team', 'admin', 'own'] as const).map((viewpoint) => firstWidgets(everything, 'sales', viewpoint))
  expect(new Set(boards.map((widgets) => widgets.map(({ id }) => id).join())).size).toBe(boards.length)
  for (const widgets of boards) {
    expect(widgets.filter(({ draw }) => draw === 'number').length % 4).toBe(0)
    // How the days went, beside as many before.
    expect(widgets.find(({ draw }) => draw === 'line')?.beforeKey).toBe('before')
  }
  expect(boards.map((widgets) => widgets.some(({ id }) => id.startsWith('targets-')))).toEqual([true, true, true, false, true])
})

it('begins with what waits for one’s own decision', () => {
  expect(firstWidgets(permittedWidgets(deciding('/sales/leads')), 'home')[0]?.id).toBe('leads-decision')
  expect(permittedWidgets(frame('/sales/leads')).map(({ id }) => id)).not.toContain('leads-decision')
})
