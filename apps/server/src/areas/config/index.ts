/** What other areas may ask of config. */
export { configArea } from './config.area.ts'
