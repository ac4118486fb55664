import { reportFormats } from './report-view.ts'
import { z } from 'zod'
import { identifierSchema } from './input.ts'
import { box, type Box } from './box.ts'
import type { LiveEvent } from './geo/events.ts'
import type { LivePosition } from './geo/calls.ts'

/** Messages the server sends over the socket, by event name. */
export interface ServerEvents {
  session: { SessionID: string }
  notification: { Id: string; itemType: string; message: string; dateCreated: string }
  reportProgress: { runId: string; report: string; rows: number; total: number | null; percent: number }
  reportComplete: ReportComplete
  csvReportComplete: ReportComplete
  /** Records of a resource changed; lists and records that show them ask again. */
  'records.changed': { resource: string; ids: string[]; op: 'created' | 'updated' | 'removed' }
  /** Vehicles that moved or spoke, for sockets that follow them; of two of one device the greater seq counts. */
  positions: { positions: LivePosition[] }
  /** From here on positions are sent; with a box those in it, and those that leave it. */
  following: { box: Box | null }
  /** What happened to vehicles, or became of it, for sockets that follow events; an event may be sent twice. */
  events: { events: LiveEvent[] }
  'session.ended': { reason: 'logout' | 'disabled' | 'expired' | 'replaced' | 'wiped' }
  error: { code: string; message: string }
}
export type ServerEventName = keyof ServerEvents
export interface ServerMessage<Name extends ServerEventName = ServerEventName> {
  event: Name
  data: ServerEvents[Name]
  seq?: number
}

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
    reportId: z.string().max(60),
    parameters: parameters.default({}),
    exportFormat: z.enum(reportFormats),
  }),
  cancelReport: z.strictObject({ runId: identifierSchema }),
  /**
   * Positions as they come, until the socket ends or says so; after a gap GET /geo/positions/changes returns what was missed.
   * With a box only those in it and those that leave it: once `following` has come, GET /geo/positions/changes?box= returns what is there.
   */
  followPositions: z.strictObject({ box: box.optional() }),
  unfollowPositions: z.strictObject({}),
  /** Events as they come and change, in the same way; after a gap GET /geo/events/changes returns what was missed. */
  followEvents: z.strictObject({}),
  unfollowEvents: z.strictObject({}),
  ping: z.strictObject({}),
} as const
export type ClientMessageName = keyof typeof clientMessages
