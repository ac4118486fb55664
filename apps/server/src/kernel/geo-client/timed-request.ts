import type { FastifyHttpProxyOptions } from '@fastify/http-proxy'
import type { OutgoingAnswer, OutgoingRequest } from '@outpost/platform/outgoing'
import type { GeoUpstream } from './types.ts'

/** The proxy has types of an undici of its own. */
type ProxyRequest = Extract<NonNullable<FastifyHttpProxyOptions['undici']>, { request: unknown }>['request']

export interface TimedRequest {
  request: ProxyRequest
  /** The answer is being passed on: from here its reader's pace counts, not the time of the call. */
  hasBegun(body: OutgoingAnswer['body']): void
}

/** The guarded client of outgoing calls in the shape that @fastify/reply-from speaks; a call takes no longer than the client allows. */
export function requestOf(upstream: () => GeoUpstream): TimedRequest {
  const timers = new WeakMap<object, NodeJS.Timeout>()
  const ask = async ({ origin, path, headers }: Asked): Promise<OutgoingAnswer> => {
    const { outgoing, limitMs } = upstream()
    const ending = new AbortController()
    const timer = setTimeout(() => ending.abort(new Error(`The geo service took longer than ${limitMs} ms`)), limitMs)
    try {
      const answer = await outgoing.request(new URL(path, origin), { method: 'GET', headers: present(headers), signal: ending.signal })
      timers.set(answer.body, timer)
      answer.body.once('close', () => clearTimeout(timer))
      // reply-from drops the answer to a caller who has left, which is an error of the stream. Whoever reads it is told by itself; unheard, it would end the program.
      answer.body.on('error', () => undefined)
      return answer
    } catch (error) {
      clearTimeout(timer)
      throw error
    }
  }
  const request = (asked: Asked, done: (error: Error | null, answer?: OutgoingAnswer) => void): void => {
    ask(asked).then(
      (answer) => done(null, answer),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
  }
  return { request: request as unknown as ProxyRequest, hasBegun: (body) => clearTimeout(timers.get(body)) }
}

interface Asked {
  origin: string
  path: string
  headers: Readonly<Record<string, string | undefined>>
}

/** reply-from marks headers that may not travel by an empty value. */
const present = (headers: Asked['headers']): OutgoingRequest['headers'] =>
  Object.fromEntries(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined))
