import { Suspense, useEffect, useRef, useState } from 'react'
import { Tooltip } from 'antd'
import type { FieldView } from '@outpost/contract/fields'
import type { Row } from '../../../../data/records.ts'
import { t } from '../../../../session/labels.ts'
import { fieldKindView } from '../../../fields/index.ts'
import { isChosen } from './inline.ts'
import type { OpenCell } from './useInlineEdit.ts'

/** Where the keyboard goes once a cell is done: stays, or to the cell after or before. */
export type Leaving = 'stay' | 'next' | 'back'

interface CellEditorProps {
  field: FieldView
  row: Row
  cell: OpenCell
  label: string
  /** Gives the value and says where to go on. */
  onEnter: (value: unknown, leaving: Leaving) => void
  onCancel: () => void
}

/** The field's own input in the place of its value. Enter and Tab save, Escape puts back what was there, leaving it saves. */
export function CellEditor({ field, row, cell, label, onEnter, onCancel }: CellEditorProps) {
  const [value, setValue] = useState<unknown>('value' in cell ? cell.value : row[field.key])
  const isDone = useRef(false)
  const place = useRef<HTMLSpanElement>(null)
  const { Input } = fieldKindView(field.kind)
  // A refusal opens the cell again, or keeps it open with the reason.
  useEffect(() => {
    isDone.current = false
  }, [cell])
  const finish = (given: unknown, leaving: Leaving) => {
    if (isDone.current) return
    isDone.current = true
    onEnter(given, leaving)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const isPopupOpen = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true'
    event.stopPropagation()
    if (event.key === 'Enter' && !isPopupOpen && !isChosen(field.kind)) finish(value, 'stay')
    else if (event.key === 'Tab') finish(value, event.shiftKey ? 'back' : 'next')
    else return
    event.preventDefault()
  }
  /** Before the input itself: an open list would keep this key to itself and ask for a second one. */
  const onKeyDownCapture = (event: React.KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    event.preventDefault()
    isDone.current = true
    onCancel()
  }
  const onBlur = (event: React.FocusEvent) => {
    const to = event.relatedTarget as HTMLElement | null
    if (!place.current?.contains(to) && !to?.closest('.ant-select-dropdown, .ant-picker-dropdown')) finish(value, 'stay')
  }
  const change = (next: unknown) => {
    setValue(next)
    if (isChosen(field.kind)) finish(next, 'stay')
  }
  return (
    <Tooltip open={cell.error !== undefined} title={cell.error} placement="bottomLeft" classNames={{ root: 'cell-refusal' }}>
      <span
        ref={place}
        role="presentation"
        className="cell-editor"
        onKeyDownCapture={onKeyDownCapture}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        <Suspense fallback={null}>
          <Input
            field={field}
            value={value}
            record={row}
            onChange={change}
            autoFocus
            {...(isChosen(field.kind) && field.kind !== 'boolean' ? { defaultOpen: true } : {})}
            aria-label={`${t(field.label)}, ${label}`}
            aria-invalid={cell.error !== undefined}
          />
        </Suspense>
        <span role="alert" className="o-hidden">
          {cell.error}
        </span>
      </span>
    </Tooltip>
  )
}
