export { jobsArea } from './jobs.area.ts'
