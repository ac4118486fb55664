import { describe, expect, it } from 'vitest'
import { rightTime } from './clock.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const now = Date.parse('2026-11-28T12:00:00Z')
/** It really was three hours ago; the device had heard of the server an hour before that. */
const [done, heardAt] = [now - 3 * hour, now - 4 * hour]

describe('the right time of what a device noted', () => {
  it.each([
    ['of a clock that is right', done, undefined, 0, [done, 0]],
    ['of a clock that is a minute off', done + minute, undefined, -minute, [done + minute, 0]],
    ['of a clock a day ahead, by the request', done + day, undefined, -day, [done, -day]],
    ['of a clock a day behind, by the request', done - day, undefined, day, [done, day]],
    ['of a clock a day ahead, as it was known', done + day, -day, undefined, [done, -day]],
    ['of a clock a day ahead that was mended before the sending', done + day, -day, 0, [done, -day]],
    ['noted after a clock that was a day ahead was mended', done, -day, 0, [done, 0]],
    ['of a clock that jumped a day ahead before', done + day, 0, -day, [done, -day]],
    ['of a clock that jumped a day back before', done - day, 0, day, [done, day]],
    ['of a clock that jumped a day ahead after', done, 0, -day, [done, 0]],
    ['of a clock that jumped a day back after', done, 0, day, [done, 0]],
    ['of which nothing is known', done + day, undefined, undefined, [done + day, 0]],
  ])('%s', (_, at, knownSkew, sentSkewMs, [right, skewMs]) => {
    const known = knownSkew === undefined ? undefined : { skewMs: knownSkew, heardAt }
    expect(rightTime({ at, known, sentSkewMs, now })).toEqual({ at: right, skewMs })
  })

  it('is the same at each try, however long the answer takes', () => {
    const known = { skewMs: -day, heardAt }
    const tries = [-day, -day - 900, -day + 1_500, 0].map((sentSkewMs) => rightTime({ at: done + day, known, sentSkewMs, now }).at)
    expect(new Set(tries)).toEqual(new Set([done]))
  })

  it('is never ahead of now', () => {
    expect(rightTime({ at: now + day + minute, sentSkewMs: -day, now }).at).toBe(now)
  })
})
