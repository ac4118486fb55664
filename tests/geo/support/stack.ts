import { geoKeysOf } from '@outpost/platform/geo-keys'
import { createCounters } from '@outpost/platform/http/counters'
import { createHttp } from '@outpost/platform/http/create'
import { createLog } from '@outpost/platform/log'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { addApi } from '../../../apps/geo/src/calls.ts'
import { createPlaceNames } from '../../../apps/geo/src/api/places.ts'
import type { GeoServices } from '../../../apps/geo/src/api/types.ts'
import { agentsArea } from '../../../apps/server/src/areas/agents/index.ts'
import { authArea } from '../../../apps/server/src/areas/auth/index.ts'
import { geoArea } from '../../../apps/server/src/areas/geo/index.ts'
import type { Area } from '../../../apps/server/src/kernel/types.ts'
import type { Machine } from '../../../apps/server/src/machine.ts'
import { createGeoClient, type GeoClient } from '../../../apps/server/src/kernel/geo-client/client.ts'
import { testApp, type TestApp } from '../../support/app.ts'

export interface GeoStack {
  app: TestApp
  pools: GeoPools
  /** Address of the geo service's own API. */
  url: string
  /** Commands the service was told to send. */
  queued: { deviceId: string; id: string }[]
  /** Ends the geo service alone. */
  closeGeo(): Promise<void>
  close(): Promise<void>
}

/** The areas of the server, the geo area among them; the client is for further areas that show what the service keeps. */
type Areas = (machine: Machine, geo: Area, client: GeoClient) => Area[]

/** Server, geo API and Postgres, speaking to each other over HTTP as they do in production. */
export async function geoStack(
  services: Partial<GeoServices> = {},
  env: Record<string, string> = {},
  choose: Areas = (machine, geo) => [authArea(machine), agentsArea, geo],
): Promise<GeoStack> {
  const queued: GeoStack['queued'] = []
  // The database is the server's test app's; the geo service comes up after it.
  const link: { client?: GeoClient } = {}
  const later: GeoClient = {
    call: (ctx, call) => link.client!.call(ctx, call),
    get upstream() {
      return link.client!.upstream
    },
    close: async () => link.client?.close(),
  }
  const app = await testApp({ env, areas: (machine) => choose(machine, geoArea(machine, later), later) })
  const log = createLog({ level: process.env.TEST_LOG ?? 'silent' })
  // Load is no fault here, as in testApp.
  const pools = createGeoPools({ url: app.database.url, secret: app.database.secret, log, patience: 30 })
  const counters = createCounters({ log })
  const http = await createHttp({ log, counters, health: { checks: [], isOpen: () => true }, perAddress: 0, pressureLagMs: 0 })
  await addApi(http, {
    pool: pools.geo,
    keys: geoKeysOf(app.database),
    log,
    feedHosts: ['127.0.0.1'],
    services: {
      ...createPlaceNames(),
      commandQueued: ({ deviceId, id }) => void queued.push({ deviceId, id }),
      ...services,
    },
  })
  // Where the server was told an address beforehand, it is there.
  const url = await http.listen({ host: '127.0.0.1', port: env.GEO_URL === undefined ? 0 : Number(new URL(env.GEO_URL).port) })
  link.client = createGeoClient({ url })
  return {
    app,
    pools,
    url,
    queued,
    closeGeo: () => http.close(),
    close: async () => {
      await link.client?.close()
      await http.close()
      await Promise.all([pools.close(), counters.close()])
      await app.close()
    },
  }
}
