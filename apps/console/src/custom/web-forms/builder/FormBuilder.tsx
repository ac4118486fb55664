import { useState } from 'react'
import { callOf } from '../../../data/calls.ts'
import { useRecord } from '../../../data/queries.ts'
import type { Row } from '../../../data/records.ts'
import { t } from '../../../session/labels.ts'
import { FormSkeleton } from '../../../view/kinds/form/FormKind.tsx'
import { ErrorState } from '../../../view/states/index.tsx'
import type { CustomProps } from '../../props.ts'
import { Builder } from './Builder.tsx'
import { newPage } from './pages.ts'
import type { EditedForm } from './useForm.ts'
import '../web-forms.css'

/** Makes a web form, or changes the draft of one: its pages and questions beside how they will look. */
export function FormBuilder({ view, params }: CustomProps) {
  const id = params['id']
  const loaded = useRecord(id === undefined ? undefined : callOf('webForms.get'), 'webForm', id)
  const [base, setBase] = useState<Row>()
  // The builder keeps the form it started with: a refetch must not pull the ground away under what is being typed.
  if (loaded.data && base === undefined) setBase(loaded.data)
  if (id === undefined) return <Builder title={view.title} start={emptyForm()} />
  if (base) return <Builder title={view.title} start={base as unknown as EditedForm} onSaved={setBase} />
  if (!loaded.error) return <FormSkeleton title={view.title} />
  return (
    <div className="form-view">
      <header className="view-header">
        <h1 tabIndex={-1}>{t(view.title)}</h1>
      </header>
      <ErrorState error={loaded.error} onRetry={() => void loaded.refetch()} what={t('This form')} />
    </div>
  )
}

const emptyForm = (): EditedForm => ({ name: '', description: '', about: 'nothing', pages: [newPage(t('First page'))] })
