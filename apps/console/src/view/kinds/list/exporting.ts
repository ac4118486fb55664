import type { ListView } from '@outpost/contract/views'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { startReport } from '../report/runs.ts'
import type { ReportFormat } from '@outpost/contract/report-view'
import type { ReportParameters } from '../report/runs.ts'
import { listQuery } from './list-state.ts'
import type { ListFilter } from './list-state.ts'

/** Parameters of the export: the same rows and columns as on the screen; the query travels as JSON text. */
export function exportParameters(view: ListView, state: ListFilter, columns: readonly string[]): ReportParameters {
  const { filter, ...query } = listQuery(view, state)
  return {
    // The call distinguishes lists of one resource, such as users and deactivated users.
    resource: view.resource,
    path: view.source.path,
    query: JSON.stringify({ ...query, ...(filter ? { filter: JSON.stringify(filter) } : {}) }),
    columns: columns.join(','),
  }
}

/** Asks for the list as a file; the file comes as every report does. */
export async function exportList(view: ListView, state: ListFilter, columns: readonly string[], format: ReportFormat): Promise<void> {
  try {
    await startReport({
      report: view.exportReport ?? 'exportList',
      title: view.title,
      parameters: exportParameters(view, state, columns),
      format,
    })
    toast.info({ title: t('Preparing the file'), body: t('It opens as soon as it is ready; you can go on working.'), key: 'export' })
  } catch (error) {
    toast.danger({ title: t('The file could not be made'), body: error instanceof Error ? error.message : undefined })
  }
}
