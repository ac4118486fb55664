import { z } from 'zod'

/** Messages the server sends over the socket, by event name. */
export interface ServerEvents {
  session: { SessionID: string }
  notification: { Id: string, itemType: string, message: string, dateCreated: string }
  reportProgress: { runId: string, report: string, rows: number, total: number | null, percent: number }
  reportComplete: ReportComplete
  csvReportComplete: ReportComplete
  /** Records of a resource changed; lists and records that show them ask again. */
  'records.changed': { resource: string, ids: string[], op: 'created' | 'updated' | 'removed' }
  'session.ended': { reason: 'logout' | 'disabled' | 'expired' | 'replaced' }
  error: { code: string, message: string }
}
export type ServerEventName = keyof ServerEvents
export interface ServerMessage<Name extends ServerEventName = ServerEventName> { event: Name, data: ServerEvents[Name], seq?: number }

/** Report completion as the specification names it; heading is the title of an error toast. */
export interface ReportComplete {
  runId: string
  success: boolean
  filePath?: string
  reportName: string
  heading: string
  body: string
}

const parameters = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** Messages a client may send, each with its schema; anything else closes the socket. */
export const clientMessages = {
  generateReport: z.strictObject({ report: z.string().max(60), parameters: parameters.default({}) }),
  generateCSVReport: z.strictObject({ report: z.string().max(60), parameters: parameters.default({}) }),
  runReportV2: z.strictObject({
    reportId: z.string().max(60), parameters: parameters.default({}), exportFormat: z.enum(['xlsx', 'csv']),
  }),
  cancelReport: z.strictObject({ runId: z.uuid() }),
  ping: z.strictObject({}),
} as const
export type ClientMessageName = keyof typeof clientMessages
