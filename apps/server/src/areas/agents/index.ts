/** What other areas may ask of agents. */
export { agentsArea } from './agents.area.ts'
