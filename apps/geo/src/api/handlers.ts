import type { GeoCallName } from '@outpost/contract/geo/calls'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { create, get, list, remove, sortFields, sortOrders, update } from './crud/handlers.ts'
import { importMany } from './crud/import.ts'
import { filterConditions, filterText } from './crud/filter.ts'
import { listRecords } from './crud/read.ts'
import { listAssetDevices, listAssetPlaces, listUnlinked, measuredByAsset } from './asset-devices.ts'
import { setAsset } from './device-asset.ts'
import { getDevice } from './device-detail.ts'
import { readDevice } from './devices.ts'
import { eventChanges } from './events/changes.ts'
import { listEvents } from './events/list.ts'
import { acknowledgeEvent, getEvent } from './events/one.ts'
import { describePlace } from './geocoding.ts'
import { examineDevice } from './doctor.ts'
import { reviewCrash } from './crashes.ts'
import { previewRule } from './rule-preview.ts'
import { deviceHardware, deviceStats } from './device-figures.ts'
import { createFeed, showImport, startImport } from './feeds.ts'
import { id, listShape, type ListInput } from './input.ts'
import { createLink, listLinks, removeLink, setLinks } from './links.ts'
import { mapzoom } from './mapzoom.ts'
import { setEngineHours, setOdometer } from './readings/set.ts'
import { deviceStatus } from './positions/fields.ts'
import { positionChanges } from './positions/changes.ts'
import { pageOfPositions } from './positions/page.ts'
import { getPosition, listPositions } from './positions/handlers.ts'
import { device } from './resources/device.ts'
import { driver } from './resources/driver.ts'
import { eventAction } from './resources/event-action.ts'
import { eventIo } from './resources/event-io.ts'
import { feed } from './resources/feed.ts'
import { geofence, geofenceOf, linkedTo } from './resources/geofence.ts'
import { savedCommand } from './resources/saved-command.ts'
import { sendCommand } from './send-command.ts'
import { listSentCommands } from './sent-commands.ts'
import { getSettings, updateSettings } from './settings.ts'
import { deviceTrips } from './trips/device.ts'
import { userTrips } from './trips/user.ts'
import { handler, type Handler } from './types.ts'

/** Lists all fences; with a device, those linked to it and its state at each. */
const listGeofences = handler(
  z.strictObject({
    ...listShape,
    sortField: sortFields,
    sortOrder: sortOrders,
    filter: filterText.optional(),
    deviceId: id.optional(),
    type: z.enum(['geofence', 'poi']).optional(),
  }),
  async (ctx, { deviceId, type, filter, ...given }) => {
    const input = given as ListInput
    const ofType = [...(type === undefined ? [] : [sql`t."type" = ${type}`]), ...filterConditions(ctx, geofence, filter)]
    if (deviceId === undefined) return listRecords(ctx, geofence, input, ofType)
    await readDevice(ctx, deviceId)
    return listRecords(ctx, geofenceOf(deviceId), input, [...ofType, linkedTo(deviceId)])
  },
)

/** The handler of each call of contract/geo.ts; the compiler requires all of them. */
export const handlers: Readonly<Record<GeoCallName, Handler>> = {
  'geofences.list': listGeofences,
  'geofences.create': create(geofence),
  'geofences.import': importMany(geofence, { never: [] }),
  'geofences.get': get(geofence),
  'geofences.update': update(geofence),
  'geofences.setDevices': setLinks,
  'geofences.remove': remove(geofence),
  'devices.list': list(device, { status: z.enum(['online', 'offline', 'unknown', 'disabled']).optional() }, ({ status }) =>
    status === undefined ? [] : [sql`${deviceStatus} = ${status}`],
  ),
  'devices.create': create(device),
  'devices.import': importMany(device, { never: ['token'] }),
  'devices.get': getDevice,
  'devices.doctor': examineDevice,
  'devices.update': update(device),
  'devices.setAsset': setAsset,
  'devices.setOdometer': setOdometer,
  'devices.setEngineHours': setEngineHours,
  'devices.remove': remove(device),
  'devices.stats': deviceStats,
  'devices.hardware': deviceHardware,
  'positions.page': pageOfPositions,
  'devices.unlinked': listUnlinked,
  'assets.devices': listAssetDevices,
  'assets.places': listAssetPlaces,
  'assets.measured': measuredByAsset,
  'devices.search': list(device, {}),
  'devices.sendCommand': sendCommand,
  'positions.list': listPositions,
  'positions.changes': positionChanges,
  'positions.get': getPosition,
  mapzoom: mapzoom,
  'permissions.list': listLinks,
  'permissions.create': createLink,
  'permissions.remove': removeLink,
  'commands.list': list(savedCommand, {}),
  'commands.sent': listSentCommands,
  'commands.create': create(savedCommand),
  'commands.get': get(savedCommand),
  'commands.update': update(savedCommand),
  'commands.remove': remove(savedCommand),
  'eventIos.list': list(eventIo, {}),
  'eventIos.create': create(eventIo),
  'eventIos.get': get(eventIo),
  'eventIos.update': update(eventIo),
  'eventIos.remove': remove(eventIo),
  'drivers.list': list(driver, {}),
  'drivers.create': create(driver),
  'drivers.get': get(driver),
  'drivers.update': update(driver),
  'drivers.remove': remove(driver),
  deviceTrips: deviceTrips,
  userTrips: userTrips,
  'eventActions.list': list(eventAction, { eventIoId: id.optional() }, ({ eventIoId }) =>
    eventIoId === undefined ? [] : [sql`t."eventIoId" = ${eventIoId}`],
  ),
  'eventActions.create': create(eventAction),
  'eventActions.get': get(eventAction),
  'eventActions.update': update(eventAction),
  'eventActions.remove': remove(eventAction),
  'feeds.list': list(feed, {}),
  'feeds.create': createFeed,
  'feeds.get': get(feed),
  'feeds.update': update(feed),
  'feeds.remove': remove(feed),
  'feeds.import': startImport,
  'feeds.progress': showImport,
  'companySettings.get': getSettings,
  'companySettings.update': updateSettings,
  'events.list': listEvents,
  'events.changes': eventChanges,
  'events.get': getEvent,
  'events.acknowledge': acknowledgeEvent,
  'crashes.review': reviewCrash,
  'eventIos.preview': previewRule,
  geocoding: describePlace,
}
