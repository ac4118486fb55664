import { describe, expect, it } from 'vitest'
import { grouped, groupedAmount } from './grouped.ts'

describe('an amount while it is typed', () => {
  it.each([
    ['', ''],
    ['1', '1'],
    ['999', '999'],
    ['1250', '1,250'],
    ['12,5000', '125,000'],
    ['1250000.5', '1,250,000.5'],
    ['1250.', '1,250.'],
    ['-1234.50', '-1,234.50'],
    ['KES 1 250 000', '1,250,000'],
  ])('%s is shown as %s', (typed, shown) => expect(grouped(typed)).toBe(shown))

  it('is read without its commas, and keeps what is being typed', () => {
    expect(groupedAmount.parser('1,250,000.5')).toBe('1250000.5')
    expect(groupedAmount.formatter('1250', { userTyping: true, input: '1250.0' })).toBe('1,250.0')
    expect(groupedAmount.formatter('1250', { userTyping: false, input: '' })).toBe('1,250')
  })
})
