/** What other areas may ask of agents. */
export { logAction } from './action.handlers.ts'
export { noActivityAssignment } from './agent.errors.ts'
export { atWork } from './consent/trackable.ts'
export { workNews } from './agent.news.ts'
export { agentsArea } from './agents.area.ts'
export { requireAgent } from './tracking.ts'
export { recordPositions } from './positions.ts'
export { agentWork } from './timeline.ts'
