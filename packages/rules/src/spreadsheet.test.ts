import { expect, test } from 'vitest'
import { csvField, guardText, quotedField, unguardText } from './spreadsheet.ts'

test('a field of CSV is no formula, and a number stays one', () => {
  expect(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://evil")'].map(csvField)).toEqual([
    "'=1+1",
    "'+cmd",
    "'-2+3",
    "'@SUM(A1)",
    "'\t=1",
    `"'\r=1"`,
    `"'=HYPERLINK(""http://evil"")"`,
  ])
  expect(['-12.50', '+254712345678', '0', '12,5', 'a "b"', "O'Brien", ''].map(csvField)).toEqual([
    '-12.50',
    '+254712345678',
    '0',
    '"12,5"',
    '"a ""b"""',
    "O'Brien",
    '',
  ])
  expect(['=1', '-5', 'a "b"'].map(quotedField)).toEqual([`"'=1"`, '"-5"', '"a ""b"""'])
})

test('what was guarded is read as it was', () => {
  for (const text of ['=1+1', '-', '@a', '+254 712', "'quoted'", 'plain', "'", '']) expect(unguardText(guardText(text))).toBe(text)
})
