import { describe, expect, it } from 'vitest'
import { runBulk } from './bulk.ts'

const ids = Array.from({ length: 1200 }, (_, index) => `id${index}`)
const explain = (error: unknown) => ({ message: String((error as Error).message), isFatal: (error as Error).message === 'offline' })

describe('a bulk run', () => {
  it('sends chunks of 500 at most and counts what is done', async () => {
    const sizes: number[] = []
    const outcome = await runBulk({ ids, size: 500, explain, send: async (chunk) => void sizes.push(chunk.length) })
    expect(sizes).toEqual([500, 500, 200])
    expect([outcome.done.length, outcome.failures]).toEqual([1200, []])
  })

  it('halves a refused chunk until the rows at fault are alone', async () => {
    const wrong = new Set(['id3', 'id777'])
    const outcome = await runBulk({
      ids,
      size: 500,
      explain,
      send: async (chunk) => {
        if (chunk.some((id) => wrong.has(id))) throw new Error('not allowed')
      },
    })
    expect(outcome.failures).toEqual([
      { id: 'id3', message: 'not allowed' },
      { id: 'id777', message: 'not allowed' },
    ])
    expect(outcome.done).toHaveLength(1198)
    expect(new Set([...outcome.done, 'id3', 'id777']).size).toBe(1200)
  })

  it('believes a call that says of each row how it went, and sends nothing twice', async () => {
    const sent: string[] = []
    const outcome = await runBulk({
      ids,
      size: 500,
      explain,
      send: async (chunk) => {
        sent.push(...chunk)
        return chunk.includes('id3') ? [{ id: 'id3', message: 'held by somebody' }] : []
      },
    })
    expect([outcome.failures, outcome.done.length, outcome.done.includes('id3'), sent.length]).toEqual([
      [{ id: 'id3', message: 'held by somebody' }],
      1199,
      false,
      1200,
    ])
  })

  it('ends at a fatal error and says what was not sent', async () => {
    let calls = 0
    const outcome = await runBulk({
      ids,
      size: 500,
      explain,
      send: async () => {
        if (++calls === 2) throw new Error('offline')
      },
    })
    expect([outcome.done.length, outcome.failures.length, calls]).toEqual([500, 700, 2])
  })

  it('stops between chunks when asked to', async () => {
    let isStopped = false
    const outcome = await runBulk({
      ids,
      size: 500,
      explain,
      isStopped: () => isStopped,
      send: async () => {
        isStopped = true
      },
    })
    expect([outcome.done.length, outcome.isStopped]).toEqual([500, true])
  })
})
