import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { onSessionEnd, getToken, setTenantId, setToken } from '../session/token.ts'
import { queryText } from '@outpost/client/query'
import { api, ApiError, isNetworkError } from './api.ts'
import { checkConnection, getConnection, isOnline, reportReached, describeTrouble } from './connection.ts'
import { fillPath } from './paths.ts'

interface Call {
  url: string
  headers: Record<string, string>
}
let calls: Call[] = []
let ended: string[] = []
let stop: () => void

function serve(answer: (call: Call) => { status?: number; body?: object; headers?: Record<string, string> } | 'away'): void {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const call = { url, headers: init.headers as Record<string, string> }
    calls.push(call)
    await Promise.resolve()
    const given = answer(call)
    if (given === 'away') throw new TypeError('Failed to fetch')
    const { status = 200, body = { success: true, data: {} }, headers = {} } = given
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
  })
}
const refused = (code: string) => ({
  status: 401,
  body: { success: false, code, status: 401, message: 'Your session has ended. Sign in again.' },
})

beforeEach(() => {
  calls = []
  ended = []
  stop = onSessionEnd((reason) => ended.push(reason))
  setToken('old')
  setTenantId('t1')
  reportReached()
})
afterEach(() => {
  stop()
  setToken(null)
  setTenantId(null)
  vi.unstubAllGlobals()
})

describe('a call', () => {
  it('carries session, tenant and version, and is never cached', async () => {
    serve(() => ({}))
    await api.get('/api/leads', { page: 2, search: 'a b', empty: '', filter: [{ field: 'status', op: 'eq', value: 'New' }] })
    expect(calls[0]?.url).toBe(
      '/api/leads?page=2&search=a+b&filter=%5B%7B%22field%22%3A%22status%22%2C%22op%22%3A%22eq%22%2C%22value%22%3A%22New%22%7D%5D',
    )
    expect(calls[0]?.headers).toMatchObject({
      authorization: 'Bearer old',
      'x-tenant-id': 't1',
      'cache-control': 'no-cache',
      'x-ui-version': expect.any(String),
    })
  })

  it('throws the server’s own words with fields and request id', async () => {
    serve(() => ({
      status: 422,
      body: {
        success: false,
        code: 'INVALID',
        status: 422,
        message: 'Some fields are not valid.',
        fields: [{ field: 'city', message: 'too long' }],
        requestId: 'r1',
      },
    }))
    await expect(api.post('/api/leads', {})).rejects.toMatchObject({
      status: 422,
      code: 'INVALID',
      fields: [{ field: 'city', message: 'too long' }],
      requestId: 'r1',
    })
  })

  it('reads Retry-After as milliseconds', async () => {
    serve(() => ({
      status: 503,
      headers: { 'retry-after': '7' },
      body: { success: false, code: 'UNAVAILABLE', status: 503, message: 'busy' },
    }))
    await expect(api.get('/api/leads')).rejects.toMatchObject({ status: 503, retryAfterMs: 7_000 })
  })

  it('is a network error when nothing answers, and the console asks whether it is offline', async () => {
    serve(() => 'away')
    await expect(api.get('/api/leads')).rejects.toMatchObject({ status: 0, code: 'NETWORK' })
    await vi.waitFor(() => expect(isOnline()).toBe(false), 10_000)
  })
})

/** An answer that the server never gave, or in which it says that it can do nothing. */
const noVerdicts: [string, () => Response][] = [
  ['the 502 of a gateway', () => new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } })],
  ['the 503 of a balancer in JSON', () => Response.json({ message: 'no healthy upstream' }, { status: 503 })],
  ['a captive portal', () => new Response('<html>Sign in to the hotel</html>', { headers: { 'content-type': 'text/html' } })],
  ['a portal that answers in JSON', () => Response.json({ login: 'https://portal.example' })],
  ['a proxy that forbids', () => new Response('<h1>Forbidden</h1>', { status: 403, headers: { 'content-type': 'text/html' } })],
  ['a proxy that wants a sign-in', () => new Response('', { status: 401 })],
  [
    'our server without its database',
    () =>
      Response.json({ success: false, code: 'UNAVAILABLE', status: 503, message: 'The service is busy or restarting.' }, { status: 503 }),
  ],
  [
    'our server that got half a request',
    () =>
      Response.json({ success: false, code: 'BAD_REQUEST', status: 408, message: 'The request did not arrive in time.' }, { status: 408 }),
  ],
]

describe('what is no verdict of ours', () => {
  it.each(noVerdicts)('%s counts as no network, and ends no session', async (what, answer) => {
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      return answer()
    })
    for (const call of [api.post('/api/leads', {}), api.get('/api/sync/pull', {}, { isBare: true })].slice(
      0,
      what === 'a portal that answers in JSON' ? 1 : 2,
    )) {
      expect(
        await call.then(
          () => 'taken',
          (error: unknown) => isNetworkError(error),
        ),
      ).toBe(true)
    }
    expect([ended, getToken(), asked.includes('/api/auth/refresh')]).toEqual([[], 'old', false])
    await checkConnection()
    expect(isOnline()).toBe(false)
  })

  it('says in words what is wrong with the way', async () => {
    for (const [what, words] of [
      ['a captive portal', 'wants its own sign-in'],
      ['the 502 of a gateway', 'a gateway'],
      ['our server without its database', 'it cannot work at present'],
    ]) {
      vi.stubGlobal('fetch', async () => noVerdicts.find(([name]) => name === what)?.[1]())
      expect(await checkConnection()).toBe(false)
      expect(describeTrouble(getConnection())).toContain(words)
    }
    vi.stubGlobal('fetch', async () => Response.json({ success: true, data: {} }))
    expect([await checkConnection(), describeTrouble(getConnection())]).toEqual([true, ''])
  })

  it('takes no page for a file', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>Sign in to the hotel</html>', { headers: { 'content-type': 'text/html' } }))
    await expect(api.download('/api/storage/x')).rejects.toMatchObject({ status: 0 })
  })
})

describe('an ended token', () => {
  it('is renewed once for all calls that meet it, and each is sent again', async () => {
    serve(({ url, headers }) => {
      if (url === '/api/auth/refresh') return { body: { success: true, data: { token: 'new' } } }
      return headers.authorization === 'Bearer new' ? { body: { success: true, data: { leads: [1] } } } : refused('SESSION_EXPIRED')
    })
    const answers = await Promise.all([api.get('/api/leads'), api.get('/api/users'), api.post('/api/views', {})])
    expect(answers.map((answer) => answer.data)).toEqual([{ leads: [1] }, { leads: [1] }, { leads: [1] }])
    expect(calls.filter((call) => call.url === '/api/auth/refresh')).toHaveLength(1)
    expect(ended).toEqual([])
  })

  it('ends the session when it cannot be renewed, or the user was disabled', async () => {
    serve(() => refused('SESSION_EXPIRED'))
    await expect(api.get('/api/leads')).rejects.toBeInstanceOf(ApiError)
    expect([ended, getToken()]).toEqual([['expired'], null])
    setToken('old')
    serve(() => refused('USER_DISABLED'))
    await expect(api.get('/api/leads')).rejects.toMatchObject({ code: 'USER_DISABLED' })
    expect(ended).toEqual(['expired', 'disabled'])
  })

  it('does not end the session when the server cannot be reached for the renewal, nor for a wrong password', async () => {
    serve(({ url }) => (url === '/api/auth/refresh' ? 'away' : refused('SESSION_EXPIRED')))
    await expect(api.get('/api/leads')).rejects.toMatchObject({ status: 0 })
    serve(() => refused('INVALID_CREDENTIALS'))
    await expect(api.post('/api/auth/login', {})).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
    expect(ended).toEqual([])
  })
})

it('fills paths and says which part has no value', () => {
  expect(fillPath('/api/leads/:id', { Id: 'a/b' })).toBe('/api/leads/a%2Fb')
  expect(() => fillPath('/x/:lat/:lng', { lat: 1 })).toThrow('lng')
  expect(fillPath('/x?filter=[{"value":true},{"value":":of"}]', { of: 'b' })).toBe('/x?filter=[{"value":true},{"value":"b"}]')
  expect(queryText({ a: null, b: undefined })).toBe('')
})
