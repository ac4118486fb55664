import type { ConsoleFrame } from '@outpost/contract/console'
import type { FilterTerm } from '@outpost/contract/envelope'
import type { WidgetView } from '@outpost/contract/views'

/** A widget and the screen a user must have for it. */
interface HomeWidget extends WidgetView { needs: string }

const figures = { method: 'GET', path: '/api/home/figures' } as const
const leadFigures = { method: 'GET', path: '/api/leads/figures' } as const
const leadsWhere = (...terms: FilterTerm[]) => `/sales/leads?filter=${JSON.stringify(terms)}`
const [leads, activities] = ['/sales/leads', '/sales/activities']

/** Everything the dashboard can show, in its first order. */
const all: readonly HomeWidget[] = [
  { id: 'leads-today', title: 'Leads captured today', draw: 'number', source: figures, value: 'leads.today', open: leads, span: 6, needs: leads },
  { id: 'leads-week', title: 'Leads in 7 days', draw: 'number', source: figures, value: 'leads.week', open: leads, span: 6, needs: leads },
  { id: 'leads-unassigned', title: 'Leads without an agent', draw: 'number', source: figures, value: 'leads.unassigned', open: leadsWhere({ field: 'status', op: 'eq', value: 'New' }, { field: 'assignedUserId', op: 'empty' }), span: 6, needs: leads },
  { id: 'leads-consent', title: 'Waiting for consent', draw: 'number', source: figures, value: 'leads.awaitingConsent', open: leadsWhere({ field: 'consentStatus', op: 'eq', value: 'REQUESTED' }), span: 6, needs: leads },
  { id: 'activities-today', title: 'Activities today', draw: 'number', source: figures, value: 'activities.today', open: activities, span: 6, needs: activities },
  { id: 'activities-done', title: 'Done today', draw: 'number', source: figures, value: 'activities.doneToday', open: activities, span: 6, needs: activities },
  { id: 'activities-overdue', title: 'Overdue activities', draw: 'number', source: figures, value: 'activities.overdue', open: activities, span: 6, needs: activities },
  { id: 'agents-online', title: 'Agents online', draw: 'number', source: figures, value: 'agentsOnline', open: '/sales/agents/actions', span: 6, needs: '/sales/agents/actions' },
  { id: 'my-leads', title: 'My leads', draw: 'number', source: figures, value: 'leads.mine', open: leads, span: 6, needs: leads },
  { id: 'my-day', title: 'My activities today', draw: 'number', source: figures, value: 'activities.mineToday', open: '/agents/landingpage', span: 6, needs: '/agents/landingpage' },
  { id: 'my-overdue', title: 'My overdue activities', draw: 'number', source: figures, value: 'activities.mineOverdue', open: '/agents/landingpage', span: 6, needs: '/agents/landingpage' },
  { id: 'leads-status', title: 'Leads by status', draw: 'donut', source: leadFigures, value: 'byStatus', labelKey: 'label', valueKey: 'value', open: '/sales/leads?filter=[{"field":"status","op":"eq","value":":label"}]', span: 12, needs: leads },
  { id: 'leads-day', title: 'Leads a day', draw: 'line', source: leadFigures, value: 'byDay', labelKey: 'label', valueKey: 'value', span: 24, needs: leads },
  { id: 'leads-agent', title: 'Leads by agent', draw: 'bars', source: leadFigures, value: 'byAgent', labelKey: 'label', valueKey: 'value', span: 12, needs: leads },
]

/** Shown until the user chooses otherwise. */
const first = ['leads-today', 'leads-week', 'leads-consent', 'my-leads', 'activities-today', 'activities-overdue', 'my-day', 'my-overdue', 'leads-status', 'leads-agent', 'leads-day']

/** Widgets the user may have: those whose screen is open to them; a link to a screen they lack is dropped. */
export function permittedWidgets(frame: Pick<ConsoleFrame, 'screens'>): WidgetView[] {
  const permitted = new Set(frame.screens.filter((screen) => screen.permitted).map((screen) => screen.path))
  return all.filter((widget) => permitted.has(widget.needs)).map(({ needs: _needs, ...widget }) => widget)
}

/** The chosen widgets in their order; unknown ids (of screens lost since) are left out. */
export function arrange(permitted: readonly WidgetView[], chosen: readonly string[] | null): WidgetView[] {
  const byId = new Map(permitted.map((widget) => [widget.id, widget]))
  const widgets = (chosen ?? first).flatMap((id) => byId.get(id) ?? [])
  return chosen ? widgets : wholeRows(widgets)
}

/** Without the figures that would stand alone in a row of four. */
function wholeRows(widgets: readonly WidgetView[]): WidgetView[] {
  const figures = widgets.filter(({ draw }) => draw === 'number')
  const shown = new Set(figures.slice(0, Math.max(4, figures.length - (figures.length % 4))))
  return widgets.filter((widget) => widget.draw !== 'number' || shown.has(widget))
}

/** A list with one entry moved up (-1) or down (1); at the ends it stays. */
export function moved(ids: readonly string[], id: string, by: -1 | 1): string[] {
  const from = ids.indexOf(id)
  const to = from + by
  if (from < 0 || to < 0 || to >= ids.length) return [...ids]
  return ids.with(from, ids[to] ?? id).with(to, id)
}
