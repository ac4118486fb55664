/** What other areas may ask of targets. */
export { targetsArea } from './targets.area.ts'
export { metricEvents } from './metrics.ts'
