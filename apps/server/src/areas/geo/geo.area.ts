import type { Access } from '@outpost/contract/permissions'
import { defineArea, may, route } from '../../kernel/area.ts'
import { createGeoClient, type GeoClient } from '../../kernel/geo-client/client.ts'
import { pass, type PassTarget } from '../../kernel/geo-client/pass.ts'
import type { Area, Route } from '../../kernel/types.ts'

/** Who sees where people and vehicles are. */
const see = may('SALES/AGENT/POSITION', 'ADMIN/LOCATIONS')
/** Who manages fences, devices, rules and drivers: the specification has no permission of their own for them. */
const read = may('ADMIN/LOCATIONS', 'SALES/AGENT/POSITION')
const add = may('ADMIN/LOCATIONS/CREATE')
const edit = may('ADMIN/LOCATIONS/EDIT')
const drop = may('ADMIN/LOCATIONS/DELETE')
/** A command may stop an engine. */
const command = may('ADMIN/SETTINGS')

const number = /^\d{1,10}$/
const shapes = {
  zoom: /^\d{1,2}$/, x: /^-?\d{1,10}$/, y: /^-?\d{1,10}$/, commandType: /^[A-Za-z][A-Za-z0-9]{0,40}$/,
  coordinates: /^-?\d{1,3}(\.\d{1,12})?,-?\d{1,3}(\.\d{1,12})?$/, deviceId: /^[A-Za-z0-9_-]{1,64}$/, number,
}

/**
 * The geo service's own API as the specification calls it, under /geo. Each call stands in the route table like any
 * other: the guard, the API document and the generated probes see it, and what is not listed does not exist.
 */
export function geoArea({ env }: { env: { GEO_URL?: string | undefined } }, client: GeoClient = createGeoClient({ url: env.GEO_URL })): Area {
  const call = (name: string, method: Route['method'], path: string, access: Access, more: Partial<PassTarget> = {}) =>
    route(`geo.${name}`, method, `/geo${path}`, access, pass(client, { method, path, shapes, ...more }))
  const entity = (name: string, path: string, options: { list?: readonly string[], fixed?: Record<string, unknown>, hasGet?: boolean } = {}) => {
    const fixed = options.fixed ? { fixed: options.fixed } : {}
    return [
      call(`${name}.list`, 'GET', path, read, { query: options.list ?? [] }),
      call(`${name}.create`, 'POST', path, add, fixed),
      ...(options.hasGet === false ? [] : [call(`${name}.get`, 'GET', `${path}/:id`, read)]),
      call(`${name}.update`, 'PUT', `${path}/:id`, edit),
      call(`${name}.remove`, 'DELETE', `${path}/:id`, drop),
    ]
  }
  return defineArea({
    name: 'geo',
    routes: [
      ...entity('geofences', '/geofences', { list: ['deviceId'] }),
      ...entity('devices', '/devices'),
      call('devices.search', 'GET', '/devices/search', read, { query: ['search'] }),
      call('devices.sendCommand', 'POST', '/devices/sendCommand/:deviceId/:commandType', command),
      call('positions.list', 'GET', '/positions', see),
      call('positions.get', 'GET', '/positions/:id', see),
      call('mapzoom', 'GET', '/mapzoom/zoom/:zoom/:x/:y', see, { query: ['forceNoSum'] }),
      call('permissions.list', 'GET', '/permissions', read),
      call('permissions.create', 'POST', '/permissions', edit),
      call('permissions.remove', 'DELETE', '/permissions', edit),
      ...entity('commands', '/commands', { fixed: { type: 'command' } }),
      ...entity('eventIos', '/eventIos', { fixed: { type: 'event' } }),
      ...entity('drivers', '/drivers', { hasGet: false }),
      call('deviceTrips', 'GET', '/deviceTrips/trip', see, { query: ['deviceid', 'fromdate', 'todate'] }),
      call('userTrips', 'GET', '/usertraking/trip', see, { query: ['userId', 'fromdate', 'todate'] }),
      ...entity('eventActions', '/eventActions', { fixed: { type: 'eventAction' } }),
      call('geocoding', 'GET', '/geocoding/position/:coordinates', see),
    ],
  })
}
