import { describe, expect, it } from 'vitest'
import { typedAmount } from './typed-amount.ts'

describe('an amount as people write it', () => {
  it('is the same however thousands and decimals are set off', () => {
    for (const text of ['1234.50', '1,234.50', '1 234.50', '1.234,50', '1 234,50', '1234,50'])
      expect([text, Number(typedAmount(text))]).toEqual([text, 1234.5])
    for (const text of ['1234567', '1,234,567', '1 234 567']) expect(typedAmount(text)).toBe('1234567')
    expect([typedAmount('12,50'), typedAmount('-12,5'), typedAmount('-1,000')]).toEqual(['12.50', '-12.5', '-1000'])
  })

  it('is none where it might be two, or is no number', () => {
    for (const text of ['1,23,4', '1,2345', '12,345,6', '1.234.567', '1,234,50', '', '-', '1e3', '0x10', '(50)', '5.', '.5', 'NaN', ','])
      expect([text, typedAmount(text)]).toEqual([text, undefined])
  })
})
