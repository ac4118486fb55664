/** What other areas may ask of reconciliation. */
export { settlingDays, sourceOfPayment } from './money-source.ts'
export { reconcile } from './reconcile.ts'
export { reconciliationArea } from './reconciliation.area.ts'
