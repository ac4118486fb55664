import { geoCalls, type GeoCallDefinition, type GeoCallName } from '@outpost/contract/geo/calls'
import { may } from '../../../kernel/area.ts'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import { remoteRoutes } from '../../../kernel/remote/remote.ts'
import { custom, customOf, detailOf, formOf, listOf, screen } from '../../../kernel/screens/screen.ts'
import type { AnyResource, Route, Screen } from '../../../kernel/types.ts'
import { savedCommand } from './command.resource.ts'
import { driver } from './driver.resource.ts'
import { fence } from './fence.resource.ts'
import { eventReaction } from './reaction.resource.ts'
import { eventRule } from './rule.resource.ts'

export const fleetResources: AnyResource[] = [fence, eventRule, eventReaction, savedCommand, driver]

/** The calls of the console's own views of them. */
export const resourceRoutes = (client: GeoClient): Route[] => [
  ...remoteRoutes(client, fence, { area: 'fences', path: '/api/tracking/fences' }),
  ...remoteRoutes(client, eventRule, { area: 'eventIos', path: '/api/tracking/event-ios' }),
  ...remoteRoutes(client, eventReaction, { area: 'eventActions', path: '/api/tracking/event-actions' }),
  ...remoteRoutes(client, savedCommand, { area: 'commands', path: '/api/tracking/commands' }),
  ...remoteRoutes(client, driver, { area: 'drivers', path: '/api/tracking/drivers' }),
]

const access = (name: GeoCallName) => {
  const { anyOf }: GeoCallDefinition = geoCalls[name]
  return may(...anyOf)
}
const list = (resource: AnyResource, source: string) => listOf(resource, { source, overrides: { exportReport: 'exportList' } })
const under = (label: string, icon: string, order: number) => ({ menu: { under: 'tracking', label, icon, order } })

export const resourceScreens: Screen[] = [
  screen('/tracking/map', access('positions.list'), custom('live-map', 'Live map'), { ...under('Map', 'map', 1), offline: true }),
  screen(
    '/tracking/devices/unlinked',
    access('devices.unlinked'),
    custom('unlinked-devices', 'Unlinked devices'),
    under('Unlinked devices', 'warning', 12),
  ),
  screen('/tracking/devices/hardware', access('devices.hardware'), custom('device-hardware', 'Hardware')),
  screen('/tracking/replay/:id/:date', access('positions.list'), custom('replay', 'Replay')),
  screen(
    '/tracking/device-trips',
    access('deviceTrips'),
    custom('fleet-trips', 'Device trips', () => ({ of: 'device' })),
    under('Device trips', 'route', 70),
  ),
  screen(
    '/tracking/asset-trips',
    access('deviceTrips'),
    custom('fleet-trips', 'Asset trips', () => ({ of: 'asset' })),
    under('Asset trips', 'route', 71),
  ),
  screen('/tracking/notifications', access('events.list'), custom('fleet-events', 'Notifications'), under('Notifications', 'bell', 75)),
  screen('/tracking/fences', access('geofences.list'), list(fence, 'fences.list'), under('Geofences', 'fence', 20)),
  screen(
    '/tracking/devices/import',
    access('devices.import'),
    custom('fleet-import', 'Import devices', () => ({ of: 'device' })),
  ),
  screen(
    '/tracking/fences/import',
    access('geofences.import'),
    custom('fleet-import', 'Import fences', () => ({ of: 'fence' })),
  ),
  screen('/tracking/fences/export', access('geofences.list'), custom('fence-export', 'Fences as a map file')),
  screen('/tracking/fences/create', access('geofences.create'), customOf(fence, 'create', 'fence-editor', 'New fence')),
  screen('/tracking/fences/edit/:id', access('geofences.get'), customOf(fence, 'edit', 'fence-editor', 'Fence')),
  screen('/tracking/commands', access('commands.list'), list(savedCommand, 'commands.list'), under('Commands', 'console', 30)),
  screen('/tracking/commands/send', access('commands.sent'), custom('send-commands', 'Send commands')),
  screen('/tracking/commands/create', access('commands.create'), customOf(savedCommand, 'create', 'command-editor', 'New command')),
  screen('/tracking/commands/edit/:id', access('commands.update'), customOf(savedCommand, 'edit', 'command-editor', 'Command')),
  screen('/tracking/event-ios', access('eventIos.list'), list(eventRule, 'eventIos.list'), under('Event IO', 'alert', 40)),
  screen('/tracking/event-ios/create', access('eventIos.create'), customOf(eventRule, 'create', 'rule-editor', 'New event rule')),
  screen('/tracking/event-ios/edit/:id', access('eventIos.update'), customOf(eventRule, 'edit', 'rule-editor', 'Event rule')),
  screen('/tracking/drivers', access('drivers.list'), list(driver, 'drivers.list'), under('Drivers', 'user', 50)),
  screen('/tracking/drivers/create', access('drivers.create'), formOf(driver)),
  screen('/tracking/drivers/edit/:id', access('drivers.update'), formOf(driver)),
  screen('/tracking/drivers/:id/view', access('drivers.get'), detailOf(driver)),
  screen(
    '/tracking/event-actions',
    access('eventActions.list'),
    list(eventReaction, 'eventActions.list'),
    under('Event actions', 'thunderbolt', 60),
  ),
  screen(
    '/tracking/event-actions/create',
    access('eventActions.create'),
    customOf(eventReaction, 'create', 'reaction-editor', 'New event action'),
  ),
  screen(
    '/tracking/event-actions/edit/:id',
    access('eventActions.update'),
    customOf(eventReaction, 'edit', 'reaction-editor', 'Event action'),
  ),
]
