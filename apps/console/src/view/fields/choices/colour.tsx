import { lazy } from 'react'
import type { CellProps, FieldKindView } from '../types.ts'

const ColourInput = lazy(async () => ({ default: (await import('../inputs/colour-input.tsx')).ColourInput }))
const ColourCell = ({ value }: CellProps) => (
  <span className="field-colour">
    <svg width="14" height="14" aria-hidden>
      <rect width="14" height="14" rx="3" fill={String(value)} />
    </svg>{' '}
    {String(value)}
  </span>
)

/** A colour as #rrggbb. */
export const colour: FieldKindView = {
  Input: ColourInput,
  Cell: ColourCell,
  text: String,
  width: 110,
  toWire: (value) => value || null,
  check: (value) => (/^#[0-9a-f]{6}$/i.test(String(value)) ? undefined : 'is not a colour such as #1f7a8c'),
}
