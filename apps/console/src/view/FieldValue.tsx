import { memo } from 'react'
import type { FieldView } from '@outpost/contract/fields'
import { fieldKindView } from './fields/index.ts'
import { isBlank, noValue } from './formats.ts'
import { RecordLink } from './RecordLink.tsx'
import { t } from '../session/labels.ts'

interface FieldValueProps {
  field: FieldView
  record: Record<string, unknown>
  currency: string
}

/** A field's value as its kind shows it, a number with the link to the rows that it counts; a dash (silent to screen readers as "none") when there is none. */
export const FieldValue = memo(function FieldValue({ field, record, currency }: FieldValueProps) {
  const value = record[field.key]
  if (isBlank(value))
    return (
      <span className="field-none" aria-label={t('none')} role="img">
        {noValue}
      </span>
    )
  const { Cell } = fieldKindView(field.kind)
  const shown = <Cell field={field} value={value} record={record} currency={currency} />
  return field.opens === undefined || value === 0 ? (
    shown
  ) : (
    <RecordLink screen={field.opens} values={record}>
      {shown}
    </RecordLink>
  )
})
