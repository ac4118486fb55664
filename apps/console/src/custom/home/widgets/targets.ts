import { callOf } from '../../../data/calls.ts'
import { type HomeWidget } from '../tile.ts'

const screen = '/sales/targets'

/** Of targets: one's own, and those of branches and teams. */
export const targetWidgets: readonly HomeWidget[] = [
  {
    id: 'targets-mine',
    title: 'My targets, % reached',
    period: 'Running now',
    draw: 'bars',
    source: callOf('targets.reached'),
    value: 'targets',
    labelKey: 'label',
    valueKey: 'percent',
    open: screen,
    span: 12,
    needs: screen,
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
    open: screen,
    openKey: 'open',
    span: 12,
    needs: screen,
  },
]
