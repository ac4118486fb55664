import { expect, it } from 'vitest'
import { formatPhone } from './phone.ts'

it.each([
  ['0712345678', 'KE', '+254 712 345 678'],
  ['254712345678', 'KE', '+254 712 345 678'],
  ['+254 712-345-678', 'ZA', '+254 712 345 678'],
  ['00254712345678', 'KE', '+254 712 345 678'],
  ['0821239876', 'ZA', '+27 821 239 876'],
  ['27821239876', 'KE', '+27 821 239 876'],
  ['+44 20 7946 0958', 'KE', '+44 20 7946 0958'],
  ['0712345678', '', '0712345678'],
  ['', 'KE', ''],
])('%s in %s is written %s', (typed, country, shown) => expect(formatPhone(typed, country)).toBe(shown))
