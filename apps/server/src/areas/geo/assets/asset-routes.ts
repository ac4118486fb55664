import { geoCalls } from '@outpost/contract/geo/calls'
import { may, route } from '../../../kernel/area.ts'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import { fileRoutes } from '../../../kernel/keeps/files.ts'
import { comment } from '../../../kernel/keeps/comments.ts'
import { history } from '../../../kernel/keeps/history.ts'
import { create, get, list, remove, restore, update } from '../../../kernel/resource/operations.ts'
import { detailOf, formOf, listOf, screen } from '../../../kernel/screens/screen.ts'
import type { Route, Screen } from '../../../kernel/types.ts'
import { assetTrips } from '../calls/trip-calls.ts'
import * as call from './asset-calls.ts'
import { assetCategory } from './asset-category.resource.ts'
import { assetGroup } from './asset-group.resource.ts'
import { asset } from './asset.resource.ts'

const [see, add, edit, drop] = [
  may(...geoCalls['devices.list'].anyOf),
  may(...geoCalls['devices.create'].anyOf),
  may(...geoCalls['devices.update'].anyOf),
  may(...geoCalls['devices.remove'].anyOf),
]
/** Who changes a group decides who sees its assets. */
const govern = may('ADMIN/SETTINGS')
const own = { own: true }
const direct = { ownTransaction: true }

/** Assets, their groups and categories: the calls of the specification, and those that the console's own views make. */
export function assetRoutes(client: GeoClient): Route[] {
  return [
    route('assets.page', 'GET', '/api/geo/asset', see, call.listAssets(client)),
    route('assets.add', 'POST', '/api/geo/asset', add, call.createAsset(client), direct),
    route('assets.change', 'PUT', '/api/geo/asset', edit, call.updateAsset(client), direct),
    route('assets.one', 'GET', '/api/geo/assets/:id', see, call.getAsset(client)),
    route('assets.details', 'GET', '/api/geo/assets/details/:id', see, call.assetDetails(client)),
    route('assets.devices', 'GET', '/api/geo/assets/devices/:id', see, call.devicesOfAsset(client)),
    route('assets.deviceTypes', 'GET', '/api/geo/asset/device-type', see, call.deviceTypes),
    route('assets.trips', 'POST', '/api/geo/asset/trips', may(...geoCalls.deviceTrips.anyOf), assetTrips(client)),
    route('assets.setOdometer', 'PUT', '/api/geo/assets/:id/odometer', edit, call.setReading(client, 'odometer'), direct),
    route('assets.setEngineHours', 'PUT', '/api/geo/assets/:id/engine-hours', edit, call.setReading(client, 'engineHours'), direct),
    route('assets.setMapIcon', 'PUT', '/api/geo/assets/:id/map-icon', edit, call.setMapIcon(client), direct),
    route('assetGroups.list', 'GET', '/api/geo/asset-group', see, list(assetGroup)),
    route('assetGroups.create', 'POST', '/api/geo/asset-group', govern, create(assetGroup)),
    route('assetGroups.get', 'GET', '/api/geo/asset-group/:id', see, get(assetGroup), own),
    route('assetGroups.update', 'PUT', '/api/geo/asset-group/:id', govern, update(assetGroup)),
    route('assetGroups.remove', 'DELETE', '/api/geo/asset-group/:id', govern, remove(assetGroup)),
    route('assetGroups.timeline', 'GET', '/api/geo/asset-group/:id/timeline', see, history(assetGroup), own),
    route('assetCategories.list', 'GET', '/api/geo/asset-category', see, list(assetCategory)),
    route('assetCategories.create', 'POST', '/api/geo/asset-category', add, create(assetCategory)),
    route('assetCategories.get', 'GET', '/api/geo/asset-category/:id', see, get(assetCategory)),
    route('assetCategories.update', 'PUT', '/api/geo/asset-category/:id', edit, update(assetCategory)),
    route('assetCategories.remove', 'DELETE', '/api/geo/asset-category/:id', drop, remove(assetCategory)),
    route('assets.list', 'GET', '/api/tracking/assets', see, list(asset), own),
    route('assets.get', 'GET', '/api/tracking/assets/:id', see, get(asset), own),
    route('assets.timeline', 'GET', '/api/tracking/assets/:id/timeline', see, history(asset), own),
    route('assets.create', 'POST', '/api/tracking/assets', add, create(asset), own),
    route('assets.remove', 'POST', '/api/tracking/assets/delete', drop, remove(asset), own),
    route('assets.restore', 'POST', '/api/tracking/assets/restore', drop, restore(asset), own),
    route('assets.comment', 'POST', '/api/tracking/assets/:id/comments', see, comment(asset, { open: '/tracking/assets/:id/view' }), own),
    route('assets.update', 'PUT', '/api/tracking/assets/:id', edit, update(asset), own),
    ...fileRoutes(asset, { area: 'assets', path: '/api/tracking/assets', read: see, write: edit }),
  ]
}

export const assetScreens: Screen[] = [
  screen('/tracking/assets', see, listOf(asset, { source: 'assets.list', overrides: { exportReport: 'exportList' } }), {
    menu: { under: 'tracking', label: 'Assets', icon: 'car', order: 5 },
  }),
  screen('/tracking/assets/create', add, formOf(asset)),
  screen('/tracking/assets/edit/:id', edit, formOf(asset)),
  screen('/tracking/assets/:id/view', see, detailOf(asset)),
  screen('/tracking/asset-groups', see, listOf(assetGroup), {
    menu: { under: 'tracking', label: 'Asset groups', icon: 'safety', order: 81 },
  }),
  screen('/tracking/asset-groups/create', govern, formOf(assetGroup)),
  screen('/tracking/asset-groups/edit/:id', govern, formOf(assetGroup)),
  screen('/tracking/asset-categories', see, listOf(assetCategory), {
    menu: { under: 'tracking', label: 'Asset categories', icon: 'tag', order: 82 },
  }),
  screen('/tracking/asset-categories/create', add, formOf(assetCategory)),
  screen('/tracking/asset-categories/edit/:id', edit, formOf(assetCategory)),
]
