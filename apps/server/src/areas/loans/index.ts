/** What other areas may ask of loans. */
export { daysPastDue, buckets, bucket, overdue } from './loan.arrears.ts'
export { loansAsOf } from './loan.figures.ts'
export { planVisit } from './visit.ts'
export { createLoan } from './loan.create.ts'
export { loan } from './loan.resource.ts'
export { seesLoans, openLoans, type OpenLoan } from './loan.secured.ts'
export { recordPayment } from './payment.book.ts'
export { loansArea } from './loans.area.ts'
