import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createHash, timingSafeEqual } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { isPrivateAddress } from './address.ts'
import { collectProcessFigures, registry } from './metrics.ts'

/** A dependency of the service; a failing one that is not required only degrades it. */
export interface HealthCheck {
  name: string
  isRequired: boolean
  check: () => Promise<void>
}
export interface HealthOptions {
  checks: readonly HealthCheck[]
  /** Set to false when shutting down: /readyz answers 503 while open requests finish. */
  isOpen: () => boolean
  /** Whoever sends it as a bearer token may read /metrics, from anywhere; without one it is for private addresses. */
  metricsToken?: string | undefined
  /** False for a port that is open to the world: nobody reads /metrics there, whatever address a container's network gives them. */
  hasMetrics?: boolean
}

const limitMs = 500

/**
 * /healthz (the process answers; depends on nothing), /readyz (may take traffic: each check within 500 ms) and /metrics (private
 * addresses, or who has the token). Registered before limits and pressure, which must not hide them.
 */
export async function addHealth(app: FastifyInstance, { checks, isOpen, metricsToken, hasMetrics = true }: HealthOptions): Promise<void> {
  collectProcessFigures()
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(checks.map(runCheck))
    const isReady = isOpen() && results.every((result) => result.isWell || !result.isRequired)
    const states = Object.fromEntries(results.map(({ name, isWell }) => [name, isWell ? 'ok' : 'failing']))
    const status = !isReady ? 'unavailable' : results.every((result) => result.isWell) ? 'ok' : 'degraded'
    return reply
      .header('cache-control', 'no-store')
      .status(isReady ? 200 : 503)
      .send({ status, checks: states })
  })
  if (!hasMetrics) return
  app.get('/metrics', async (request, reply) => {
    if (!(metricsToken ? hasToken(request, metricsToken) : mayReadMetrics(request))) return reply.callNotFound()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

async function runCheck({ name, isRequired, check }: HealthCheck) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new Error(`${name} took longer than ${limitMs} ms`)), limitMs)
  })
  const isWell = await Promise.race([check(), late]).then(
    () => true,
    () => false,
  )
  clearTimeout(timer)
  return { name, isRequired, isWell }
}

/** Both the connecting address and the client it forwards for must be private, or a proxy would publish the metrics. */
function mayReadMetrics(request: FastifyRequest): boolean {
  const isForwarded = request.headers['x-forwarded-for'] !== undefined && request.ip === request.socket.remoteAddress
  return !isForwarded && isPrivateAddress(request.ip) && isPrivateAddress(request.socket.remoteAddress ?? '')
}

/** Compared by digest: neither the length nor the first wrong character shows in the time. */
function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))
}

/** A check that at least 5 % of the disk of a folder are free. */
export function diskCheck(folder: string): HealthCheck {
  return {
    name: 'disk',
    isRequired: true,
    check: async () => {
      const { bavail, blocks } = await statfs(folder)
      if (blocks > 0 && bavail / blocks < 0.05) throw new Error('less than 5 % of the disk are free')
    },
  }
}
