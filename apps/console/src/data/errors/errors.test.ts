import { expect, it } from 'vitest'
import { crumbsSoFar, leaveCrumb, withoutPersons } from './breadcrumbs.ts'

it('leaves out whom and what an error was about', () => {
  expect(withoutPersons('GET /api/leads/6f1c2d3e-0000-4000-8000-000000000001?search=AMINA 500')).toBe('GET /api/leads/:id 500')
  expect(withoutPersons('TypeError: “Amina Otieno” of amina@example.com, 0722 000 001, has no "notes"')).toBe(
    'TypeError: :text of :e-mail, :number, has no :text',
  )
  expect(withoutPersons('Cannot read properties of undefined (reading map) at /assets/base-BICu6voU.js:12:345')).toBe(
    'Cannot read properties of undefined (reading map) at /assets/base-BICu6voU.js:12:345',
  )
})

it('keeps the last twenty steps', () => {
  for (let step = 1; step <= 25; step += 1) leaveCrumb(`step ${step}`)
  expect(crumbsSoFar().map(({ what }) => what)).toEqual(Array.from({ length: 20 }, (_, index) => `step ${index + 6}`))
})
