/** What other areas may ask of reconciliation. */
export { bankMethods } from './money-source.ts'
export { statementCheck } from './statement.check.ts'
export { loanNamed, pairs } from './statement.pairs.ts'
export { reconcile } from './reconcile.ts'
export { reconciliationArea } from './reconciliation.area.ts'
