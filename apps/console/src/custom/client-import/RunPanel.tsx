import { useMutation } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { queryClient } from '../../data/query-client.ts'
import { t } from '../../session/labels.ts'
import { ErrorText } from '../../view/states/index.tsx'
import { isBusy, takeStep, type Run, type Step } from './run.ts'
import { Verdicts } from './Verdicts.tsx'

interface RunPanelProps {
  run: Run
  /** Words for the fields that verdicts name. */
  labels: ReadonlyMap<string, string>
  onRun: (run: Run) => void
}

/** How far a run is, what became of its rows, and its next step. It goes on in the office, whether this screen is open or not. */
export function RunPanel({ run, labels, onRun }: RunPanelProps) {
  const step = useMutation({
    mutationFn: (name: Step) => takeStep(run.Id, name),
    onSuccess: async (next, name) => {
      onRun(next)
      if (name === 'cancel') await queryClient.invalidateQueries({ queryKey: ['records'] })
    },
  })
  const button = (name: Step, words: string, isPrimary = true) => (
    <Button type={isPrimary ? 'primary' : 'default'} loading={step.isPending} onClick={() => step.mutate(name)}>
      {words}
    </Button>
  )
  const taken = (run.counts.make ?? 0) + (run.counts.update ?? 0)
  return (
    <>
      {run.error ? <Alert type="warning" showIcon title={t(run.error)} /> : null}
      {step.error ? <Alert type="error" showIcon role="alert" title={<ErrorText error={step.error} />} /> : null}
      <div className="import-actions">
        {run.isTrial && run.status === 'done' ? (
          <Button type="primary" disabled={taken === 0} loading={step.isPending} onClick={() => step.mutate('commit')}>
            {t('Import {{count}} clients', { count: taken })}
          </Button>
        ) : null}
        {run.status === 'cancelled' || run.status === 'failed'
          ? button('resume', t('Go on with {{count}} rows', { count: run.total - run.done }))
          : null}
        {isBusy(run) ? (
          <>
            <progress max={run.total} value={run.done} aria-label={t('Progress')} />
            <span>{t('{{done}} of {{count}} rows', { done: run.done, count: run.total })}</span>
            {button('cancel', t('Cancel'), false)}
          </>
        ) : null}
      </div>
      {isBusy(run) || run.done === 0 ? null : <Verdicts run={run} labels={labels} />}
    </>
  )
}
