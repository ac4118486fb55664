import { fail } from '@outpost/contract/errors'
import { geoCalls } from '@outpost/contract/geo/calls'
import { geoAnswers } from '@outpost/contract/geo/answers'
import { z } from 'zod'
import { may, route } from '../../../kernel/area.ts'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Operation, Route } from '../../../kernel/types.ts'
import { askGeo } from './ask-geo.ts'
import { listRoute, passRoute } from './pass-list.ts'

const byName = ['name', 'DESC'] as const
const all = 10_000

/** Fences, points of interest and what is watched at them. */
export function fenceCalls(client: GeoClient): Route[] {
  return [
    listRoute(client, 'geofences.list', { route: 'fences.page', path: '/api/geo/fences', sort: byName, query: ['deviceId', 'type'] }),
    listRoute(client, 'geofences.list', { route: 'fences.poi', path: '/api/geo/fences/poi', sort: byName, fixed: { type: 'poi' } }),
    listRoute(client, 'geofences.list', {
      route: 'fences.all',
      path: '/api/geo/fences/all/:x',
      sort: byName,
      size: all,
      parts: { x: null },
    }),
    listRoute(client, 'geofences.list', {
      route: 'fences.allPoi',
      path: '/api/geo/fences/poi/all/:x',
      sort: byName,
      size: all,
      fixed: { type: 'poi' },
      parts: { x: null },
    }),
    passRoute(client, 'geofences.get', { route: 'fences.one', path: '/api/geo/fences/:id' }),
    passRoute(client, 'geofences.get', { route: 'fences.onePoi', path: '/api/geo/fences/poi/:id' }),
    passRoute(client, 'geofences.create', { route: 'fences.add', path: '/api/geo/fences' }),
    passRoute(client, 'geofences.update', { route: 'fences.change', path: '/api/geo/fences/:id' }),
    passRoute(client, 'geofences.update', { route: 'fences.changePoi', path: '/api/geo/fences/poi/:id', fixed: { type: 'poi' } }),
    passRoute(client, 'geofences.remove', { route: 'fences.drop', path: '/api/geo/fences/:id' }),
    passRoute(client, 'geofences.remove', { route: 'fences.dropPoi', path: '/api/geo/fences/poi/:id' }),
    passRoute(client, 'permissions.create', { route: 'geoPermissions.add', path: '/api/geo/permissions' }),
    passRoute(client, 'permissions.remove', { route: 'geoPermissions.drop', path: '/api/geo/permissions' }),
    listRoute(client, 'permissions.list', {
      route: 'geoPermissions.ofFence',
      path: '/api/geo/permissions/:id',
      size: all,
      owner: 'geofences.get',
      parts: { id: 'of' },
    }),
    listRoute(client, 'permissions.list', {
      route: 'geoPermissions.ofDevice',
      path: '/api/geo/permissions/device/:id',
      size: all,
      owner: 'devices.get',
      parts: { id: 'deviceId' },
    }),
    passRoute(client, 'geocoding', { route: 'geocoding.position', path: '/api/geo/geocoding/position/:coordinates' }),
  ]
}

const changed = z.looseObject({ Id: idSchema.optional(), id: idSchema.optional() })

/** PUT /api/geo/commands has no id in its path: the body names the command. */
const changeCommand = (client: GeoClient): Operation<z.infer<typeof changed>> => ({
  kind: 'pass',
  input: changed,
  answer: geoAnswers['commands.update'],
  isReadOnly: true,
  run: async (ctx, { Id, id = Id, ...body }) => {
    if (id === undefined) return fail('INVALID', { fields: [{ field: 'Id', message: 'is required' }] })
    const { data } = await askGeo(client, ctx, 'commands.update', {
      params: { id },
      body,
      shape: z.object({ command: z.record(z.string(), z.unknown()) }),
    })
    return { data }
  },
})

/** Commands kept for reuse, rules of events and what follows from them. */
export function ruleCalls(client: GeoClient): Route[] {
  return [
    listRoute(client, 'commands.list', { route: 'commands.page', path: '/api/geo/commands', sort: byName }),
    listRoute(client, 'commands.list', { route: 'commands.all', path: '/api/geo/commands/command/all', sort: byName, size: all }),
    listRoute(client, 'commands.sent', {
      route: 'commands.sent',
      path: '/api/geo/commands/sent',
      sort: ['dateCreated', 'DESC'],
      query: ['deviceId', 'state'],
    }),
    passRoute(client, 'commands.get', { route: 'commands.one', path: '/api/geo/commands/:id' }),
    passRoute(client, 'commands.create', { route: 'commands.add', path: '/api/geo/commands' }),
    route('commands.change', 'PUT', '/api/geo/commands', may(...geoCalls['commands.update'].anyOf), changeCommand(client)),
    passRoute(client, 'commands.remove', { route: 'commands.drop', path: '/api/geo/commands/:id' }),
    listRoute(client, 'eventActions.list', { route: 'eventActions.page', path: '/api/geo/eventActions', sort: byName }),
    passRoute(client, 'eventActions.get', { route: 'eventActions.one', path: '/api/geo/eventActions/:id' }),
    passRoute(client, 'eventActions.update', { route: 'eventActions.change', path: '/api/geo/eventActions/:id' }),
    passRoute(client, 'eventActions.remove', { route: 'eventActions.drop', path: '/api/geo/eventActions/:id' }),
    passRoute(client, 'eventActions.create', { route: 'eventActions.add', path: '/api/geo/eventActions' }),
    listRoute(client, 'eventActions.list', {
      route: 'eventActions.ofRule',
      path: '/api/geo/eventActions/eventios/:id',
      sort: byName,
      owner: 'eventIos.get',
      parts: { id: 'eventIoId' },
    }),
    listRoute(client, 'eventIos.list', { route: 'eventIos.page', path: '/api/geo/eventIos', sort: byName }),
    passRoute(client, 'eventIos.get', { route: 'eventIos.one', path: '/api/geo/eventIos/:id' }),
    passRoute(client, 'eventIos.update', { route: 'eventIos.change', path: '/api/geo/eventIos/:id' }),
    passRoute(client, 'eventIos.remove', { route: 'eventIos.drop', path: '/api/geo/eventIos/:id' }),
    passRoute(client, 'eventIos.create', { route: 'eventIos.add', path: '/api/geo/eventIos' }),
  ]
}
