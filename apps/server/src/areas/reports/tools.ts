import type { FileStore } from '@outpost/platform/files/types'
import type { ReportDefinition } from '../../kernel/reports/definition.ts'

/** What the reports area works with. */
export interface ReportTools {
  files: FileStore
  /** The writing threads open connections of their own. */
  databaseUrl: string
  secret: string
  /** The reports there are, by name. */
  reports: ReadonlyMap<string, ReportDefinition>
}
