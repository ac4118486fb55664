/** What other areas may ask of merging clients. */
export { clientMergeArea } from './client-merge.area.ts'
