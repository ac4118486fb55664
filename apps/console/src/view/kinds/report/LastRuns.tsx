import { useState } from 'react'
import { Button } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../data/calls.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { formatDateTime, formatNumber, formatRelative } from '../../formats.ts'
import { Label } from '../../fields/parts/tag.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../states/index.tsx'
import { openFile } from './runs.ts'

interface StoredRun {
  Id: string
  report: string
  format: string
  status: string
  rows: number
  dateCreated: string
  fileName?: string | null
  error?: string | null
  hasFile?: boolean
}

const statusClasses: Record<string, string> = {
  done: 'tag-good',
  failed: 'tag-bad',
  cancelled: 'tag-quiet',
  running: 'tag-info',
  queued: 'tag-info',
}
const shown = 10

/** The caller's last runs of a report. */
export function LastRuns({ report }: { report: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['reportRuns'],
    staleTime: 5_000,
    queryFn: async ({ signal }) => (await call('reports.runs', {}, { signal })).data.reportRuns,
  })
  const runs = data?.filter((run) => run.report === report).slice(0, shown)
  return (
    <section className="form-card" aria-labelledby="last-runs">
      <h2 id="last-runs">{t('My last runs')}</h2>
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} what={t('The list of runs')} /> : null}
      {runs?.length === 0 ? <EmptyState title={t('Not run yet')} /> : null}
      {!data && !error ? <LoadingState rows={3} /> : null}
      {runs?.length ? (
        <ul className="last-runs">
          {runs.map((run) => (
            <li key={run.Id}>
              <span className="last-runs-name">{run.hasFile ? <OpenRun run={run} /> : (run.fileName ?? run.format.toUpperCase())}</span>
              <Label className={statusClasses[run.status] ?? 'tag-quiet'}>{t(run.status)}</Label>
              <span className="last-runs-facts">
                <time dateTime={run.dateCreated} title={formatDateTime(run.dateCreated)}>
                  {formatRelative(run.dateCreated)}
                </time>
                , {formatNumber(run.rows)} {t('rows')}
              </span>
              {run.error ? <span className="field-note">{run.error}</span> : null}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}

/** Opens the file of an earlier run; every opening needs a fresh link, which works once. */
function OpenRun({ run }: { run: StoredRun }) {
  const [isOpening, setOpening] = useState(false)
  const open = async () => {
    setOpening(true)
    try {
      const { data } = await call('reports.link', { params: { id: run.Id } })
      openFile(data.filePath as string)
    } catch (error) {
      toast.danger({ title: t('The file could not be opened'), body: error instanceof Error ? error.message : undefined })
    } finally {
      setOpening(false)
    }
  }
  return (
    <Button type="link" size="small" className="field-link" loading={isOpening} onClick={() => void open()}>
      {run.fileName ?? run.format.toUpperCase()}
    </Button>
  )
}
