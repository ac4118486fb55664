import type { BoardWidget } from '../../kernel/screens/widgets.ts'

const [map, alarms, reports] = ['/tracking/map', '/tracking/notifications', '/reports/standard']

/** The numbers of the workbench in their first order, with the screen that each opens. */
const figures: readonly (readonly [id: string, title: string, open: string])[] = [
  ['fleet-moving', 'Moving', map],
  ['fleet-idling', 'Idling', map],
  ['fleet-stopped', 'Stopped', map],
  ['fleet-offline', 'Offline', map],
  ['fleet-alarms', 'Alarms that wait', alarms],
  ['fleet-fences', 'In fences now', `${reports}/fence-stays`],
  ['fleet-maintenance', 'Maintenance due', `${reports}/maintenance-due`],
  ['fleet-unlinked', 'Without tracker', map],
  // Beyond the two whole rows that a board begins with: the ring counts them too.
  ['fleet-towed', 'Towed', map],
  ['fleet-alarm', 'In alarm', map],
]
const source = 'fleet.workbench'

const widgets: readonly BoardWidget[] = [
  ...figures.map(([id, title, open], place): BoardWidget => ({
    id,
    title,
    draw: 'number',
    source,
    value: `tiles.${id}`,
    open,
    span: 6,
    on: { fleet: 10 * (place + 1) },
  })),
  {
    id: 'fleet-map',
    title: 'Where they are',
    period: 'Now',
    draw: 'map',
    source,
    value: 'places',
    open: map,
    span: 12,
    on: { fleet: 110 },
  },
  {
    id: 'fleet-events',
    title: 'Last events',
    draw: 'table',
    source,
    value: 'events',
    open: `${alarms}?show=all`,
    span: 12,
    on: { fleet: 120 },
  },
  {
    id: 'fleet-states',
    title: 'Vehicles by state',
    period: 'Now',
    draw: 'donut',
    source,
    value: 'states',
    open: map,
    openKey: 'open',
    labelKey: 'label',
    valueKey: 'value',
    span: 12,
    on: { fleet: 130 },
  },
]

/** What the workbench of a dispatcher can show; without a geo service there are no reports to open. */
export const fleetWidgets = (geoUrl: string | undefined): readonly BoardWidget[] =>
  geoUrl === undefined ? widgets.filter(({ open }) => !open?.startsWith(reports)) : widgets
