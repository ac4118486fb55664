/** What other areas may ask of statements. */
export { statementsArea } from './statements.area.ts'
