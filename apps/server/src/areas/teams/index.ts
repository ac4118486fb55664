/** What other areas may ask of teams. */
export { isInTeam } from './in-team.ts'
export { teammatesOf } from './teammates.ts'
export { team } from './team.resource.ts'
export { teamsArea } from './teams.area.ts'
