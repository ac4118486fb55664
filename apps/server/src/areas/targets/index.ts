/** What other areas may ask of targets. */
export { targetsArea } from './targets.area.ts'
export { myTargets } from './target.handlers.ts'
