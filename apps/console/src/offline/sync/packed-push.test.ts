import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setToken } from '../../session/token.ts'
import type { push as pushOf } from './transport.ts'

/** What arrived: how, and what it says. */
interface Arrived {
  isPacked: boolean
  text: string
}
let arrived: Arrived[] = []

function serve(answer: (one: Arrived, nth: number) => { status: number; type?: string; body?: object }): void {
  vi.stubGlobal('fetch', async (_url: string, { headers, body }: { headers: Record<string, string>; body: string | ArrayBuffer }) => {
    const isPacked = headers['content-encoding'] === 'gzip'
    expect(headers['content-type']).toBe('application/json')
    expect(body instanceof ArrayBuffer).toBe(isPacked)
    const one = { isPacked, text: body instanceof ArrayBuffer ? gunzipSync(body).toString() : body }
    const {
      status,
      type = 'application/json',
      body: told = { results: [], serverNow: new Date().toISOString() },
    } = answer(one, arrived.length)
    arrived.push(one)
    return new Response(JSON.stringify(told), { status, headers: { 'content-type': type } })
  })
}
const refusal = (status: number, code: string) => ({ status, body: { success: false, status, code, message: 'No.' } })
const summary = { count: 1, files: 0, oldest: null, maxClientSeq: 1, storeId: '' }
const report = { summary, deviceId: 'd', persisted: true, lastError: null, attention: 0 }
const change = { changeId: 'c', snapshot: { notes: 'Wants stock for the season. '.repeat(100) } } as never
const how = () => arrived.map(({ isPacked }) => isPacked)

/** A page that was just loaded. */
let push: typeof pushOf
beforeEach(async () => {
  vi.resetModules()
  arrived = []
  ;({ push } = await import('./transport.ts'))
  setToken('token')
})
afterEach(() => vi.unstubAllGlobals())

it('a push goes compressed and says the same; what is small goes as it is', async () => {
  serve(() => ({ status: 200 }))
  await push([change], report)
  await push([], report)
  expect(how()).toEqual([true, false])
  expect(JSON.parse(arrived[0]?.text ?? '')).toMatchObject({ deviceId: 'd', changes: [change] })
})

it('a browser that cannot compress sends it plain', async () => {
  vi.stubGlobal('CompressionStream', undefined)
  serve(() => ({ status: 200 }))
  await push([change], report)
  expect(how()).toEqual([false])
})

it.each([
  ['an older server, which finds no JSON in it', refusal(400, 'BAD_REQUEST')],
  ['one that does not take the encoding', refusal(415, 'UNSUPPORTED_TYPE')],
  ['a gateway, which answers for the server', { status: 403, type: 'text/html' }],
])('%s gets the same plain at once, and from then on', async (_who, answer) => {
  serve(({ isPacked }) => (isPacked ? answer : { status: 200 }))
  await push([change], report)
  await push([change], report)
  expect(how()).toEqual([true, false, false])
  const [packed, plain] = arrived.map(({ text }) => JSON.parse(text) as object)
  expect(plain).toEqual(packed)
})

it('what is refused plain as well was not about the compression: that refusal is told, and the next goes compressed', async () => {
  serve((_one, nth) => (nth < 2 ? refusal(400, 'BAD_REQUEST') : { status: 200 }))
  await expect(push([change], report)).rejects.toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  await push([change], report)
  expect(how()).toEqual([true, false, true])
})

it('a verdict, a busy server and no answer are not about the compression: nothing is sent twice', async () => {
  for (const answer of [refusal(403, 'FORBIDDEN'), refusal(413, 'TOO_LARGE'), refusal(422, 'INVALID'), refusal(503, 'UNAVAILABLE')]) {
    serve(() => answer)
    await expect(push([change], report)).rejects.toMatchObject({ status: answer.status })
  }
  serve(() => {
    throw new TypeError('Failed to fetch')
  })
  await expect(push([change], report)).rejects.toMatchObject({ status: 0 })
  expect(how().every(Boolean)).toBe(true)
  expect(arrived).toHaveLength(4)
})
