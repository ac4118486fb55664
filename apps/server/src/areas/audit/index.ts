export { auditArea } from './audit.area.ts'
