import { geoCalls, geoShapes, mayFollowPositions, type GeoCallDefinition } from '@outpost/contract/geo'
import { defineArea, may, route } from '../../kernel/area.ts'
import { createGeoClient, type GeoClient } from '../../kernel/geo-client/client.ts'
import { pass } from '../../kernel/geo-client/pass.ts'
import { bus } from '../../kernel/realtime/bus.ts'
import { message } from '../../kernel/realtime/messages.ts'
import type { Area } from '../../kernel/types.ts'
import { withWork } from './user-trips.ts'

/**
 * The geo service's own API as the specification calls it, under /geo; its lines stand in contract/geo.ts. Each call is
 * a route like any other: the guard, the API document and the generated probes see it, and what is not listed does not exist.
 */
export function geoArea({ env }: { env: { GEO_URL?: string | undefined } }, client: GeoClient = createGeoClient({ url: env.GEO_URL })): Area {
  const calls: [string, GeoCallDefinition][] = Object.entries(geoCalls)
  return defineArea({
    name: 'geo',
    routes: calls.map(([name, call]) => {
      const passed = pass(client, { ...call, shapes: geoShapes })
      return route(`geo.${name}`, call.method, `/geo${call.path}`, may(...call.anyOf), name === 'userTrips' ? withWork(passed) : passed, call.own ? { own: true } : {})
    }),
    messages: [
      message('followPositions', may(...mayFollowPositions), async ({ company }, { box }, line) => {
        line.follows.add('positions')
        line.view = box ? { box, since: Date.now() } : null
        bus()?.publish('geo.followed', { companyIds: [company.id] })
        line.send('following', { box: box ?? null })
      }),
      message('unfollowPositions', may(...mayFollowPositions), async (_ctx, _input, line) => {
        line.follows.delete('positions')
        line.view = null
      }),
    ],
  })
}
