import type { ReportComplete } from '@outpost/contract/events'
import type { ReportFormat } from '@outpost/contract/report-view'

interface CompletionToast {
  severity: 'success' | 'danger'
  title: string
  body?: string
}

/** The toast of a finished report, in the words of the specification (section 8). */
export function completionToast({ success, heading, body, reportName }: ReportComplete, format: ReportFormat): CompletionToast {
  const words = body || reportName || undefined
  if (success)
    return {
      severity: 'success',
      title: format === 'csv' ? 'CSV Report generated successfully' : 'Report generated successfully',
      body: words,
    }
  const title = heading || (format === 'csv' ? 'CSV Report generated successfully' : 'Report generated with Errors')
  return { severity: 'danger', title, body: words }
}
