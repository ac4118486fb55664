import { resolve } from 'node:path'
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { fail } from '@outpost/contract/errors'
import { createHttp } from '@outpost/platform/http/create'
import { diskCheck, type HealthCheck } from '@outpost/platform/http/health'
import packageJson from '../package.json' with { type: 'json' }
import { createAreas } from './areas/index.ts'
import { tileHosts, tileSource, type Env } from './env.ts'
import { mount, type MountOptions } from './kernel/mount.ts'
import { openapiArea } from './kernel/openapi.ts'
import { startRealtime } from './kernel/realtime/index.ts'
import { consoleArea } from './kernel/screens/console.area.ts'
import { assertSearchFunctions } from './kernel/screens/search-functions.ts'
import { sessionPart } from './kernel/session/layout.ts'
import { openCtx } from './kernel/session/guard.ts'
import { isOwnOrigin } from './kernel/session/origin.ts'
import { loadDeclarations } from './kernel/session/program.ts'
import type { Area } from './kernel/types.ts'
import type { Machine } from './machine.ts'
import { addReference } from './reference.ts'
import { addStatic } from './static.ts'

export const version = packageJson.version

export interface AppOptions {
  /** False while the process is ending: load balancers then send their requests elsewhere. */
  isOpen?: () => boolean
  /** Tests leave out what slow machines would trip over. */
  pressureLagMs?: number
  /** Default: all areas there are. */
  areas?: (machine: Machine) => Area[]
  /** Tests look at each good answer. */
  checkAnswer?: NonNullable<MountOptions['checkAnswer']>
}

export interface App {
  http: FastifyInstance
  areas: Area[]
}

/** The server's HTTP side, not yet listening: limits and headers, sockets, the calls of all areas, the console's files. */
export async function createApp(
  machine: Machine,
  { isOpen = () => true, pressureLagMs, areas: choose = createAreas, checkAnswer }: AppOptions = {},
): Promise<App> {
  const { env, log, counters, services, relay } = machine
  const http = await createHttp({
    ...httpParts(machine, isOpen),
    ...(env.RATE_LIMITS ? {} : { perAddress: 0 }),
    isCompressed: true,
    pressureLagMs: pressureLagMs ?? env.PRESSURE_LAG,
  })
  answerOwnHosts(http, env.HOSTS)
  await http.register(cookie)
  const areas = withOwnCalls(choose(machine), env, { isPart: choose !== createAreas })
  loadDeclarations(services.program, areas)
  await assertSearchFunctions(machine.pools.public, areas)
  await startRealtime({ app: http, areas, services, relay, log, mayOpen: (origin, host) => isOwnOrigin(origin, host, env.PUBLIC_URL) })
  await mount(http, {
    areas,
    log,
    openCtx: (facts) => openCtx(services, facts),
    streams: machine.streams,
    files: machine.files,
    ...(env.RATE_LIMITS ? { counters } : {}),
    ...(checkAnswer ? { checkAnswer } : {}),
  })
  await addReference(http)
  await addStatic(http, {
    tileHosts: tileHosts(env),
    connectivityUrl: env.CONNECTIVITY_URL,
    ...(env.CONSOLE_DIST ? { folder: resolve(env.CONSOLE_DIST) } : {}),
  })
  return { http, areas }
}

/** What a worker shows of itself: health and figures, nothing else. */
export function createHealth(machine: Machine, isOpen: () => boolean): Promise<FastifyInstance> {
  return createHttp(httpParts(machine, isOpen))
}

function httpParts(machine: Machine, isOpen: () => boolean) {
  const { env, log, counters, services } = machine
  return {
    log,
    counters,
    trustProxy: env.TRUST_PROXY,
    isHttps: services.isHttps,
    traces: { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, service: `outpost-${env.ROLE}` },
    health: { isOpen, checks: healthChecks(machine), metricsToken: env.METRICS_TOKEN },
  }
}

/** The areas of the business and the program's calls about them: the console's layout and views, the API document. */
export function withOwnCalls(business: readonly Area[], env: Env, { isPart = false } = {}): Area[] {
  const areas = [
    ...business,
    consoleArea({
      areas: business,
      isPart,
      sessionPart,
      version,
      build: env.BUILD,
      tiles: tileSource(env),
      connectivityUrl: env.CONNECTIVITY_URL,
    }),
  ]
  return [...areas, openapiArea({ areas, version })]
}

function healthChecks({ pools, env, counters }: Machine): HealthCheck[] {
  return [
    { name: 'postgres', isRequired: true, check: async () => void (await pools.public.query('select 1')) },
    diskCheck(env.DATA_DIR),
    { name: 'redis', isRequired: false, check: counters.check },
  ]
}

/** Answers no foreign host name, so that a page of somebody else's name never speaks to us (DNS rebinding). */
function answerOwnHosts(http: FastifyInstance, hosts: readonly string[]): void {
  if (hosts.length === 0) return
  const known = new Set(hosts.map((host) => host.toLowerCase()))
  // Load balancers and monitors ask by address.
  const forMachines = ['/healthz', '/readyz', '/metrics']
  http.addHook('onRequest', async (request) => {
    if (!forMachines.includes(request.routeOptions.url ?? '') && !known.has(request.hostname.toLowerCase()))
      fail('BAD_REQUEST', { message: 'This host is not served here.' })
  })
}
