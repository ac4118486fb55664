import { useMutation } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { t } from '../../session/labels.ts'
import { ErrorText } from '../../view/states/index.tsx'
import { ColumnChoice } from './ColumnChoice.tsx'
import { startRun, type Duplicates, type Field, type Run, type Sheet } from './run.ts'

interface SheetImportProps {
  name: string
  sheet: Sheet
  /** What is fixed while a run of it goes on, and once it was meant. */
  run: Run | undefined
  /** The run that was begun, or none any more: its columns were changed. */
  onRun: (id: string | undefined) => void
}

/** A file that was read: what its columns are, and the trial. */
export function SheetImport({ name, sheet, run, onRun }: SheetImportProps) {
  const [mapping, setMapping] = useState<readonly (Field | null)[]>(sheet.guess)
  const [duplicates, setDuplicates] = useState<Duplicates>('refuse')
  const start = useMutation({ mutationFn: startRun, onSuccess: ({ Id }) => onRun(Id) })
  const missing = sheet.fields.filter(({ key, required }) => required && !mapping.includes(key))
  const isFixed = start.isPending || (run !== undefined && !(run.isTrial && run.status === 'done'))
  const again = () => {
    start.reset()
    onRun(undefined)
  }
  return (
    <>
      <h2 id="import-file">
        {name}: {t('{{count}} rows', { count: sheet.rows.length })}
      </h2>
      <ColumnChoice
        sheet={sheet}
        mapping={mapping}
        duplicates={duplicates}
        isFixed={isFixed}
        onMapping={(next) => (setMapping(next), again())}
        onDuplicates={(next) => (setDuplicates(next), again())}
      />
      {missing.length > 0 ? (
        <Alert type="warning" showIcon title={`${t('No column is chosen for')}: ${missing.map(({ label }) => t(label)).join(', ')}`} />
      ) : null}
      {start.error ? <Alert type="error" showIcon role="alert" title={<ErrorText error={start.error} />} /> : null}
      {run ? null : (
        <div className="import-actions">
          <Button
            type="primary"
            disabled={missing.length > 0}
            loading={start.isPending}
            onClick={() => start.mutate({ fileName: name, sheet, mapping, duplicates })}
          >
            {t('Check the rows')}
          </Button>
        </div>
      )}
    </>
  )
}
