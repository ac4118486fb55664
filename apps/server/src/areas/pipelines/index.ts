/** What other areas may ask of pipelines. */
export { ensurePipeline } from './defaults.ts'
export { pipelinesArea } from './pipelines.area.ts'
