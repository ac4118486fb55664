import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bootScript } from '../boot-script.ts'
import { checkConnection } from '../data/connection.ts'
import { api } from '../data/api.ts'
import { firstCallsKey, hintKey } from './boot-names.ts'
import { takeEarlyAnswer, takeEarlyFrame, takeEarlyRefresh } from './early.ts'
import { keepFirstCalls, noteCalls } from './first-calls.ts'
import { sessionHint } from './hint.ts'
import { refreshSession } from './refresh.ts'
import { getToken, setTenantId, setToken } from './token.ts'

const rows = '/api/leads?page=1&size=50'
const firstCalls = JSON.stringify({ '/sales/leads?status=New': { tenantId: 'north', calls: ['/api/console/screens/leads', rows] } })

interface Page {
  address?: { pathname: string; search: string }
  hint?: string | null
  onLine?: boolean
  /** What the refresh answers: its status and token, or nothing at all. */
  refresh?: { status: number; token?: string } | 'lost'
}
const asked: { path: string; authorization: string | undefined; tenant?: string | undefined }[] = []

/** Runs the boot script on a page of a device. */
function boot({
  address = { pathname: '/', search: '' },
  hint = '1',
  onLine = true,
  refresh = { status: 200, token: 'early' },
}: Page): void {
  const fetchFrom = async (path: string, { headers }: { headers: Record<string, string> }) => {
    asked.push({ path, authorization: headers.authorization, tenant: headers['x-tenant-id'] })
    if (path === rows) return Response.json({ success: true, data: { leads: [{ Id: 'first' }] } })
    if (path.startsWith('/api/console/')) return Response.json({ success: false }, { status: 404 })
    if (path === '/api/console') return Response.json({ success: true, data: { landing: '/' } })
    if (refresh === 'lost') throw new TypeError('Failed to fetch')
    return Response.json({ success: refresh.status === 200, data: { token: refresh.token } }, { status: refresh.status })
  }
  const navigator = { onLine, locks: { request: async (_: string, run: () => unknown) => run() } }
  const page = {
    window: globalThis,
    document: { documentElement: { dataset: {}, style: {} } },
    location: { hostname: 'localhost', ...address },
    matchMedia: () => ({ matches: false }),
    localStorage: { getItem: (key: string) => ({ [hintKey]: hint, [firstCallsKey]: firstCalls })[key] ?? null },
    navigator,
    fetch: fetchFrom,
  }
  new Function(...Object.keys(page), bootScript('1'))(...Object.values(page))
}

beforeEach(async () => {
  await checkConnection()
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push({ path, authorization: undefined })
    return Response.json({ success: true, data: { token: 'asked later' } })
  })
})
afterEach(() => {
  asked.length = 0
  globalThis.outpostEarly = undefined
  setToken(null)
  setTenantId(null)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
const paths = () => asked.map(({ path }) => path).filter((path) => path !== '/api/ping')

describe('what the boot script asks for', () => {
  it('is the session and its frame, which the program takes once and does not ask for again', async () => {
    boot({})
    expect(await refreshSession()).toBe('renewed')
    expect(getToken()).toBe('early')
    expect(await takeEarlyFrame()).toMatchObject({ status: 200, answer: { success: true } })
    expect([paths(), asked[1]?.authorization]).toEqual([['/api/auth/refresh', '/api/console'], 'Bearer early'])
    expect([takeEarlyRefresh(), await takeEarlyFrame()]).toEqual([undefined, undefined])
    expect(await refreshSession()).toBe('renewed')
    expect(getToken()).toBe('asked later')
  })
  it('is nothing for strangers and without a network', () => {
    boot({ hint: null })
    boot({ onLine: false })
    expect([paths(), globalThis.outpostEarly]).toEqual([[], undefined])
  })
  it('is no frame of a person who has signed out meanwhile', async () => {
    boot({})
    await refreshSession()
    setToken('of another person')
    expect(await takeEarlyFrame()).toBeUndefined()
  })
  it('is asked for again when its answer was lost, and not when it was refused', async () => {
    boot({ refresh: 'lost' })
    expect([await refreshSession(), getToken()]).toEqual(['renewed', 'asked later'])
    boot({ refresh: { status: 401 } })
    expect(await refreshSession()).toBe('refused')
    expect(paths()).toEqual(['/api/auth/refresh', '/api/auth/refresh', '/api/auth/refresh'])
  })
})

describe('what the first screen at this address asked for last time', () => {
  const address = { pathname: '/sales/leads', search: '?status=New' }
  const enter = async (tenantId: string) => {
    boot({ address })
    await refreshSession()
    setTenantId(tenantId)
    // What travels with the token is on its way before the frame is here.
    await vi.waitFor(() => expect(asked).toHaveLength(4))
  }

  it('is asked for with the frame, by token and tenant, and taken once by the call that asks for the same', async () => {
    await enter('north')
    expect(asked.slice(1).map(({ path, authorization, tenant }) => [path, authorization, tenant])).toEqual([
      ['/api/console', 'Bearer early', undefined],
      ['/api/console/screens/leads', 'Bearer early', 'north'],
      [rows, 'Bearer early', 'north'],
    ])
    expect((await api.get('/api/leads', { page: 1, size: 50 })).data).toEqual({ leads: [{ Id: 'first' }] })
    expect((await api.get('/api/leads', { page: 1, size: 50 })).data).toEqual({ token: 'asked later' })
    expect((await api.get('/api/leads', { page: 2, size: 50 })).data).toEqual({ token: 'asked later' })
    // A refusal is asked for again by whoever shows it.
    expect((await api.get('/api/console/screens/leads')).data).toEqual({ token: 'asked later' })
  })
  it('is none at another address', async () => {
    boot({ address: { ...address, search: '' } })
    await refreshSession()
    expect(await takeEarlyFrame()).toBeDefined()
    expect(paths()).toEqual(['/api/auth/refresh', '/api/console'])
  })
  it('counts for no other tenant, no other person, and not for long', async () => {
    await enter('south')
    expect(takeEarlyAnswer(rows)).toBeUndefined()
    asked.length = 0
    await enter('north')
    setToken('of another person')
    expect(await takeEarlyAnswer(rows)).toBeUndefined()
    asked.length = 0
    await enter('north')
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 20_000)
    expect(takeEarlyAnswer(rows)).toBeUndefined()
  })
  it('is remembered on the device, a few addresses of the newest, until the session is left', async () => {
    const kept = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    })
    setToken('mine')
    setTenantId('north')
    const calls = noteCalls()
    await api.get('/api/leads', { page: 1, size: 50 })
    await api.post('/api/leads', {})
    calls.end()
    await api.get('/api/clients')
    expect(calls.noted()).toEqual([rows])
    for (let count = 0; count < 12; count += 1) keepFirstCalls(`/list/${count}`, calls.noted())
    keepFirstCalls('/long', ['x'.repeat(5_000)])
    const first = JSON.parse(kept.get(firstCallsKey) ?? '{}') as object
    expect(Object.keys(first)).toEqual([4, 5, 6, 7, 8, 9, 10, 11].map((count) => `/list/${count}`))
    expect(Object.values(first)[0]).toEqual({ tenantId: 'north', calls: [rows] })
    sessionHint.drop()
    expect(kept.size).toBe(0)
  })
})
