import type { ReportDefinition } from '../definition.ts'
import { exportList } from './export-list.ts'
import { salesAgentReport } from './sales-agent.ts'
import { userLoginReport } from './user-login.ts'

/** The reports there are, by name. */
export const reports: ReadonlyMap<string, ReportDefinition> = new Map(
  [userLoginReport, salesAgentReport, exportList].map((definition) => [definition.name, definition]),
)
