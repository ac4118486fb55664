import { useState } from 'react'
import { Skeleton } from 'antd'
import type { FormView } from '@outpost/contract/views'
import { useRecord } from '../../../data/queries.ts'
import type { Row } from '../../../data/records.ts'
import { t } from '../../../session/labels.ts'
import { ErrorState } from '../../states/index.tsx'
import { RecordForm } from './RecordForm.tsx'

/** A form for a new record, or for the one the address names. */
export function FormKind({ view, params }: { view: FormView; params: Record<string, string> }) {
  const id = view.load ? (params.id ?? Object.values(params)[0]) : undefined
  const loaded = useRecord(view.load, view.one, id, { resource: view.resource, entityType: view.offline, params })
  const [base, setBase] = useState<Row>()
  // The form keeps the record it started with: a refetch must not pull the ground away under what is being typed.
  if (loaded.data && base === undefined) setBase(loaded.data)
  if (view.load && loaded.error && !base) {
    return (
      <div className="form-view">
        <header className="view-header">
          <h1>{t(view.title)}</h1>
        </header>
        <ErrorState error={loaded.error} onRetry={() => void loaded.refetch()} what={t('This form')} />
      </div>
    )
  }
  if (view.load && !base) return <FormSkeleton title={view.title} rows={view.sections.flatMap((section) => section.rows).length} />
  return <RecordForm key={`${id ?? 'new'}`} view={view} params={params} id={id} base={base} newest={loaded.data} onReload={setBase} />
}

export const FormSkeleton = ({ title, rows = 6 }: { title?: string; rows?: number }) => (
  <div className="form-view" role="status" aria-label={t('Loading the form')}>
    <header className="view-header">{title ? <h1>{t(title)}</h1> : <Skeleton.Input active />}</header>
    <div className="form-card">
      {Array.from({ length: Math.min(rows, 8) }, (_, index) => (
        <div key={index} className="form-skeleton-row">
          <Skeleton.Input active block />
        </div>
      ))}
    </div>
  </div>
)
