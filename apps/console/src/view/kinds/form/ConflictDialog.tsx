import { useState } from 'react'
import { Alert, Modal, Radio } from 'antd'
import type { FieldView } from '@outpost/contract/fields'
import type { Row } from '../../../data/records.ts'
import { t } from '../../../session/labels.ts'
import { FieldValue } from '../../FieldValue.tsx'
import type { RecordValues } from './values.ts'

export interface Conflict {
  field: FieldView
  mine: unknown
  theirs: unknown
}
interface ConflictDialogProps {
  conflicts: Conflict[]
  theirs: Row
  currency: string
  onResolve: (chosen: RecordValues) => void
  onClose: () => void
  backWords?: string
}

/** Somebody else saved meanwhile: field by field, mine or theirs; what only one side changed is not asked. */
export function ConflictDialog({ conflicts, theirs, currency, onResolve, onClose, backWords = 'Back to the form' }: ConflictDialogProps) {
  const [side, setSide] = useState<Record<string, 'mine' | 'theirs'>>({})
  const sideOf = (key: string) => side[key] ?? 'mine'
  const resolve = () =>
    onResolve(
      Object.fromEntries(conflicts.map(({ field, mine, theirs: other }) => [field.key, sideOf(field.key) === 'mine' ? mine : other])),
    )
  return (
    <Modal
      open
      width={720}
      title={t('Somebody else changed this record meanwhile')}
      okText={t('Save this choice')}
      cancelText={t(backWords)}
      onOk={resolve}
      onCancel={onClose}
    >
      {conflicts.length === 0 ? (
        <Alert type="info" showIcon title={t('Your changes and theirs do not touch the same fields; both can be kept.')} />
      ) : null}
      {conflicts.map(({ field, mine, theirs: other }) => (
        <fieldset key={field.key} className="conflict">
          <legend>{t(field.label)}</legend>
          <Radio.Group
            value={sideOf(field.key)}
            onChange={(event) => setSide({ ...side, [field.key]: event.target.value as 'mine' | 'theirs' })}
          >
            <Radio value="mine">
              <span className="conflict-side">{t('Mine')}</span>{' '}
              <FieldValue field={field} record={{ ...theirs, [field.key]: mine, [`${field.key}Label`]: undefined }} currency={currency} />
            </Radio>
            <Radio value="theirs">
              <span className="conflict-side">{t('Theirs')}</span>{' '}
              <FieldValue field={field} record={{ ...theirs, [field.key]: other }} currency={currency} />
            </Radio>
          </Radio.Group>
        </fieldset>
      ))}
    </Modal>
  )
}
