import { expect, test } from 'vitest'
import { interlock, type InterlockFacts } from './interlock.ts'

const now = Date.parse('2026-11-22T10:00:00Z')
const standing: InterlockFacts = {
  now,
  last: { fixTime: now - 20_000, isValid: true, isExact: true, speed: 0 },
  fastestOfMinute: 3,
  before: null,
  reason: 'three instalments behind',
  askedBy: 'anna',
  person: 'ben',
}
const verdictOf = (change: Partial<InterlockFacts>) => interlock({ ...standing, ...change })

test('the engine is stopped only with two people', () => {
  expect(verdictOf({})).toEqual({ verdict: 'send' })
  expect(verdictOf({ askedBy: undefined })).toEqual({ verdict: 'wait' })
  // A rule is no person.
  expect(verdictOf({ askedBy: null })).toEqual({ verdict: 'wait' })
  expect(verdictOf({ askedBy: 'ben' })).toMatchObject({ verdict: 'refuse', field: 'approves' })
})

test('the engine is stopped only with a reason', () => {
  for (const reason of [undefined, '', '    ', 'why']) expect(verdictOf({ reason })).toMatchObject({ verdict: 'refuse', field: 'reason' })
})

test('the engine is never stopped while the vehicle moves or may move', () => {
  const last = { fixTime: now - 20_000, isValid: true, isExact: true, speed: 0 }
  const unsafe: Record<string, Partial<InterlockFacts>> = {
    'never seen': { last: null },
    'no fix': { last: { ...last, isValid: false } },
    'speed unknown': { last: { ...last, speed: null } },
    'seen too long ago': { last: { ...last, fixTime: now - 60_001 } },
    moving: { last: { ...last, speed: 40 } },
    'moved a moment ago': { fastestOfMinute: 5 },
    'a clock three hours ahead': { last: { ...last, fixTime: now + 3 * 3_600_000 } },
    'a clock a little ahead': { last: { ...last, fixTime: now + 10_001 } },
    'only a network\u2019s guess': { last: { ...last, isExact: false } },
    'one place behind a fast one': { before: { speed: 60, metres: 0 } },
    'one place elsewhere': { before: { speed: 0, metres: 400 } },
  }
  for (const [name, change] of Object.entries(unsafe)) {
    expect([name, verdictOf(change).verdict]).toEqual([name, 'refuse'])
    // Nor may anybody request it: the approver would see less than is known now.
    expect([name, verdictOf({ ...change, askedBy: undefined }).verdict]).toEqual([name, 'refuse'])
  }
})
