import { expect, test } from 'vitest'
import { guardText, localClock, toCell, toCsvField } from './cells.ts'
import { escapeXml } from './sheet-xml.ts'

test('20 payloads are no formulas any more', () => {
  const payloads = [
    '=1+1',
    '=HYPERLINK("http://evil")',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\0=1',
    "=cmd|' /C calc'!A0",
    '-2+3+cmd',
    '=IMPORTXML("x")',
    '@',
    '+',
    '-',
    '=',
    '==',
    '+-1',
    '=\t',
    '-@',
    '=A1',
  ]
  expect(payloads).toHaveLength(20)
  for (const payload of payloads) expect(guardText(payload).startsWith("'")).toBe(true)
  expect(guardText('0712')).toBe('0712')
  expect(guardText('a=b')).toBe('a=b')
  expect(guardText('a\0b')).toBe('ab')
})

test('values become cells of their kind', () => {
  expect(toCell('12.50', 'money')).toBe(12.5)
  expect(toCell('=1', 'number')).toBe("'=1")
  expect(toCell(null, 'number')).toBeNull()
  expect(toCell('2026-01-02', 'date')).toEqual(new Date('2026-01-02'))
  expect(toCell('-never', 'dateTime')).toBe("'-never")
  expect(toCell(['a', 'b'], 'text')).toBe('a, b')
  expect(toCell({ a: 1 }, 'text')).toBe('{"a":1}')
})

test('times are shown on the clock of the company, in summer and in winter', () => {
  const nairobi = localClock('Africa/Nairobi')
  expect(nairobi(new Date('2026-01-01T21:30:00Z')).toISOString()).toBe('2026-01-02T00:30:00.000Z')
  const berlin = localClock('Europe/Berlin')
  expect(toCsvField(new Date('2026-07-01T12:00:00Z'), 'dateTime', berlin)).toBe('2026-07-01 14:00')
  expect(toCsvField(new Date('2026-01-01T12:00:00Z'), 'dateTime', berlin)).toBe('2026-01-01 13:00')
  expect(toCsvField(true, 'boolean', berlin)).toBe('Yes')
})

test('XML holds no signs of its own and nothing that it cannot hold', () => {
  expect(escapeXml('<a & "b">\u0001\ud800x😀')).toBe('&lt;a &amp; &quot;b&quot;&gt;x😀')
})

test('writes linked records by name and lines by what they hold', () => {
  expect(
    toCell(
      [
        { Id: 'a', label: 'Asha' },
        { Id: 'b', label: 'Barasa' },
      ],
      'text',
    ),
  ).toBe('Asha, Barasa')
  expect(
    toCell(
      [
        { Id: 'l', accountId: 'x', accountIdLabel: 'Cash', amount: 12.5, note: null },
        { Id: 'm', accountId: 'y', accountIdLabel: 'Loans', amount: 3 },
      ],
      'text',
    ),
  ).toBe('Cash 12.5, Loans 3')
  expect(toCell({ step: 2 }, 'text')).toBe('{"step":2}')
})
