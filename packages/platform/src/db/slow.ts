import type pg from 'pg'
import { counter } from '../http/metrics.ts'
import type { PoolLog } from './pool-log.ts'

/** Statements that take longer are counted and named in the log. */
const slowMs = 1_000
/** Of a statement's text, what tells it from others. */
const longest = 500

const slow = counter('database_slow_statements', 'Statements that took longer than a second, by role', ['role'])

/**
 * Counts the statements of a connection that take longer than a second, from their call to their answer, and logs their text without its values.
 * What waits for a statement sent before it on the same connection counts too: its caller waited as long.
 */
export function watchStatements(client: pg.PoolClient, { role, log }: { role: string; log: PoolLog }): void {
  const send = client.query.bind(client) as (...given: unknown[]) => unknown
  const query = (...given: unknown[]): unknown => {
    const start = performance.now()
    const look = () => {
      const ms = performance.now() - start
      if (ms < slowMs) return
      slow.inc({ role })
      log.warn({ role, ms: Math.round(ms), statement: textOf(given[0]).slice(0, longest) }, 'slow statement')
    }
    // Of the ways to hear an answer: a callback, one in a query object, a promise.
    const [config] = given
    if (hasCallback(config)) config.callback = before(look, config.callback)
    const answer = send(...given.map((one) => (typeof one === 'function' ? before(look, one as Callback) : one)))
    if (answer instanceof Promise) answer.then(look, look)
    return answer
  }
  Object.assign(client, { query })
}

type Callback = (...answer: unknown[]) => unknown
function before(look: () => void, callback: Callback): Callback {
  return function first(this: unknown, ...answer) {
    look()
    return callback.apply(this, answer)
  }
}

const hasCallback = (config: unknown): config is { callback: Callback } =>
  typeof config === 'object' && config !== null && 'callback' in config && typeof config.callback === 'function'

const textOf = (config: unknown): string =>
  typeof config === 'string' ? config : typeof config === 'object' && config !== null && 'text' in config ? String(config.text) : ''
