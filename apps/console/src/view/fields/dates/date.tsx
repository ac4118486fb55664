import { lazy } from 'react'
import dayjs from 'dayjs'
import { dateShape, formatDate, isBlank } from '../../formats.ts'
import type { CellProps, FieldKindView } from '../types.ts'

const DateInput = lazy(async () => ({ default: (await import('../inputs/date-input.tsx')).DateInput }))
const DateCell = ({ value }: CellProps) => (
  <time className="field-digits" dateTime={String(value)}>
    {formatDate(value)}
  </time>
)

/** A calendar day, yyyy-MM-dd on the wire. */
export const date: FieldKindView = { Input: DateInput, Cell: DateCell, text: formatDate, width: 120, besideText: 0, toWire: dayOnWire }

function dayOnWire(value: unknown): unknown {
  if (isBlank(value)) return null
  const day = dayjs(value as string)
  return day.isValid() ? day.format(dateShape) : value
}
