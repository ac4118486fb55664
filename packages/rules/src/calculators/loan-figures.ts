import type { FigureDefinition } from './types.ts'

/** The results of every loan calculator, the most important first. */
export const loanFigures: readonly FigureDefinition[] = [
  { key: 'maxLoan', label: 'Largest loan in cash', unit: 'money', isMain: true },
  { key: 'affordability', label: 'Affordable a month', unit: 'money', isMain: true },
  { key: 'instalment', label: 'Instalment with all costs', unit: 'money', isMain: true },
  { key: 'offer', label: 'Offer in cash', unit: 'money' },
  { key: 'principal', label: 'Loan of the offer, costs included', unit: 'money' },
  { key: 'maxPrincipal', label: 'Largest loan, costs included', unit: 'money' },
  { key: 'term', label: 'Term', unit: 'months' },
  { key: 'totalCost', label: 'Interest and charges over the term', unit: 'money' },
]
