import { expect, it } from 'vitest'
import { complaintBodyOf, spanOf } from './regulator.ts'

it('a span of days is said in weeks where it is whole ones', () => {
  expect([42, 21, 7, 91, 40, 1].map(spanOf)).toEqual(['six weeks', 'three weeks', 'one week', '13 weeks', '40 days', 'one day'])
})

it('the ombud is named where the law of the country knows one, and no key of an object passes for a country', () => {
  expect(['ZA', 'KE', 'constructor'].map(complaintBodyOf)).toEqual(['the ombud or the regulator', 'the regulator', 'the regulator'])
})
