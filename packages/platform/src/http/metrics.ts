import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics of this process, in Prometheus' text format at /metrics. */
export const registry = new Registry()

const requests = new Histogram({
  name: 'http_request_seconds',
  help: 'Time to answer, by route pattern',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  registers: [registry],
})

let isCollecting = false

/** Starts the default metrics of Node processes (memory, lag, handles), once. */
export function collectProcessFigures(): void {
  if (isCollecting) return
  isCollecting = true
  collectDefaultMetrics({ register: registry })
}

/** Counts one answered request. */
export function countRequest(done: { method: string; route: string; status: number; seconds: number }): void {
  requests.labels(done.method, done.route, String(done.status)).observe(done.seconds)
}

/** Creates a gauge, or returns the existing one of that name. */
export function gauge(name: string, help: string): Gauge {
  return (registry.getSingleMetric(name) as Gauge | undefined) ?? new Gauge({ name, help, registers: [registry] })
}

/** Creates a counter, or returns the existing one of that name. Labels have few values: never an id, never a text of people. */
export function counter<Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
  return (registry.getSingleMetric(name) as Counter<Label> | undefined) ?? new Counter({ name, help, labelNames, registers: [registry] })
}

/** Creates a histogram of seconds, or returns the existing one of that name. `buckets`: upper bounds in seconds, rising. */
export function secondsHistogram(name: string, help: string, buckets: number[] = [0.005, 0.02, 0.1, 0.5, 1, 5, 30]): Histogram {
  return (registry.getSingleMetric(name) as Histogram | undefined) ?? new Histogram({ name, help, buckets, registers: [registry] })
}

interface PoolCounts {
  totalCount: number
  idleCount: number
  waitingCount: number
}

/** Shows a pool's connections among the metrics for as long as the pool is in use. */
export function showPool(role: string, pool: PoolCounts): void {
  pools.push({ role, pool: new WeakRef(pool) })
}

/** Held weakly: a pool that was closed and forgotten leaves the figures. */
const pools: { role: string; pool: WeakRef<PoolCounts> }[] = []
registry.registerMetric(
  new Gauge({
    name: 'database_connections',
    help: 'Connections of this process by role: used, idle, and calls waiting for one',
    labelNames: ['role', 'state'],
    registers: [],
    collect() {
      this.reset()
      for (const { role, pool } of pools) {
        const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pool.deref() ?? {}
        this.inc({ role, state: 'used' }, totalCount - idleCount)
        this.inc({ role, state: 'idle' }, idleCount)
        this.inc({ role, state: 'waiting' }, waitingCount)
      }
    },
  }),
)
