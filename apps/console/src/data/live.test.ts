import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setToken } from '../session/token.ts'
import { isOnline, reportReached, reportUnreached } from './connection.ts'
import { keys } from './keys.ts'
import { comeBackLive, connectLive, disconnectLive } from './live.ts'
import { queryClient } from './query-client.ts'

class FakeSocket extends EventTarget {
  static readonly OPEN = 1
  static all: FakeSocket[] = []
  readyState = 1
  constructor() {
    super()
    FakeSocket.all.push(this)
  }
  close(): void {
    this.dispatchEvent(new Event('close'))
  }
}
let isAway = false
const stale = () =>
  queryClient
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.isInvalidated)
    .map(({ queryKey }) => String(queryKey[0]))
    .toSorted()

/** The socket that is asked for next, open. */
async function nextSocket(count: number): Promise<FakeSocket> {
  await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(count), { timeout: 30_000 })
  const socket = FakeSocket.all[count - 1] as FakeSocket
  socket.dispatchEvent(new Event('open'))
  return socket
}

beforeEach(() => {
  ;[isAway, FakeSocket.all] = [false, []]
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('location', { href: 'http://desk.example/', protocol: 'http:' })
  vi.stubGlobal('fetch', async () => {
    if (isAway) throw new TypeError('Failed to fetch')
    return Response.json({ success: true, data: { ticket: 'x' } })
  })
  setToken('good')
  reportReached()
  for (const key of [
    keys.records('lead'),
    ['notifications'],
    ['records', 'agent', 'map'],
    ['reportRuns'],
    keys.layout,
    keys.screen('leads'),
  ])
    queryClient.setQueryData(key, [])
})
afterEach(() => {
  disconnectLive()
  queryClient.clear()
  setToken(null)
  vi.unstubAllGlobals()
})

it('asks again for all that lives by the socket when it comes back, and for nothing when it opens first', async () => {
  connectLive()
  const socket = await nextSocket(1)
  expect(stale()).toEqual([])
  socket.close()
  await nextSocket(2)
  expect(stale()).toEqual(['notifications', 'records', 'records', 'reportRuns'])
})

it('hangs up when the line is dead, though no one told the socket, and asks again once it is back', async () => {
  connectLive()
  await nextSocket(1)
  isAway = true
  reportUnreached()
  await vi.waitFor(() => expect(isOnline()).toBe(false), { timeout: 30_000 })
  isAway = false
  reportReached()
  await nextSocket(2)
  expect(stale()).toContain('notifications')
})

it('leaves the place to newer tabs, and comes back, late, when somebody is at this one again', async () => {
  connectLive()
  const socket = await nextSocket(1)
  const timers = vi.spyOn(globalThis, 'setTimeout')
  socket.dispatchEvent(Object.assign(new Event('close'), { code: 4002 }))
  expect(timers).not.toHaveBeenCalled()
  timers.mockRestore()
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  comeBackLive()
  reportReached()
  vi.stubGlobal('document', { visibilityState: 'visible' })
  expect(FakeSocket.all).toHaveLength(1)
  comeBackLive()
  comeBackLive()
  await nextSocket(2)
  expect(stale()).toContain('notifications')
})
