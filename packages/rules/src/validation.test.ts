import { describe, expect, it } from 'vitest'
import * as rule from './validation.ts'

describe('value rules', () => {
  it.each([
    [rule.isFirstName, ['Wanjiru', 'Thando-Lee', "N'golo", 'José'], ['', 'A1', 'x'.repeat(21), 'Bob!', "'"]],
    [rule.isPersonName, ['van der Merwe', "O'Neil", 'Ndung’u', 'Ngʼang’a'], ['R2D2', '<b>', '']],
    [rule.isLocalPhone, ['0712345678'], ['712345678', '07123456789', '+254712345678', '071234567a']],
    [rule.isEmail, ['a@b.co', 'first.last+tag@mail.example.org'], ['a@b', 'a b@c.de', '@b.co', 'a@b..co', 'a@b.co<script>']],
    [rule.isIdentifier, ['3f2504e0-4f89-11d3-9a0c-0305e82c3301'], ['3f2504e04f8911d39a0c0305e82c3301', 'x']],
    [rule.isNoIdentifier, ['00000000-0000-0000-0000-000000000000'], ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', '0']],
    [rule.isAlpha, ['Cape Town'], ['Cape  Town', 'A1', 'a b c']],
    [rule.isAlphanumericWithSpaces, ['a b', 'abc'], ['ab', ' abc', 'abc ']],
  ])('%o', (check, good, bad) => {
    for (const value of good) expect(check(value), value).toBe(true)
    for (const value of bad) expect(check(value), value).toBe(false)
  })

  it('requires 13 digits of an ID number unless the country issues shorter ones', () => {
    expect(rule.isIdNumber('8001015009087')).toBe(true)
    expect(rule.isIdNumber('12345678')).toBe(false)
    expect(rule.isIdNumber('12345678', 'KE')).toBe(true)
    expect(rule.isIdNumber('1234a5678', 'KE')).toBe(false)
  })

  it('treats 0 and 999 as no fix', () => {
    expect(rule.isPosition(-1.29, 36.82)).toBe(true)
    expect(rule.isPosition(0, 36.82)).toBe(false)
    expect(rule.isPosition(999, 36.82)).toBe(false)
    expect(rule.isPosition(-91, 36.82)).toBe(false)
  })
})
