import { expect, test } from 'vitest'
import { scoreOf } from './behaviour.ts'

const none = { hardBraking: 0, hardAcceleration: 0, hardCornering: 0, speeding: 0, fatigueDriving: 0, highRpm: 0 }

test('the score is 100 less the penalty points of each 100 km, and its sum is said', () => {
  expect(scoreOf({ ...none, hardBraking: 3, speeding: 1 }, 250)).toEqual({
    score: 90,
    sum: '100 − (3 hard braking × 5 + 1 too fast × 10) ÷ 250 km × 100 = 90',
  })
})

test('nothing harsh is 100, too few kilometres are no score, and nobody falls below 0', () => {
  expect(scoreOf(none, 82.44)).toEqual({ score: 100, sum: '100: nothing in 82.4 km' })
  expect(scoreOf({ ...none, hardBraking: 1 }, 9.9)).toEqual({ score: null, sum: 'No score below 10 km' })
  expect(scoreOf({ ...none, fatigueDriving: 4 }, 20)).toEqual({
    score: 0,
    sum: '100 − (4 tired driving × 10) ÷ 20 km × 100, not below 0 = 0',
  })
})
