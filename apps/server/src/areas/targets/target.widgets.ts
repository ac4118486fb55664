import type { BoardWidget } from '../../kernel/screens/widgets.ts'

const drawn = { draw: 'bars', value: 'targets', labelKey: 'label', valueKey: 'percent', open: '/sales/targets', span: 12 } as const

/** What dashboards draw of targets: one's own, and those of branches and teams. */
export const targetWidgets: readonly BoardWidget[] = [
  {
    ...drawn,
    id: 'targets-mine',
    title: 'My targets, % reached',
    period: 'Running now',
    source: 'targets.reached',
    on: { home: {}, sales: { own: 50 } },
  },
  {
    ...drawn,
    id: 'targets-teams',
    title: 'Targets of branches and teams, % reached',
    period: 'Running now, furthest behind first',
    source: 'targets.teamsReached',
    openKey: 'open',
    on: { home: { director: 50, branch: 100, team: 100 }, sales: { director: 50, branch: 50, team: 110 } },
  },
]
