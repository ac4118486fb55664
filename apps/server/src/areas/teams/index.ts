/** What other areas may ask of teams. */
export { team } from './team.resource.ts'
export { teamsArea } from './teams.area.ts'
