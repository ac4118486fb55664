import type { FastifyInstance } from 'fastify'
import { createHttp } from '@outpost/platform/http/create'
import { diskCheck, type HealthCheck } from '@outpost/platform/http/health'
import { drain } from '@outpost/platform/http/shutdown'
import { addApi } from './calls.ts'
import { createPlaceNames } from './api/places.ts'
import { ingestRoutes } from './ingest/http.ts'
import { createHttpStore } from './ingest/http-store.ts'
import { behindProxies } from './ingest/listen/behind-proxies.ts'
import type { Listener } from './ingest/listen/tcp.ts'
import type { Machine } from './machine.ts'

/** Builds the API for the server, not yet listening: health, metrics and the calls. */
export async function createApp(machine: Machine, isOpen: () => boolean): Promise<FastifyInstance> {
  const { env, log, pools, ingestServices } = machine
  const http = await createHttp({ ...httpParts(machine, isOpen), perAddress: 0, keepsRequestId: true, traces: traces(env) })
  await addApi(http, {
    pool: pools.geo,
    keys: env.GEO_KEYS,
    feedHosts: env.FEED_HOSTS,
    log,
    now: ingestServices.now,
    services: {
      ...createPlaceNames(env.GEOCODER_URL === undefined ? undefined : { url: env.GEOCODER_URL, perSecond: env.GEOCODER_PER_SECOND }),
      commandQueued: () => void ingestServices.commands.deliver(),
    },
  })
  return http
}

const traces = ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Machine['env']) => ({ endpoint, service: 'outpost-geo' })

/** Opens the HTTP port for devices; it serves nothing else. */
export function listenHttp(machine: Machine, isOpen: () => boolean): (at: { port: number; host: string }) => Promise<Listener> {
  return async ({ port, host }) => {
    // No limit per address: mobile networks put thousands of phones behind one address. A device's token is its limit.
    // One log line per report would dominate the log.
    const log = machine.log.child({}, { level: 'warn' })
    const parts = httpParts(machine, isOpen)
    const http = await createHttp({
      ...parts,
      health: { ...parts.health, hasMetrics: false },
      log,
      perAddress: 60 * machine.env.DEVICES_PER_ADDRESS,
    })
    await http.register(ingestRoutes, {
      store: createHttpStore(machine.ingestServices, machine.pools.ingest),
      now: machine.ingestServices.now,
    })
    const endWaiting = behindProxies(http.server, { proxies: machine.env.DEVICE_PROXIES, log })
    await http.listen({ port, host })
    const address = http.server.address()
    return {
      port: typeof address === 'object' && address ? address.port : port,
      sockets: () => 0,
      close: () => {
        endWaiting()
        return drain(http)
      },
    }
  }
}

function httpParts(machine: Machine, isOpen: () => boolean) {
  const { env, log, counters } = machine
  return {
    log,
    counters,
    trustProxy: env.TRUST_PROXY,
    pressureLagMs: env.PRESSURE_LAG,
    health: { isOpen, checks: healthChecks(machine), metricsToken: env.METRICS_TOKEN },
  }
}

function healthChecks({ pools, env, ingestServices }: Machine): HealthCheck[] {
  return [
    { name: 'postgres', isRequired: true, check: async () => void (await pools.geo.query('select 1')) },
    diskCheck(env.DATA_DIR),
    {
      name: 'writer',
      isRequired: false,
      check: async () => {
        if (ingestServices.writer.isFull()) throw new Error('positions wait for the database')
      },
    },
  ]
}
