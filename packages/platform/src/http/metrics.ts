import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The figures of this process, in Prometheus' text form at /metrics. */
export const registry = new Registry()

const requests = new Histogram({
  name: 'http_request_seconds', help: 'Time to answer, by route pattern', labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15], registers: [registry],
})

let isCollecting = false

/** Starts the figures every Node process has (memory, lag, handles); once is enough. */
export function collectProcessFigures(): void {
  if (isCollecting) return
  isCollecting = true
  collectDefaultMetrics({ register: registry })
}

/** Counts one answered request. */
export function countRequest(done: { method: string, route: string, status: number, seconds: number }): void {
  requests.labels(done.method, done.route, String(done.status)).observe(done.seconds)
}

/** A gauge of our own; asking twice for a name gives the same one. */
export function gauge(name: string, help: string): Gauge {
  return (registry.getSingleMetric(name) as Gauge | undefined) ?? new Gauge({ name, help, registers: [registry] })
}

/** A counter of our own; asking twice for a name gives the same one. */
export function counter(name: string, help: string): Counter {
  return (registry.getSingleMetric(name) as Counter | undefined) ?? new Counter({ name, help, registers: [registry] })
}
