/** What other areas may ask of pipelines. */
export { ensurePipeline, stagesInEffect } from './defaults.ts'
export { pipeline, pipelineStage } from './pipeline.resource.ts'
export { pipelinesArea } from './pipelines.area.ts'
