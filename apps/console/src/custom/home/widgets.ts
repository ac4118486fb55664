import type { ConsoleFrame } from '@outpost/contract/console'
import { systemRoles, type SystemRoleKey } from '@outpost/contract/roles'
import type { WidgetView } from '@outpost/contract/views'
import { callOf } from '../../data/calls.ts'
import { ofFleet } from './fleet-widgets.ts'
import { tile, type HomeWidget } from './tile.ts'

/** The dashboards there are: where people land, that of the sales work, and that of a dispatcher. */
export type BoardName = 'home' | 'sales' | 'fleet'

const leadFigures = callOf('leads.figures')
const byStatus = callOf('activities.forStatus')
const byType = callOf('activities.forType')
const team = callOf('agent.summary')
const [leads, activities, actions, plans, users, targets] = [
  '/sales/leads',
  '/sales/activities',
  '/sales/agents/actions',
  '/sales/activities/activity-plan',
  '/admin/users/list',
  '/sales/targets',
]

/** The list of the leads of a drawing over the last 30 days; the board fills in the days. */
const leadsWhere = (field: string, key: string) =>
  `/sales/leads?dateType=created&from=:startDate&to=:endDate&filter=[{"field":"${field}","op":"eq","value":":${key}"}]`
const leadsBetween = (from: string, to: string) => `/sales/leads?dateType=created&from=:${from}&to=:${to}`
const activitiesWhere = (field: string) => `/sales/activities?filter=[{"field":"${field}","op":"eq","value":":Id"}]`
/** The list's own window. */
const around = 'Yesterday to 7 days ahead'
const month = 'Captured in the last 30 days'

/** Everything a dashboard can show, in its first order. */
const all: readonly HomeWidget[] = [
  tile('leads-today', 'Leads captured today', leads),
  tile('leads-week', 'Leads captured, 7 days', leads),
  tile('leads-unassigned', 'New leads without an agent', leads),
  tile('leads-consent', 'Waiting for consent', leads),
  tile('leads-converted', 'Leads converted', leads),
  tile('leads-stale', 'Stale leads', leads),
  { ...tile('leads-decision', 'Credit decisions for me', leads), asks: 'LOAN/DISBURSEMENTS' },
  tile('clients-papers', 'Papers that expire', '/clients/list'),
  { ...tile('applications-decision', 'Applications for me to decide', '/sales/applications'), asks: 'LOAN/DISBURSEMENTS' },
  tile('activities-today', 'Activities today', activities),
  tile('activities-done', 'Activities done today', activities),
  tile('activities-overdue', 'Late activities', activities),
  tile('agents-online', 'Agents at work', '/sales/agents/map'),
  tile('plans-today', 'Route plans', plans),
  tile('my-leads', 'My leads', leads),
  tile('my-day', 'My activities today', activities),
  tile('my-overdue', 'My late activities', activities),
  {
    id: 'activities-status',
    title: 'Activities by status',
    period: around,
    draw: 'donut',
    source: byStatus,
    value: 'activities',
    labelKey: 'label',
    valueKey: 'count',
    open: activitiesWhere('statusId'),
    span: 12,
    needs: activities,
  },
  {
    id: 'activities-type',
    title: 'Activities by type',
    period: around,
    draw: 'bars',
    source: byType,
    value: 'activities',
    labelKey: 'label',
    valueKey: 'count',
    open: activitiesWhere('activityTypeId'),
    span: 12,
    needs: activities,
  },
  {
    id: 'leads-status',
    title: 'Leads by status',
    period: month,
    draw: 'donut',
    source: leadFigures,
    value: 'byStatus',
    labelKey: 'label',
    valueKey: 'value',
    open: leadsWhere('status', 'label'),
    span: 12,
    needs: leads,
  },
  {
    id: 'leads-day',
    title: 'Leads a day',
    period: month,
    draw: 'line',
    source: leadFigures,
    value: 'byDay',
    labelKey: 'label',
    valueKey: 'value',
    beforeKey: 'before',
    open: leadsBetween('startDate', 'endDate'),
    openBefore: leadsBetween('startBefore', 'endBefore'),
    span: 24,
    needs: leads,
  },
  {
    id: 'leads-funnel',
    title: 'From new to converted',
    period: month,
    draw: 'funnel',
    source: leadFigures,
    value: 'funnel',
    labelKey: 'stage',
    valueKey: 'reached',
    open: leadsWhere('status', 'stage'),
    span: 24,
    needs: leads,
  },
  {
    id: 'leads-branch',
    title: 'Leads by branch',
    period: month,
    draw: 'bars',
    source: leadFigures,
    value: 'byBranch',
    labelKey: 'branch',
    valueKey: 'leads',
    open: leadsWhere('tenantId', 'tenantId'),
    span: 12,
    needs: leads,
  },
  {
    id: 'leads-officer',
    title: 'Leads by officer',
    period: month,
    draw: 'bars',
    source: leadFigures,
    value: 'byOfficer',
    labelKey: 'officer',
    valueKey: 'leads',
    open: leadsWhere('assignedUserId', 'assignedUserId'),
    span: 12,
    needs: leads,
  },
  {
    id: 'leads-agent',
    title: 'Leads by who captured them',
    period: month,
    draw: 'bars',
    source: leadFigures,
    value: 'byAgent',
    labelKey: 'label',
    valueKey: 'value',
    open: leadsWhere('createdByUserId', 'createdByUserId'),
    span: 12,
    needs: leads,
  },
  {
    id: 'agents-hours',
    title: 'Hours at work, by branch',
    period: 'Today',
    draw: 'bars',
    source: team,
    value: 'summaryReport',
    labelKey: 'region_name',
    valueKey: 'hours',
    open: actions,
    span: 12,
    needs: actions,
  },
  {
    id: 'agents-done',
    title: 'Visits done, by branch',
    period: 'Today',
    draw: 'bars',
    source: callOf('activities.doneByBranch'),
    value: 'branches',
    labelKey: 'name',
    valueKey: 'value',
    open: activities,
    openKey: 'open',
    span: 12,
    needs: activities,
  },
  {
    id: 'targets-mine',
    title: 'My targets, % reached',
    period: 'Running now',
    draw: 'bars',
    source: callOf('targets.reached'),
    value: 'targets',
    labelKey: 'label',
    valueKey: 'percent',
    open: targets,
    span: 12,
    needs: targets,
  },
  {
    id: 'targets-teams',
    title: 'Targets of branches and teams, % reached',
    period: 'Running now, furthest behind first',
    draw: 'bars',
    source: callOf('targets.teamsReached'),
    value: 'targets',
    labelKey: 'label',
    valueKey: 'percent',
    open: targets,
    openKey: 'open',
    span: 12,
    needs: targets,
  },
  tile('users-active', 'Active users', users),
  tile('users-seen', 'Users signed in', users),
  tile('users-never', 'Users who never signed in', users),
  tile('users-new', 'New users', users),
  {
    id: 'users-logins',
    title: 'Sign-ins a day',
    period: 'Last 30 days',
    draw: 'line',
    source: callOf('users.loginHistory'),
    value: 'loginHistory',
    labelKey: 'date',
    valueKey: 'logins',
    span: 12,
    needs: users,
  },
]

/** Whose questions a dashboard answers first: of the whole house, of a branch, of a team, of the system, or of one's own day. */
export type Viewpoint = 'director' | 'branch' | 'team' | 'admin' | 'own'

const viewpoints: Partial<Record<SystemRoleKey, Viewpoint>> = {
  md: 'director',
  zonal: 'director',
  product: 'director',
  regional: 'branch',
  branch: 'branch',
  sales: 'branch',
  leader: 'team',
  admin: 'admin',
  'company-admin': 'admin',
  global: 'admin',
}

/** The viewpoint of a person's roles; of several the one that looks furthest. */
export function viewpointOf(roles: readonly { name: string }[]): Viewpoint {
  const own = roles.map(
    ({ name }) => viewpoints[systemRoles.find((role) => role.name.toLowerCase() === name.trim().toLowerCase())?.key ?? 'officer'],
  )
  return (['director', 'admin', 'branch', 'team'] as const).find((viewpoint) => own.includes(viewpoint)) ?? 'own'
}

/** What somebody begins with who has not chosen otherwise: figures, the progress of targets, the way from new to converted, and how the days went. */
const first: Record<Exclude<BoardName, 'fleet'>, Record<Viewpoint, readonly string[]>> = {
  home: {
    director: [
      'leads-week',
      'leads-converted',
      'activities-done',
      'leads-stale',
      'targets-teams',
      'leads-branch',
      'leads-funnel',
      'leads-day',
      'agents-done',
      'leads-status',
    ],
    branch: [
      'leads-today',
      'leads-unassigned',
      'leads-stale',
      'leads-consent',
      'activities-today',
      'activities-done',
      'activities-overdue',
      'agents-online',
      'leads-officer',
      'targets-teams',
      'activities-status',
      'leads-status',
      'leads-day',
    ],
    team: [
      'leads-today',
      'leads-unassigned',
      'leads-stale',
      'leads-consent',
      'activities-today',
      'activities-done',
      'activities-overdue',
      'agents-online',
      'leads-officer',
      'targets-teams',
      'activities-status',
      'leads-status',
      'leads-day',
    ],
    admin: [
      'users-active',
      'users-seen',
      'users-never',
      'users-new',
      'leads-week',
      'leads-unassigned',
      'activities-overdue',
      'agents-online',
      'users-logins',
      'leads-branch',
      'leads-status',
      'activities-status',
    ],
    own: [
      'leads-today',
      'leads-week',
      'leads-consent',
      'my-leads',
      'activities-today',
      'activities-overdue',
      'my-day',
      'my-overdue',
      'leads-status',
      'leads-agent',
      'leads-day',
    ],
  },
  sales: {
    director: [
      'leads-week',
      'leads-converted',
      'activities-done',
      'leads-stale',
      'targets-teams',
      'leads-branch',
      'leads-funnel',
      'leads-day',
      'agents-done',
      'agents-hours',
    ],
    branch: [
      'leads-week',
      'leads-unassigned',
      'activities-done',
      'activities-overdue',
      'targets-teams',
      'leads-officer',
      'leads-funnel',
      'leads-day',
      'activities-status',
      'agents-hours',
    ],
    team: [
      'agents-online',
      'plans-today',
      'activities-today',
      'activities-overdue',
      'leads-today',
      'leads-unassigned',
      'leads-consent',
      'activities-done',
      'leads-officer',
      'activities-status',
      'targets-teams',
      'activities-type',
      'leads-day',
    ],
    admin: [
      'leads-week',
      'leads-unassigned',
      'activities-overdue',
      'agents-online',
      'leads-branch',
      'leads-status',
      'activities-status',
      'activities-type',
      'leads-day',
      'leads-agent',
      'agents-done',
    ],
    own: [
      'activities-today',
      'activities-overdue',
      'leads-week',
      'leads-consent',
      'targets-mine',
      'activities-status',
      'leads-funnel',
      'leads-status',
      'activities-type',
      'leads-day',
    ],
  },
}

/** Widgets the user may have: those whose screen is open to them; the sales dashboard leaves out what is one's own. */
export function permittedWidgets(frame: Pick<ConsoleFrame, 'screens' | 'user'>, board: BoardName = 'home'): WidgetView[] {
  const permitted = new Set(frame.screens.filter((screen) => screen.permitted).map((screen) => screen.path))
  const held = new Set([...frame.user.permissions, ...frame.user.rolepermissions].map(({ hierarchy }) => hierarchy.toUpperCase()))
  const wanted = board === 'fleet' ? ofFleet : board === 'sales' ? all.filter(({ id }) => !id.startsWith('my-')) : all
  return wanted
    .filter(({ needs, asks }) => permitted.has(needs) && (!asks || held.has(asks)))
    .map(({ needs: _needs, asks: _asks, ...widget }) => widget)
}

/** The widgets a dashboard begins with: no figure stands alone in a row of four. */
export function firstWidgets(permitted: readonly WidgetView[], board: BoardName, viewpoint: Viewpoint = 'own'): WidgetView[] {
  const byId = new Map(permitted.map((widget) => [widget.id, widget]))
  // What waits for one's own decision comes before all that one only looks at.
  const widgets = [
    ...(board === 'home' && viewpoint !== 'admin' ? ['leads-decision', 'applications-decision'] : []),
    ...(board === 'fleet' ? ofFleet.map(({ id }) => id) : first[board][viewpoint]),
  ].flatMap((id) => byId.get(id) ?? [])
  const figures = widgets.filter(({ draw }) => draw === 'number')
  const shown = new Set(figures.slice(0, Math.max(4, figures.length - (figures.length % 4))))
  const kept = widgets.filter((widget) => widget.draw !== 'number' || shown.has(widget))
  // Figures first: whole rows of one height.
  return [...kept.filter(({ draw }) => draw === 'number'), ...kept.filter(({ draw }) => draw !== 'number')]
}
