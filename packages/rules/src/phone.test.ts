import { describe, expect, it } from 'vitest'
import { trimPhone } from './phone.ts'

describe('normalised phone numbers', () => {
  it.each([
    ['0712 345 678', 'KE', '254712345678'],
    ['+254 712-345-678', 'ZA', '254712345678'],
    ['254712345678', 'KE', '254712345678'],
    ['082 123 4567', 'ZA', '27821234567'],
    ['0977123456', 'ZM', '260977123456'],
    ['00254 712 345 678', 'KE', '254712345678'],
    ['00254712345678', 'ZA', '254712345678'],
    ['0110123456', 'KE', '254110123456'],
  ])('%s in %s is %s', (typed, country, expected) => expect(trimPhone(typed, country)).toBe(expected))

  it.each(['', 'abc', '12', '07x', '071234567', '07123456789', '1234567', '000000000', '+25471234567', '0025471234567'])(
    '%s is no number',
    (typed) => expect(trimPhone(typed, 'KE')).toBeNull(),
  )
})
