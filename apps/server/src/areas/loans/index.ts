/** What other areas may ask of loans. */
export { createLoan } from './loan.create.ts'
export { loan } from './loan.resource.ts'
export { recordPayment } from './payment.book.ts'
export { loansArea } from './loans.area.ts'
