/** What other areas may ask of reconciliation. */
export { reconcile } from './reconcile.ts'
export { reconciliationArea } from './reconciliation.area.ts'
