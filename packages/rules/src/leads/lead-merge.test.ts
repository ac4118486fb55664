import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fillingParts, takenValues, undoneValues } from '../merge.ts'
import { leadPartKeys, leadParts } from './lead-merge.ts'

const fields = leadParts.flatMap((part) => [...part.fields])
const person = fc.record(
  Object.fromEntries(
    fields.map((field) => [field, fc.oneof(fc.constant(null), fc.string({ maxLength: 4 }), fc.integer({ min: -9, max: 9 }))]),
  ),
)

it('restores exactly the former values, whatever was taken', () => {
  fc.assert(
    fc.property(person, person, fc.subarray([...leadPartKeys]), (winner, loser, parts) => {
      const after = takenValues(leadParts, { winner, loser, take: parts })
      const merged = { ...winner, ...after }
      const { values, kept } = undoneValues({ before: winner, after, now: merged })
      expect({ ...merged, ...values }).toEqual(winner)
      expect(kept).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})

it('takes whole parts and nothing else', () => {
  fc.assert(
    fc.property(person, person, fc.subarray([...leadPartKeys]), (winner, loser, parts) => {
      const merged = { ...winner, ...takenValues(leadParts, { winner, loser, take: parts }) }
      for (const { key, fields: own } of leadParts) {
        const from = parts.includes(key) ? loser : winner
        for (const field of own) expect(merged[field] ?? null).toEqual(from[field] ?? null)
      }
    }),
    { numRuns: 2_000 },
  )
})

it('leaves values that were changed after the merge', () => {
  expect(
    undoneValues({ before: { city: 'Thika', notes: null }, after: { city: 'Nakuru', notes: 'x' }, now: { city: 'Kisumu', notes: 'x' } }),
  ).toEqual({ values: { notes: null }, kept: ['city'] })
})

it('proposes parts that only the other one has', () => {
  expect(
    fillingParts(
      leadParts,
      { emailAddress: null, notes: 'a', consentStatus: 'NONE PROVIDED' },
      { emailAddress: 'a@b.org', notes: 'b', consentStatus: 'GRANTED' },
    ),
  ).toEqual(['email', 'consent'])
})
