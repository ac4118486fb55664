import type { ConsoleFrame } from '@outpost/contract/console'
import type { FilterTerm } from '@outpost/contract/envelope'
import type { WidgetView } from '@outpost/contract/views'

/** A widget and the screen a user must have for it. */
interface HomeWidget extends WidgetView { needs: string }
/** The dashboards there are: where people land, and that of the sales work. */
export type BoardName = 'home' | 'sales'

const figures = { method: 'GET', path: '/api/home/figures' } as const
const leadFigures = { method: 'GET', path: '/api/leads/figures' } as const
const byStatus = { method: 'GET', path: '/api/activities/for-status-widget' } as const
const byType = { method: 'GET', path: '/api/activities/for-type-widget' } as const
const team = { method: 'GET', path: '/api/agent/summary-report' } as const
const leadsWhere = (...terms: FilterTerm[]) => `/sales/leads?filter=${JSON.stringify(terms)}`
const [leads, activities, actions, plans] = ['/sales/leads', '/sales/activities', '/sales/agents/actions', '/sales/activities/activity-plan']

/** Everything a dashboard can show, in its first order. */
const all: readonly HomeWidget[] = [
  { id: 'leads-today', title: 'Leads captured today', draw: 'number', source: figures, value: 'leads.today', open: leads, span: 6, needs: leads },
  { id: 'leads-week', title: 'Leads in 7 days', draw: 'number', source: figures, value: 'leads.week', open: leads, span: 6, needs: leads },
  { id: 'leads-unassigned', title: 'Leads without an agent', draw: 'number', source: figures, value: 'leads.unassigned', open: leadsWhere({ field: 'status', op: 'eq', value: 'New' }, { field: 'assignedUserId', op: 'empty' }), span: 6, needs: leads },
  { id: 'leads-consent', title: 'Waiting for consent', draw: 'number', source: figures, value: 'leads.awaitingConsent', open: leadsWhere({ field: 'consentStatus', op: 'eq', value: 'REQUESTED' }), span: 6, needs: leads },
  { id: 'activities-today', title: 'Activities today', draw: 'number', source: figures, value: 'activities.today', open: activities, span: 6, needs: activities },
  { id: 'activities-done', title: 'Done today', draw: 'number', source: figures, value: 'activities.doneToday', open: activities, span: 6, needs: activities },
  { id: 'activities-overdue', title: 'Overdue activities', draw: 'number', source: figures, value: 'activities.overdue', open: activities, span: 6, needs: activities },
  { id: 'agents-online', title: 'Agents online', draw: 'number', source: figures, value: 'agentsOnline', open: '/sales/agents/map?show=online', span: 6, needs: '/sales/agents/map' },
  { id: 'plans-today', title: 'Route plans today', draw: 'number', source: figures, value: 'plansToday', open: plans, span: 6, needs: plans },
  { id: 'my-leads', title: 'My leads', draw: 'number', source: figures, value: 'leads.mine', open: leads, span: 6, needs: leads },
  { id: 'my-day', title: 'My activities today', draw: 'number', source: figures, value: 'activities.mineToday', open: '/agents/landingpage', span: 6, needs: '/agents/landingpage' },
  { id: 'my-overdue', title: 'My overdue activities', draw: 'number', source: figures, value: 'activities.mineOverdue', open: '/agents/landingpage', span: 6, needs: '/agents/landingpage' },
  { id: 'activities-status', title: 'Activities by status', draw: 'donut', source: byStatus, value: 'activities', labelKey: 'label', valueKey: 'count', open: '/sales/activities?filter=[{"field":"statusId","op":"eq","value":":Id"}]', span: 12, needs: activities },
  { id: 'activities-type', title: 'Activities by type', draw: 'bars', source: byType, value: 'activities', labelKey: 'label', valueKey: 'count', open: '/sales/activities?filter=[{"field":"activityTypeId","op":"eq","value":":Id"}]', span: 12, needs: activities },
  { id: 'leads-status', title: 'Leads by status', draw: 'donut', source: leadFigures, value: 'byStatus', labelKey: 'label', valueKey: 'value', open: '/sales/leads?filter=[{"field":"status","op":"eq","value":":label"}]', span: 12, needs: leads },
  { id: 'leads-day', title: 'Leads a day', draw: 'line', source: leadFigures, value: 'byDay', labelKey: 'label', valueKey: 'value', span: 24, needs: leads },
  { id: 'leads-agent', title: 'Leads by agent', draw: 'bars', source: leadFigures, value: 'byAgent', labelKey: 'label', valueKey: 'value', span: 12, needs: leads },
  { id: 'agents-hours', title: 'Hours at work today, by branch', draw: 'bars', source: team, value: 'summaryReport', labelKey: 'region_name', valueKey: 'hours', open: actions, span: 12, needs: actions },
  { id: 'agents-done', title: 'Visits done today, by branch', draw: 'bars', source: team, value: 'summaryReport', labelKey: 'region_name', valueKey: 'done', open: activities, span: 12, needs: actions },
  { id: 'targets-mine', title: 'My targets, % reached', draw: 'bars', source: { method: 'GET', path: '/api/home/targets' }, value: 'targets', labelKey: 'label', valueKey: 'percent', open: '/sales/targets', span: 12, needs: '/sales/targets' },
]

/** Shown until the user chooses otherwise. */
const first: Record<BoardName, readonly string[]> = {
  home: ['leads-today', 'leads-week', 'leads-consent', 'my-leads', 'activities-today', 'activities-overdue', 'my-day', 'my-overdue', 'leads-status', 'leads-agent', 'leads-day'],
  sales: ['agents-online', 'plans-today', 'activities-today', 'activities-overdue', 'activities-status', 'activities-type', 'leads-week', 'leads-unassigned', 'leads-consent', 'activities-done', 'agents-hours', 'agents-done'],
}

/** Widgets the user may have: those whose screen is open to them; the sales dashboard leaves out what is one's own. */
export function permittedWidgets(frame: Pick<ConsoleFrame, 'screens'>, board: BoardName = 'home'): WidgetView[] {
  const permitted = new Set(frame.screens.filter((screen) => screen.permitted).map((screen) => screen.path))
  const wanted = board === 'sales' ? all.filter(({ id }) => !id.startsWith('my-')) : all
  return wanted.filter((widget) => permitted.has(widget.needs)).map(({ needs: _needs, ...widget }) => widget)
}

/** The widgets a dashboard begins with: no figure stands alone in a row of four. */
export function firstWidgets(permitted: readonly WidgetView[], board: BoardName): WidgetView[] {
  const byId = new Map(permitted.map((widget) => [widget.id, widget]))
  const widgets = first[board].flatMap((id) => byId.get(id) ?? [])
  const figures = widgets.filter(({ draw }) => draw === 'number')
  const shown = new Set(figures.slice(0, Math.max(4, figures.length - (figures.length % 4))))
  const kept = widgets.filter((widget) => widget.draw !== 'number' || shown.has(widget))
  // Figures first: whole rows of one height.
  return [...kept.filter(({ draw }) => draw === 'number'), ...kept.filter(({ draw }) => draw !== 'number')]
}
