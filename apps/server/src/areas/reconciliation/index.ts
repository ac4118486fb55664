/** What other areas may ask of reconciliation. */
export { decidersOnMoney } from './difference.alert.ts'
export { bankMethods } from './money-source.ts'
export { statementCheck } from './statement.check.ts'
export { loanNamed, pairs } from './statement.pairs.ts'
export { reconcile } from './reconcile.ts'
export { reconciliationArea } from './reconciliation.area.ts'
