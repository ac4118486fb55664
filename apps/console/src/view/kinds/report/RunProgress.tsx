import { useState } from 'react'
import { Button, Progress } from 'antd'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { formatNumber } from '../../formats.ts'
import { cancelReport } from './runs.ts'
import type { Run } from './runs.ts'

/** How far a report is, with a way to stop it. */
export function RunProgress({ run }: { run: Run }) {
  const [isStopping, setStopping] = useState(false)
  const stop = async () => {
    setStopping(true)
    try {
      await cancelReport(run)
    } catch (error) {
      toast.danger({ title: t('The report could not be stopped'), body: error instanceof Error ? error.message : undefined })
    } finally {
      setStopping(false)
    }
  }
  const words =
    run.status === 'queued'
      ? t('Waiting to start')
      : `${formatNumber(run.rows)}${run.total === null ? '' : ` ${t('of')} ${formatNumber(run.total)}`} ${t('rows')}`
  return (
    <div className="run-progress">
      <Progress percent={Math.round(run.percent)} status="active" aria-label={`${t(run.title)}: ${t('progress')}`} />
      <span role="status">{words}</span>
      <Button size="small" loading={isStopping} disabled={run.runId === null} onClick={() => void stop()}>
        {t('Cancel')}
      </Button>
    </div>
  )
}
