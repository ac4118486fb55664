import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from './query-client.ts'
import { refreshedOnce, refreshRecords, refreshSoon } from './refresh.ts'

let asked: unknown[]
beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  vi.spyOn(queryClient, 'invalidateQueries').mockImplementation(async (filters) => {
    asked.push(filters?.queryKey?.[1])
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('asking again', () => {
  it('happens once for all that is told of a resource within a moment', async () => {
    for (let i = 0; i < 22; i += 1) refreshSoon('lead')
    refreshSoon('client')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(asked).toEqual(['lead', 'client'])
    refreshSoon('lead')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(asked).toEqual(['lead', 'client', 'lead'])
  })

  it('happens once after an own change, whether the socket told of it before the answer or just after', async () => {
    for (let i = 0; i < 11; i += 1) refreshSoon('lead')
    const own = refreshRecords('lead')
    for (let i = 0; i < 11; i += 1) refreshSoon('lead')
    await vi.advanceTimersByTimeAsync(5_000)
    await own
    expect(asked).toEqual(['lead'])
  })

  it('waits for the end of a run of many calls, also when it fails', async () => {
    refreshSoon('lead')
    const run = refreshedOnce('lead', async () => {
      for (let i = 0; i < 20; i += 1) {
        await new Promise((done) => setTimeout(done, 100))
        refreshSoon('lead')
        await refreshRecords('lead')
      }
      throw new Error('the line broke')
    })
    const failed = expect(run).rejects.toThrow('the line broke')
    await vi.advanceTimersByTimeAsync(5_000)
    await failed
    expect(asked).toEqual(['lead'])
  })
})
