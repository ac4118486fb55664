/** What other areas may book. */
export { ledgerArea } from './ledger.area.ts'
export { post, reverse, today, type NewEntry } from './post.ts'
export type { Purpose } from './chart.ts'
