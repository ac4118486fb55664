import { callOf } from '../../../data/calls.ts'
import { tile, type HomeWidget } from '../tile.ts'

const fleetFigures = callOf('fleet.workbench')
const fleetTile = (id: string, title: string, needs = '/tracking/map'): HomeWidget => ({ ...tile(id, title, needs), source: fleetFigures })

/** What the workbench of a dispatcher can show, in its first order. */
export const fleetWidgets: readonly HomeWidget[] = [
  fleetTile('fleet-moving', 'Moving'),
  fleetTile('fleet-idling', 'Idling'),
  fleetTile('fleet-stopped', 'Stopped'),
  fleetTile('fleet-offline', 'Offline'),
  fleetTile('fleet-alarms', 'Alarms that wait', '/tracking/notifications'),
  fleetTile('fleet-fences', 'In fences now', '/reports/standard/fence-stays'),
  fleetTile('fleet-maintenance', 'Maintenance due', '/reports/standard/maintenance-due'),
  fleetTile('fleet-unlinked', 'Without tracker'),
  // Beyond the two whole rows that a board begins with: the ring counts them too.
  fleetTile('fleet-towed', 'Towed'),
  fleetTile('fleet-alarm', 'In alarm'),
  {
    id: 'fleet-map',
    title: 'Where they are',
    period: 'Now',
    draw: 'map',
    source: fleetFigures,
    value: 'places',
    open: '/tracking/map',
    span: 12,
    needs: '/tracking/map',
  },
  {
    id: 'fleet-events',
    title: 'Last events',
    draw: 'table',
    source: fleetFigures,
    value: 'events',
    open: '/tracking/notifications?show=all',
    span: 12,
    needs: '/tracking/notifications',
  },
  {
    id: 'fleet-states',
    title: 'Vehicles by state',
    period: 'Now',
    draw: 'donut',
    source: fleetFigures,
    value: 'states',
    labelKey: 'label',
    valueKey: 'value',
    openKey: 'open',
    span: 12,
    needs: '/tracking/map',
  },
]
