import { Alert, Button } from 'antd'
import { t } from '../../../session/labels.ts'
import { formatRelative } from '../../formats.ts'
import { ErrorText } from '../../states/index.tsx'
import type { Draft } from './drafts.ts'

interface FormNoticesProps {
  draft: Draft | undefined
  onRestore: () => void
  onDiscard: () => void
  /** Somebody else saved a newer version of the record. */
  isOutdated: boolean
  isDirty: boolean
  onTakeTheirs: () => void
  error: unknown
}

/** What is above a form: a draft on offer, a newer version elsewhere, an error that belongs to no field. */
export function FormNotices({ draft, onRestore, onDiscard, isOutdated, isDirty, onTakeTheirs, error }: FormNoticesProps) {
  return (
    <>
      {draft ? (
        <Alert
          className="form-alert"
          type="info"
          showIcon
          title={`${t('An unsaved draft from')} ${formatRelative(draft.at)} ${t('is on this device.')}`}
          action={
            <>
              <Button size="small" type="primary" onClick={onRestore}>
                {t('Restore')}
              </Button>{' '}
              <Button size="small" onClick={onDiscard}>
                {t('Discard')}
              </Button>
            </>
          }
        />
      ) : null}
      {isOutdated ? (
        <Alert
          className="form-alert"
          type="warning"
          showIcon
          title={t('Somebody else changed this record meanwhile.')}
          action={
            <Button size="small" onClick={onTakeTheirs}>
              {t(isDirty ? 'Show theirs (loses mine)' : 'Show theirs')}
            </Button>
          }
        />
      ) : null}
      {error === undefined ? null : (
        <Alert id="form-error" className="form-alert" type="error" showIcon title={<ErrorText error={error} />} role="alert" />
      )}
    </>
  )
}
