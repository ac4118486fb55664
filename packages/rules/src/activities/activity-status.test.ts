import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activityMeaningNames, isFinished, isOutside, mayFollow, overallMeaning, type ActivityMeaning } from './activity-status.ts'

const meaning = fc.constantFrom(...activityMeaningNames)

describe('what may follow', () => {
  it('lets work be started, finished, missed and taken up again, and never leaves done', () => {
    expect(activityMeaningNames.filter((to) => mayFollow('open', to))).toEqual(['open', 'started', 'done', 'missed', 'cancelled'])
    expect(activityMeaningNames.filter((to) => mayFollow('started', to))).toEqual(['open', 'started', 'done', 'cancelled'])
    expect(activityMeaningNames.filter((to) => mayFollow('done', to))).toEqual(['done'])
    expect(activityMeaningNames.filter((to) => mayFollow('missed', to))).toEqual(['open', 'missed', 'cancelled'])
    expect(activityMeaningNames.filter((to) => mayFollow('cancelled', to))).toEqual(['open', 'cancelled'])
  })
})

describe('the meaning for several agents', () => {
  it.each<[ActivityMeaning[], ActivityMeaning | undefined]>([
    [[], undefined],
    [['open'], 'open'],
    [['open', 'started'], 'started'],
    [['done', 'open'], 'started'],
    [['missed', 'open'], 'open'],
    [['done', 'missed'], 'done'],
    [['missed', 'cancelled'], 'missed'],
    [['cancelled', 'cancelled'], 'cancelled'],
  ])('%j is %s', (agents, whole) => expect(overallMeaning(agents)).toBe(whole))

  it('is finished exactly when every agent has finished, in any order, and is the agent’s own for one', () => {
    fc.assert(
      fc.property(fc.array(meaning, { minLength: 1, maxLength: 6 }), (agents) => {
        const whole = overallMeaning(agents)
        expect(whole && isFinished(whole)).toBe(agents.every(isFinished))
        expect(overallMeaning(agents.toReversed())).toBe(whole)
        if (agents.length === 1) expect(whole).toBe(agents[0])
      }),
    )
  })
})

it.each([
  [120, 100, true],
  [100, 100, false],
  [5, null, false],
  [null, 100, false],
])('a distance of %s m to a circle of %s m: outside %s', (distance, radius, outside) => {
  expect(isOutside(distance, radius)).toBe(outside)
})
