import { describe, expect, it } from 'vitest'
import { moneyText, roundLimit, roundMoney } from './money.ts'

describe('rounding', () => {
  it.each([
    ['0.125', '0.12'],
    ['0.135', '0.14'],
    ['2.345', '2.34'],
    ['2.355', '2.36'],
    ['1.005', '1.00'],
    ['-0.125', '-0.12'],
    ['1.0050000001', '1.01'],
  ])('posts %s as %s', (value, posted) => {
    expect(moneyText(value)).toBe(posted)
    expect(moneyText(Number(value))).toBe(posted)
  })

  it('never shows a negative zero', () => expect(moneyText('-0.001')).toBe('0.00'))

  it('rounds limits down', () => {
    expect(roundLimit('99.999').toFixed(2)).toBe('99.99')
    expect(roundMoney('99.999').toFixed(2)).toBe('100.00')
  })
})
