import { Alert, Button } from 'antd'
import { useRef, useState } from 'react'
import { queryClient } from '../../data/query-client.ts'
import { t } from '../../session/labels.ts'
import { ErrorText } from '../../view/states/index.tsx'
import { ColumnChoice } from './ColumnChoice.tsx'
import { runImport, type Duplicates, type Field, type ImportedRow, type Sheet } from './run.ts'
import { Verdicts } from './Verdicts.tsx'

type Phase = 'ready' | 'checking' | 'checked' | 'importing' | 'done'

/** A file that was read: its columns, the trial, and the import, which goes on where it was cut. */
export function SheetImport({ name, sheet }: { name: string; sheet: Sheet }) {
  const [mapping, setMapping] = useState<readonly (Field | null)[]>(sheet.guess)
  const [duplicates, setDuplicates] = useState<Duplicates>('refuse')
  const [phase, setPhase] = useState<Phase>('ready')
  const [judged, setJudged] = useState<readonly ImportedRow[]>([])
  const [error, setError] = useState<unknown>()
  const cancelled = useRef(false)
  const missing = sheet.fields.filter(({ key, required }) => required && !mapping.includes(key))
  const isBusy = phase === 'checking' || phase === 'importing'
  const again = () => {
    setPhase('ready')
    setJudged([])
    setError(undefined)
  }

  const run = async (dryRun: boolean, before: readonly ImportedRow[]) => {
    const answered = new Set(before.map(({ row }) => row))
    let all = before
    cancelled.current = false
    setError(undefined)
    setJudged(all)
    setPhase(dryRun ? 'checking' : 'importing')
    try {
      await runImport({
        rows: sheet.rows.filter(({ row }) => !answered.has(row)),
        mapping,
        duplicates,
        dryRun,
        portion: sheet.portion,
        isCancelled: () => cancelled.current,
        onDone: (rows) => setJudged((all = [...all, ...rows])),
      })
    } catch (cause) {
      setError(cause)
    }
    if (!dryRun) await queryClient.invalidateQueries({ queryKey: ['records'] })
    if (dryRun && all.length < sheet.rows.length) again()
    else setPhase(dryRun ? 'checked' : 'done')
  }

  const taken = judged.filter(({ verdict }) => verdict === 'make' || verdict === 'update').length
  const left = sheet.rows.length - judged.length
  return (
    <section className="import-verdicts" aria-labelledby="import-file">
      <h2 id="import-file">
        {name}: {t('{{count}} rows', { count: sheet.rows.length })}
      </h2>
      <ColumnChoice
        sheet={sheet}
        mapping={mapping}
        duplicates={duplicates}
        isFixed={isBusy || phase === 'done'}
        onMapping={(next) => (setMapping(next), again())}
        onDuplicates={(next) => (setDuplicates(next), again())}
      />
      {missing.length > 0 ? (
        <Alert type="warning" showIcon title={`${t('No column is chosen for')}: ${missing.map(({ label }) => t(label)).join(', ')}`} />
      ) : null}
      {error === undefined ? null : <Alert type="error" showIcon role="alert" title={<ErrorText error={error as Error} />} />}
      <div className="import-actions">
        {phase === 'ready' ? (
          <Button type="primary" disabled={missing.length > 0} onClick={() => void run(true, [])}>
            {t('Check the rows')}
          </Button>
        ) : null}
        {phase === 'checked' ? (
          <Button type="primary" disabled={taken === 0} onClick={() => void run(false, [])}>
            {t('Import {{count}} clients', { count: taken })}
          </Button>
        ) : null}
        {phase === 'done' && left > 0 ? (
          <Button type="primary" onClick={() => void run(false, judged)}>
            {t('Go on with {{count}} rows', { count: left })}
          </Button>
        ) : null}
        {isBusy ? (
          <>
            <progress max={sheet.rows.length} value={judged.length} aria-label={t('Progress')} />
            <span>{t('{{done}} of {{count}} rows', { done: judged.length, count: sheet.rows.length })}</span>
            <Button onClick={() => (cancelled.current = true)}>{t('Cancel')}</Button>
          </>
        ) : null}
      </div>
      {judged.length > 0 && !isBusy ? <Verdicts sheet={sheet} judged={judged} isDone={phase === 'done'} /> : null}
    </section>
  )
}
