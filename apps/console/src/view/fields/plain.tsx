import { t } from '../../session/labels.ts'
import type { CellProps, FieldKindView } from './types.ts'

const PlainCell = ({ value }: CellProps) => <>{String(value)}</>

/** Defaults of a kind whose value is text. */
export const plainText: Pick<FieldKindView, 'Cell' | 'text' | 'width' | 'besideText'> = {
  Cell: PlainCell,
  text: (value) => String(value),
  width: 180,
  besideText: 0,
}

/** Words for a text that breaks a limit of its field. */
export function checkLength(
  value: unknown,
  { min, max, maxLength }: { min?: number; max?: number; maxLength?: number },
): string | undefined {
  const { length } = String(value).trim()
  const most = maxLength ?? max
  if (most !== undefined && length > most) return t('may hold {{most}} characters at most', { most })
  if (min !== undefined && length < min) return t('needs at least {{min}} characters', { min })
  return undefined
}

/** The part of the input's properties that goes on to an HTML-like input. */
export function forInput<Props extends { field: unknown; record?: unknown; value?: unknown; onChange?: unknown }>(props: Props) {
  const { field: _field, record: _record, value: _value, onChange: _onChange, ...rest } = props
  return rest
}

export const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() || null : (value ?? null))
