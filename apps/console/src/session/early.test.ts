import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bootScript } from '../boot-script.ts'
import { checkConnection } from '../data/connection.ts'
import { hintKey, readsKey, refreshingKey } from './boot-names.ts'
import { takeEarlyLayout, takeEarlyRead, takeEarlyRefresh } from './early.ts'
import { refreshSession } from './refresh.ts'
import { getToken, setTenantId, setToken } from './token.ts'

interface Page {
  /** What other tabs noted about their refresh. */
  refreshing?: string
  hint?: string | null
  onLine?: boolean
  /** What the refresh answers: its status and token, or nothing at all. */
  refresh?: { status: number; token?: string } | 'lost'
  /** What this address asked for the last time. */
  reads?: string
  search?: string
}
const asked: { path: string; authorization: string | undefined }[] = []

/** Runs the boot script on a page of a device. */
function boot({ hint = '1', onLine = true, refresh = { status: 200, token: 'early' }, reads = '{}', search = '', refreshing = '' }: Page): {
  kept: Map<string, string>
  /** What was asked to be loaded ahead. */
  links: { rel?: string; href?: string }[]
  give(): void
} {
  const fetchFrom = async (path: string, { headers }: { headers: Record<string, string> }) => {
    asked.push({ path, authorization: headers.authorization })
    if (path === '/api/console') return Response.json({ success: true, data: { landing: '/' } })
    if (refresh === 'lost') throw new TypeError('Failed to fetch')
    return Response.json({ success: refresh.status === 200, data: { token: refresh.token } }, { status: refresh.status })
  }
  const waiting: (() => void)[] = []
  const locks = { request: (_: string, run: () => unknown) => new Promise((done) => waiting.push(() => done(run()))) }
  const navigator = { onLine, locks }
  const kept = new Map([[readsKey, reads], [refreshingKey, refreshing], ...(hint === null ? [] : ([[hintKey, hint]] as const))])
  const links: { rel?: string; href?: string }[] = []
  const page = {
    window: globalThis,
    document: {
      documentElement: { dataset: {}, style: {} },
      createElement: () => ({}),
      head: { append: (link: object) => links.push(link) },
    },
    location: { hostname: 'localhost', pathname: '/sales/leads', search },
    matchMedia: () => ({ matches: false }),
    localStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    },
    navigator,
    fetch: fetchFrom,
  }
  new Function(...Object.keys(page), bootScript('1', ['/assets/shell-1.js', '/assets/shell-2.css']))(...Object.values(page))
  return { kept, links, give: () => waiting.splice(0).forEach((take) => take()) }
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
const lastReads = JSON.stringify({ '/sales/leads': { tenantId: 't1', paths: ['/api/leads?page=1'] } })
const paths = () => asked.map(({ path }) => path).filter((path) => path !== '/api/ping')

describe('what the boot script asks for', () => {
  it('is the session and its layout, which the program takes once and does not ask for again', async () => {
    boot({})
    expect(await refreshSession()).toBe('renewed')
    expect(getToken()).toBe('early')
    expect(await takeEarlyLayout()).toMatchObject({ status: 200, answer: { success: true } })
    expect([paths(), asked[1]?.authorization]).toEqual([['/api/auth/refresh', '/api/console'], 'Bearer early'])
    expect([takeEarlyRefresh(), await takeEarlyLayout()]).toEqual([undefined, undefined])
    expect(await refreshSession()).toBe('renewed')
    expect(getToken()).toBe('asked later')
  })
  it('is asked for at once, without a turn, while no other tab does; the note for them is taken back', async () => {
    const { kept, give } = boot({})
    expect(paths()).toEqual(['/api/auth/refresh'])
    expect(kept.get(refreshingKey)).toMatch(/^[\d.]+$/)
    expect(await refreshSession()).toBe('renewed')
    expect(kept.has(refreshingKey)).toBe(false)
    give()
  })
  it('waits for its turn while another tab exchanges the cookie, and not for one that was closed long ago', async () => {
    const { kept, give } = boot({ refreshing: String(Date.now() - 5_000) })
    expect(paths()).toEqual([])
    give()
    expect(await refreshSession()).toBe('renewed')
    expect([paths()[0], kept.get(refreshingKey)?.split(' ').length]).toEqual(['/api/auth/refresh', 1])
    asked.length = 0
    boot({ refreshing: String(Date.now() - 100_000) })
    expect(paths()).toEqual(['/api/auth/refresh'])
  })
  it('has what is behind the sign-in loaded ahead, for whoever was signed in here alone', () => {
    expect(boot({}).links).toMatchObject([
      { rel: 'modulepreload', href: '/assets/shell-1.js' },
      { rel: 'preload', as: 'style', href: '/assets/shell-2.css' },
    ])
    expect(boot({ hint: null }).links).toEqual([])
  })
  it('is nothing for strangers and without a network', () => {
    boot({ hint: null })
    boot({ onLine: false })
    expect([paths(), globalThis.outpostEarly]).toEqual([[], undefined])
  })
  it('is no layout of a person who has signed out meanwhile', async () => {
    boot({})
    await refreshSession()
    setToken('of another person')
    expect(await takeEarlyLayout()).toBeUndefined()
  })
  it('is what this address asked for the last time, with the tenant of that time', async () => {
    boot({ reads: lastReads })
    await refreshSession()
    setTenantId('t1')
    expect(await takeEarlyRead('/api/leads?page=1')).toMatchObject({ success: true })
    expect(await takeEarlyRead('/api/leads?page=1')).toBeUndefined()
    expect(await takeEarlyRead('/api/leads?page=2')).toBeUndefined()
    expect(paths().filter((path) => path.startsWith('/api/leads'))).toEqual(['/api/leads?page=1'])
  })
  it.each([
    ['another tenant', () => setTenantId('t2')],
    ['another person', () => setToken('of another person')],
    ['a later time', () => vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)],
  ])('is no rows for %s', async (_, change) => {
    boot({ reads: lastReads })
    await refreshSession()
    setTenantId('t1')
    await takeEarlyLayout()
    change()
    expect(await takeEarlyRead('/api/leads?page=1')).toBeUndefined()
  })
  it('is nothing of another address, and a broken note breaks nothing', async () => {
    boot({ reads: lastReads, search: '?search=Wanjiku' })
    expect(await refreshSession()).toBe('renewed')
    boot({ reads: '{' })
    expect(await refreshSession()).toBe('renewed')
    expect(paths().filter((path) => path.startsWith('/api/leads'))).toEqual([])
  })
  it('is asked for again when its answer was lost, and not when it was refused', async () => {
    boot({ refresh: 'lost' })
    expect([await refreshSession(), getToken()]).toEqual(['renewed', 'asked later'])
    boot({ refresh: { status: 401 } })
    expect(await refreshSession()).toBe('refused')
    expect(paths()).toEqual(['/api/auth/refresh', '/api/auth/refresh', '/api/auth/refresh'])
  })
})
