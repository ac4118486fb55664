import { expect, it } from 'vitest'
import { inSentence } from './in-sentence.ts'

it.each([
  ['Loan application', 'loan application'],
  ['IP addresses', 'IP addresses'],
  ['OAuth client', 'OAuth client'],
  ['Settlement quote as PDF', 'settlement quote as PDF'],
])('%s reads %s inside a sentence', (label, words) => {
  expect(inSentence(label)).toBe(words)
})
