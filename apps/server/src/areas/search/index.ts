/** What other areas may ask of search. */
export { searchArea } from './search.area.ts'
