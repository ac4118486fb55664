import { describe, expect, it } from 'vitest'
import { sessionEnd } from './keep-alive.ts'

const minute = 60_000

describe('the end of a session', () => {
  it('is 30 minutes of inactivity for administrators, an hour in the office, days in the field', () => {
    const at = (policy: 'admin' | 'office' | 'field') => sessionEnd({ lastUse: 0, policy, endsAt: null, clockOffset: 0 }).at
    expect([at('admin'), at('office'), at('field')]).toEqual([30 * minute, 60 * minute, 7 * 1440 * minute])
  })
  it('also depends on age, and then the user cannot stay signed in', () => {
    expect(sessionEnd({ lastUse: 0, policy: 'office', endsAt: 5 * minute, clockOffset: 0 })).toEqual({ at: 5 * minute, mayStay: false })
    expect(sessionEnd({ lastUse: 0, policy: 'office', endsAt: 90 * minute, clockOffset: 0 }).mayStay).toBe(true)
  })
  it('uses the server clock when the device clock is wrong', () => {
    expect(sessionEnd({ lastUse: 0, policy: 'office', endsAt: 5 * minute, clockOffset: -20 * minute }).at).toBe(25 * minute)
  })
})
