import { lazy } from 'react'
import dayjs from 'dayjs'
import { formatDateTime, formatRelative } from '../../formats.ts'
import type { CellProps, FieldKindView } from '../types.ts'

const DateTimeInput = lazy(async () => ({ default: (await import('../inputs/date-input.tsx')).DateTimeInput }))
const DateTimeCell = ({ value }: CellProps) => (
  <time className="field-digits" dateTime={String(value)} title={formatRelative(value)}>
    {formatDateTime(value)}
  </time>
)

/** A moment; ISO 8601 with its offset on the wire, the device's time on the screen. */
export const dateTime: FieldKindView = {
  Input: DateTimeInput,
  Cell: DateTimeCell,
  text: formatDateTime,
  width: 172,
  besideText: 0,
  toWire: (value) => (value ? dayjs(value as string).toISOString() : null),
}
