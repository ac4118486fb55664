/** What other areas may ask of targets. */
export { targetsArea } from './targets.area.ts'
