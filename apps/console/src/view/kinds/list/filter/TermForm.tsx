import { useState } from 'react'
import { Button } from 'antd'
import type { FilterTerm } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import { t } from '../../../../session/labels.ts'
import { isWhole, newTerm, TermFields, termOf } from './TermFields.tsx'
import type { DraftTerm } from './TermFields.tsx'

interface TermFormProps {
  view: ListView
  term?: FilterTerm
  onDone: (term: FilterTerm) => void
  onCancel: () => void
  /** Asks for a group of conditions instead. */ onGroup?: () => void
}

/** Adds or changes one filter. */
export function TermForm({ view, term, onDone, onCancel, onGroup }: TermFormProps) {
  const [draft, setDraft] = useState<DraftTerm>(() => term ?? newTerm(view))
  const isReady = isWhole(draft)
  const submit = (event: React.SyntheticEvent) => {
    event.preventDefault()
    if (isReady) onDone(termOf(draft))
  }
  return (
    <form
      noValidate
      className="term-form"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
      aria-label={t('Filter')}
    >
      <TermFields id="term" view={view} term={draft} onChange={setDraft} autoFocus />
      <div className="term-form-end">
        {onGroup ? (
          <Button type="link" className="term-form-group" onClick={onGroup}>
            {t('Group of conditions')}
          </Button>
        ) : null}
        <Button onClick={onCancel}>{t('Cancel')}</Button>
        <Button type="primary" htmlType="submit" disabled={!isReady}>
          {t(term ? 'Change' : 'Add filter')}
        </Button>
      </div>
    </form>
  )
}
