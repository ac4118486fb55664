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
export const FieldValue = memo(function FieldValue({ field: given, record, currency }: FieldValueProps) {
  const field = drawnField(given, record)
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

/** The field that the value is of, where that differs from row to row; its labels lie beside the value's own key. */
function drawnField(field: FieldView, record: Record<string, unknown>): FieldView {
  const own = field.drawnBy === undefined ? undefined : (record[field.drawnBy] as FieldView | null | undefined)
  return own ? { ...own, key: field.key, opens: undefined } : field
}
