export { requestReport, type ReportRequest } from './request.ts'
