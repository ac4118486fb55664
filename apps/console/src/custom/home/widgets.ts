import type { ConsoleFrame } from '@outpost/contract/console'
import type { WidgetView } from '@outpost/contract/views'
import { firstIds } from './first-widgets.ts'
import type { HomeWidget } from './tile.ts'
import type { Viewpoint } from './viewpoint.ts'
import { activityWidgets } from './widgets/activities.ts'
import { agentWidgets } from './widgets/agents.ts'
import { fleetWidgets } from './widgets/fleet.ts'
import { leadWidgets } from './widgets/leads.ts'
import { lendingWidgets } from './widgets/lending.ts'
import { targetWidgets } from './widgets/targets.ts'
import { taskWidgets } from './widgets/tasks.ts'
import { userWidgets } from './widgets/users.ts'

/** The dashboards there are: where people land, that of the sales work, and that of a dispatcher. */
export type BoardName = 'home' | 'sales' | 'fleet'

/** Everything a dashboard of the sales work can show, in the order of the panel: numbers before drawings. */
const everything: readonly HomeWidget[] = [
  ...leadWidgets,
  ...lendingWidgets,
  ...activityWidgets,
  ...taskWidgets,
  ...agentWidgets,
  ...targetWidgets,
  ...userWidgets,
]
const all = [...everything.filter(({ draw }) => draw === 'number'), ...everything.filter(({ draw }) => draw !== 'number')]

/** Widgets the user may have: those whose screen is open to them; the sales dashboard leaves out what is one's own. */
export function permittedWidgets(frame: Pick<ConsoleFrame, 'screens' | 'user'>, board: BoardName = 'home'): WidgetView[] {
  const permitted = new Set(frame.screens.filter((screen) => screen.permitted).map((screen) => screen.path))
  const held = new Set([...frame.user.permissions, ...frame.user.rolepermissions].map(({ hierarchy }) => hierarchy.toUpperCase()))
  const wanted = board === 'fleet' ? fleetWidgets : board === 'sales' ? all.filter(({ id }) => !id.startsWith('my-')) : all
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
    ...(board === 'fleet' ? fleetWidgets.map(({ id }) => id) : firstIds[board][viewpoint]),
  ].flatMap((id) => byId.get(id) ?? [])
  const figures = widgets.filter(({ draw }) => draw === 'number')
  const shown = new Set(figures.slice(0, Math.max(4, figures.length - (figures.length % 4))))
  const kept = widgets.filter((widget) => widget.draw !== 'number' || shown.has(widget))
  // Figures first: whole rows of one height.
  return [...kept.filter(({ draw }) => draw === 'number'), ...kept.filter(({ draw }) => draw !== 'number')]
}
