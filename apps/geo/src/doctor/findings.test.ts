import { describe, expect, it } from 'vitest'
import { findingsOf, type Condition } from './findings.ts'

const now = Date.UTC(2026, 10, 21, 12)
const minute = 60_000
const well: Condition = {
  now,
  days: 10,
  status: 'online',
  isDisabled: false,
  lastFrameAt: now - minute,
  lastFixAt: now - minute,
  frames: 1_000,
  refused: 0,
  bad: {},
  logins: 20,
  conflicts: 0,
  lastConflictAt: null,
  clockSkewMs: 800,
  lastDay: { positions: 900, validShare: 1, lateShare: 0, intervalSeconds: 30, coverage: 0.98, satellites: 11 },
}
const codes = (more: Partial<Condition>) => findingsOf({ ...well, ...more }).map(({ code }) => code)

describe('findings of the device doctor', () => {
  it('finds nothing for a healthy device', () => expect(findingsOf(well)).toEqual([]))

  it.each<[string, Partial<Condition>]>([
    ['disabled', { isDisabled: true }],
    ['neverHeard', { lastFrameAt: null, lastFixAt: null, frames: 0 }],
    ['silent', { lastFrameAt: now - 121 * minute }],
    ['noPlace', { lastFixAt: null }],
    ['noPlace', { lastFixAt: now - 361 * minute }],
    ['identityConflict', { conflicts: 1, lastConflictAt: now - minute }],
    ['clock', { clockSkewMs: -301_000 }],
    ['checksum', { bad: { crc: 11 } }],
    ['notUnderstood', { bad: { crc: 2, shape: 51 } }],
    ['impossibleTime', { bad: { clock: 11 } }],
    ['refused', { refused: 51 }],
    ['reconnects', { logins: 481 }],
    ['coverage', { lastDay: { ...well.lastDay, coverage: 0.79 } }],
    ['poorFixes', { lastDay: { ...well.lastDay, validShare: 0.89 } }],
    ['fewSatellites', { lastDay: { ...well.lastDay, satellites: 4 } }],
    ['late', { lastDay: { ...well.lastDay, lateShare: 0.21 } }],
  ])('%s', (code, more) => expect(codes(more)).toEqual([code]))

  it.each<[string, Partial<Condition>]>([
    ['two hours of silence', { lastFrameAt: now - 120 * minute }],
    ['a conflict of last week', { conflicts: 3, lastConflictAt: now - 8 * 1_440 * minute }],
    ['a clock five minutes off', { clockSkewMs: 300_000 }],
    ['one bad frame in a hundred', { bad: { crc: 10 } }],
    [
      'a day without positions',
      { lastDay: { positions: 0, validShare: null, lateShare: null, intervalSeconds: null, coverage: null, satellites: null } },
    ],
  ])('bears with %s', (_words, more) => expect(codes(more)).toEqual([]))

  it("describes problems in an installer's words, the worst first", () => {
    const found = findingsOf({
      ...well,
      clockSkewMs: 3 * 3_600_000 + 120_000,
      lastFrameAt: now - 50 * 60 * minute,
      lastDay: { ...well.lastDay, satellites: 3 },
    })
    expect(found.map(({ severity, text }) => `${severity}: ${text}`)).toEqual([
      'critical: Nothing has been heard for 2 days.',
      'warning: Its clock is 3 h 2 min ahead.',
      'info: It usually sees 3 satellites.',
    ])
  })
})
