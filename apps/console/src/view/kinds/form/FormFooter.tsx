import { Button } from 'antd'
import { t } from '../../../session/labels.ts'
import type { FormSteps } from './useFormSteps.ts'

interface FormFooterProps {
  steps: FormSteps | undefined
  last: number
  isNew: boolean
  isSaving: boolean
  maySave: boolean
  onCancel: () => void
}

/** What ends a form. Of one in steps: back and on; a new record is saved in the last step, a stored one in any. */
export function FormFooter({ steps, last, isNew, isSaving, maySave, onCancel }: FormFooterProps) {
  const isLast = steps === undefined || steps.active === last
  return (
    <footer className="form-footer">
      <Button onClick={onCancel}>{t('Cancel')}</Button>
      {steps && steps.active > 0 ? <Button onClick={() => steps.go(steps.active - 1)}>{t('Back')}</Button> : null}
      {isLast || !isNew ? (
        <Button
          type={isLast ? 'primary' : 'default'}
          htmlType="submit"
          loading={isSaving}
          disabled={!maySave}
          aria-keyshortcuts="Control+S"
          title="Ctrl+S"
        >
          {t('Save')}
        </Button>
      ) : null}
      {steps && !isLast ? (
        <Button type="primary" onClick={() => void steps.next()}>
          {t('Next')}
        </Button>
      ) : null}
    </footer>
  )
}
