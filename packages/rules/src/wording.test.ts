import { describe, expect, it } from 'vitest'
import { readFormats } from './formats.ts'
import { wordingOf } from './wording.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const of = (formats: Parameters<typeof readFormats>[0] = {}, currency = 'ZAR') =>
  wordingOf({ currency, timeZone: 'Africa/Nairobi', formats: readFormats(formats) })

describe('how a company writes', () => {
  it('is usual where nobody chose', () => {
    const words = of({}, 'KES')
    expect(words.day('2026-11-05')).toBe('5 Nov 2026')
    expect(words.moment(new Date('2026-11-05T21:30:00Z'))).toBe('6 Nov 2026 00:30')
    expect(words.dayOf(new Date('2026-11-05T21:30:00Z'))).toBe('6 Nov 2026')
    expect(plain(words.money('1234.5'))).toBe('KES 1,234.50')
    expect(words.number('1234.125')).toBe('1,234.125')
  })

  it.each([
    ['DD/MM/YYYY', '05/11/2026'],
    ['MM/DD/YYYY', '11/05/2026'],
    ['DD.MM.YYYY', '05.11.2026'],
    ['YYYY-MM-DD', '2026-11-05'],
  ])('has days as %s', (date, expected) => {
    expect(of({ date }).day('2026-11-05')).toBe(expected)
    expect(of({ date }).moment(new Date('2026-11-05T05:30:00Z'))).toBe(`${expected} 08:30`)
  })

  it.each([
    ['1.234,56', 'symbol', 'R 1.234.567,80'],
    ['1 234,56', 'code', 'ZAR 1 234 567,80'],
    ["1'234.56", 'code', "ZAR 1'234'567.80"],
  ])('has numbers as %s with the %s', (number, currency, expected) => {
    expect(plain(of({ number, currency }).money('1234567.8'))).toBe(expected)
  })

  it('keeps every digit of long amounts, the decimals of the currency, and what is no number', () => {
    const words = of({ number: '1.234,56' }, 'UGX')
    expect(words.plainMoney('9007199254740993')).toBe('9.007.199.254.740.993')
    expect(words.plainMoney('1200.55')).toBe('1.200,55')
    expect(words.plainMoney('1200', 'KES')).toBe('1.200,00')
    expect(plain(words.money('-3', 'USD'))).toBe('-$3,00')
    expect(words.number('n/a')).toBe('n/a')
    expect(words.day('soon')).toBe('soon')
  })
})
