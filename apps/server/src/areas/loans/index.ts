/** What other areas may ask of loans. */
export { createLoan } from './loan.create.ts'
export { loansArea } from './loans.area.ts'
