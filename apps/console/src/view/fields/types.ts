import type { ComponentType } from 'react'
import type { FieldView } from '@outpost/contract/fields'

export type RecordValues = Record<string, unknown>

/** What an input gets; value, onChange, id and the aria attributes come from antd's Form.Item. */
export interface InputProps {
  field: FieldView
  id?: string
  value?: unknown
  onChange?: (value: unknown) => void
  onBlur?: () => void
  disabled?: boolean
  /** Values of the whole form, for inputs that depend on others. */
  record?: RecordValues
  autoFocus?: boolean
  /** Inputs with a list or calendar show it from the start. */
  defaultOpen?: boolean
  'aria-label'?: string
  'aria-required'?: boolean | 'true' | 'false'
  'aria-invalid'?: boolean | 'true' | 'false'
  'aria-describedby'?: string
}

export interface CellProps {
  field: FieldView
  value: unknown
  record: RecordValues
  currency: string
}

/** Everything the console knows about a kind of field. */
export interface FieldKindView {
  Input: ComponentType<InputProps>
  /** How a value is shown in tables, details and read-only forms; never called with a blank value. */
  Cell: ComponentType<CellProps>
  /** The value as plain text: titles, comparisons, chips. */
  text: (value: unknown, parts: Omit<CellProps, 'value'>) => string
  /** Width of a column in pixels. */
  width: number
  /** Pixels of a cell beside its text, where a column may be as narrow as its text; without it the column keeps its width. */
  besideText?: number
  align?: 'right'
  /** Words for a value that is not valid; undefined when it is. Blank values are the business of `required`. */
  check?: (value: unknown, field: FieldView, country: string, parts?: { record?: RecordValues; currency?: string }) => string | undefined
  /** The value of the form as the wire wants it. */
  toWire?: (value: unknown, field: FieldView) => unknown
  /** Keeps the input's place in a form while its code is on its way, where that is higher than a line. */
  Place?: ComponentType<Pick<InputProps, 'field' | 'value'>>
  /** Takes the whole row of a form. */
  isWide?: boolean
  /** Fills its label itself (a check box with words beside it). */
  isSelfLabelled?: boolean
}
