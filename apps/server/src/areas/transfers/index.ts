/** What other areas may ask of transfers. */
export { transfersArea } from './transfers.area.ts'
