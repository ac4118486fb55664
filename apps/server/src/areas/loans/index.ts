/** What other areas may ask of loans. */
export { createLoan } from './loan.create.ts'
export { loan } from './loan.resource.ts'
export { maySeeLoans, openLoans, type OpenLoan } from './loan.secured.ts'
export { loansArea } from './loans.area.ts'
