import { expect, test } from 'vitest'
import { leftOver } from './run.ts'

test('rows that are given back hold no formula, and their numbers are numbers', () => {
  const run = {
    headings: ['Name', 'Phone', '=Note'],
    rows: [
      { row: 2, cells: ['=cmd|A0', '+254712345678', '-5'], verdict: 'refuse', problems: [{ field: 'name', message: 'is wrong, "so"' }] },
      { row: 3, cells: ['Asha', '0712', '@x'], verdict: 'make', problems: [] },
    ],
  } as unknown as Parameters<typeof leftOver>[0]
  expect(leftOver(run, 'What is wrong')).toBe(
    `"Name","Phone","'=Note","What is wrong"\r\n"'=cmd|A0","+254712345678","-5","name is wrong, ""so"""`,
  )
})
