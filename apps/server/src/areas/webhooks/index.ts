export { webhooksArea } from './webhooks.area.ts'
