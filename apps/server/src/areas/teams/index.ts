/** What other areas may ask of teams. */
export { teamsArea } from './teams.area.ts'
