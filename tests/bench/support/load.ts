import { Agent, request, type IncomingMessage } from 'node:http'
import { percentile } from './percentile.ts'

export interface Call {
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string
}
export interface Reply {
  status: number
  text: string
  ms: number
}
export interface LoadResult {
  perSecond: number
  p50: number
  p99: number
  failed: number
}

/** One HTTP call over kept-alive connections; every side of a comparison is called through this one client. */
export async function callOnce(call: Call, agent: Agent): Promise<Reply> {
  const begun = performance.now()
  const answer = await new Promise<IncomingMessage>((done, refuse) => {
    const { url, method = 'GET', headers = {}, body } = call
    const sent = request(
      url,
      { method, agent, headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) } },
      done,
    )
    sent.once('error', refuse)
    sent.end(body)
  })
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString(), ms: performance.now() - begun }
}

/** Callers that each send the next call when the last is answered, for some seconds. */
export async function load({
  call,
  callers = 8,
  seconds,
}: {
  call: Call | (() => Call)
  callers?: number
  seconds: number
}): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  const next = typeof call === 'function' ? call : () => call
  const times: number[] = []
  let failed = 0
  const end = performance.now() + seconds * 1000
  const caller = async () => {
    while (performance.now() < end) {
      const { status, ms } = await callOnce(next(), agent)
      if (status === 200) times.push(ms)
      else failed += 1
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: callers }, caller))
  const took = (performance.now() - begun) / 1000
  agent.destroy()
  return { perSecond: times.length / took, p50: percentile(times, 0.5), p99: percentile(times, 0.99), failed }
}
