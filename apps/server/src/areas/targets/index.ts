/** What other areas may ask of targets. */
export { targetsArea } from './targets.area.ts'
export { myTargets, runningTargets } from './target.handlers.ts'
export { labelOf, metricEvents } from './metrics.ts'
