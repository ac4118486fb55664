import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkConnection } from '../data/connection.ts'
import { refreshSession } from './refresh.ts'
import { getToken, setToken } from './token.ts'

type Way = 'renewed' | 'answer lost' | 'refused' | 'gateway' | 'portal' | 'forbidden by a proxy' | 'gone'
const good = () => Response.json({ success: true, data: { token: 'new' } })
/** Answers of the network check, one after the other; the last one repeats. */
let ways: Way[] = []
let asked = 0

beforeEach(async () => {
  // A check that another file of this worker left running would be shared.
  await checkConnection()
  ;[ways, asked] = [[], 0]
  setToken('old')
  vi.stubGlobal('fetch', async (url: string) => {
    const isPing = url === '/api/ping'
    const way = (isPing ? ways[0] : ways.length > 1 ? ways.shift() : ways[0]) ?? 'renewed'
    if (way === 'gone') throw new TypeError('Failed to fetch')
    if (isPing) return Response.json({ success: true, data: {} })
    asked += 1
    if (way === 'answer lost') throw new DOMException('timed out', 'TimeoutError')
    if (way === 'refused') return Response.json({ success: false, code: 'NO_SESSION', status: 401, message: 'Sign in.' }, { status: 401 })
    if (way === 'gateway') return new Response('<h1>Bad Gateway</h1>', { status: 502 })
    if (way === 'forbidden by a proxy') return new Response('<h1>Forbidden</h1>', { status: 403 })
    return way === 'portal' ? Response.json({ login: 'https://portal.example' }) : good()
  })
})
afterEach(() => {
  setToken(null)
  vi.unstubAllGlobals()
})

describe('a refresh', () => {
  it.each<[Way[], string, number]>([
    [['renewed'], 'renewed', 1],
    [['answer lost', 'renewed'], 'renewed', 2],
    [['answer lost', 'answer lost', 'renewed'], 'renewed', 3],
    [['answer lost', 'answer lost', 'answer lost'], 'unreachable', 3],
    [['answer lost', 'gone'], 'unreachable', 1],
    [['refused'], 'refused', 1],
    [['gateway', 'renewed'], 'renewed', 2],
    [['portal'], 'unreachable', 3],
    [['forbidden by a proxy'], 'unreachable', 3],
  ])('%j: %s after %i tries', async (given, outcome, tries) => {
    ways = [...given]
    expect(await refreshSession()).toBe(outcome)
    expect([asked, getToken()]).toEqual([tries, outcome === 'renewed' ? 'new' : 'old'])
  })
})
