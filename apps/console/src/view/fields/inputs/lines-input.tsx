import { Suspense, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { Button, Form } from 'antd'
import type { FieldView } from '@outpost/contract/fields'
import { t } from '../../../session/labels.ts'
import { useCompany } from '../../company.ts'
import { isBlank } from '../../formats.ts'
import { useIsPhone } from '../../useIsPhone.ts'
import { InputPlace, useLinesHeight } from '../parts/input-place.tsx'
import { isAsked, lineFault, linesOf, type Line, type ViewOf } from '../parts/line-values.ts'
import type { InputProps } from '../types.ts'

/** The input of lines: a table on wide screens, one card a line on a phone. Enter goes to the next line, Alt+Delete removes one. */
export function makeLinesInput(viewOf: ViewOf) {
  return function LinesInput(props: InputProps) {
    const { field, id, disabled, record } = props
    const lines = linesOf(props.value)
    const isPhone = useIsPhone()
    const height = useLinesHeight(props.value, field)
    const box = useRef<HTMLDivElement>(null)
    const [said, say] = useState('')
    const keys = useKeys(lines.length)
    const { errors } = Form.Item.useStatus()
    const words = errors.map(String).join('; ')
    const fields = field.fields ?? []
    const isFull = field.max !== undefined && lines.length >= field.max
    const cellOf = (place: number, one: FieldView) =>
      box.current?.querySelector<HTMLElement>(
        `[data-line="${place}"] [data-field="${one.key}"] :is(input, textarea, button, [tabindex="0"])`,
      )
    const focusLine = (place: number, one = fields.find(({ readOnly }) => !readOnly)) =>
      requestAnimationFrame(() => {
        if (place < 0 || !one) box.current?.querySelector<HTMLElement>('.lines-add')?.focus()
        else focusOnceThere(box.current, () => cellOf(place, one))
      })
    const add = (one?: FieldView) => {
      if (isFull) return
      props.onChange?.([...lines, startLine(fields)])
      say(`${t('Line')} ${lines.length + 1} ${t('added')}`)
      focusLine(lines.length, one)
    }
    const removeAt = (place: number) => {
      keys.drop(place)
      props.onChange?.(lines.toSpliced(place, 1))
      say(`${t('Line')} ${place + 1} ${t('removed')}`)
      focusLine(Math.min(place, lines.length - 2))
    }
    const onKeyDown = (place: number, one: FieldView) => (event: KeyboardEvent) => {
      if (event.altKey && event.key === 'Delete') {
        event.preventDefault()
        removeAt(place)
      } else if (
        event.key === 'Enter' &&
        !event.ctrlKey &&
        event.target instanceof HTMLInputElement &&
        event.target.role !== 'combobox' &&
        event.target.type !== 'checkbox'
      ) {
        event.preventDefault()
        if (place + 1 < lines.length) focusLine(place + 1, one)
        else add(one)
      }
    }
    const cell = (place: number, line: Line, one: FieldView) => (
      <LineCell
        viewOf={viewOf}
        field={one}
        line={line}
        record={record}
        place={place}
        disabled={disabled === true}
        isWrong={words.includes(`${lineFault(place, one)} `)}
        describedBy={`${id}_help`}
        onChange={(value) => props.onChange?.(lines.with(place, { ...line, [one.key]: value }))}
        onKeyDown={onKeyDown(place, one)}
      />
    )
    const remove = (place: number) => (
      <Button
        type="text"
        className="lines-remove"
        disabled={disabled}
        aria-label={`${t('Remove line')} ${place + 1}`}
        title="Alt+Delete"
        onClick={() => removeAt(place)}
      >
        ×
      </Button>
    )
    const parts = { lines, fields, keys: keys.all, cell, remove, viewOf }
    return (
      <div
        ref={box}
        id={id}
        className="lines"
        role="group"
        tabIndex={-1}
        aria-label={t(field.label)}
        aria-describedby={words === '' ? undefined : `${id}_help`}
      >
        {/* All inputs come together, or Tab would pass over one that is still being loaded. */}
        <Suspense fallback={<InputPlace height={height} />}>
          {lines.length === 0 ? (
            <p className="lines-none">{t('No lines yet')}</p>
          ) : isPhone ? (
            <LineCards {...parts} />
          ) : (
            <LineRows {...parts} />
          )}
        </Suspense>
        <Button className="lines-add" disabled={disabled === true || isFull} onClick={() => add()}>
          {t('Add line')}
        </Button>
        <span role="status" className="o-hidden">
          {said}
        </span>
      </div>
    )
  }
}

/** Focuses what is there or comes within ten seconds, unless the person goes elsewhere meanwhile. */
function focusOnceThere(box: HTMLElement | null, find: () => HTMLElement | null | undefined): void {
  const found = find()
  if (found || !box) return found?.focus()
  const before = document.activeElement
  const observer = new MutationObserver(() => {
    const wanted = find()
    if (!wanted) return
    observer.disconnect()
    if (document.activeElement === before || document.activeElement === document.body) wanted.focus()
  })
  observer.observe(box, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), 10_000)
}

interface Parts {
  lines: readonly Line[]
  fields: readonly FieldView[]
  keys: readonly number[]
  cell: (place: number, line: Line, field: FieldView) => React.ReactNode
  remove: (place: number) => React.ReactNode
  viewOf: ViewOf
}

const LineRows = ({ lines, fields, keys, cell, remove, viewOf }: Parts) => (
  <table className="lines-table">
    <thead>
      <tr>
        {fields.map((one) => (
          <th key={one.key} scope="col" data-align={viewOf(one.kind).align}>
            {t(one.label)}
            {one.required ? (
              <span aria-hidden="true" className="lines-must">
                *
              </span>
            ) : null}
          </th>
        ))}
        <th scope="col">
          <span className="o-hidden">{t('Remove')}</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {lines.map((line, place) => (
        <tr key={keys[place]} data-line={place}>
          {fields.map((one) => (
            <td key={one.key} data-field={one.key} style={{ minWidth: Math.min(viewOf(one.kind).width, 160) }}>
              {cell(place, line, one)}
            </td>
          ))}
          <td>{remove(place)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const LineCards = ({ lines, fields, keys, cell, remove }: Parts) =>
  lines.map((line, place) => (
    <fieldset key={keys[place]} className="lines-card" data-line={place}>
      <legend>
        {t('Line')} {place + 1}
      </legend>
      {remove(place)}
      {fields.map((one) => (
        <div key={one.key} data-field={one.key}>
          <span aria-hidden="true">
            {t(one.label)}
            {one.required ? <span className="lines-must">*</span> : null}
          </span>
          {cell(place, line, one)}
        </div>
      ))}
    </fieldset>
  ))

interface LineCellProps {
  viewOf: ViewOf
  field: FieldView
  line: Line
  record: InputProps['record']
  place: number
  disabled: boolean
  isWrong: boolean
  describedBy: string
  onChange: (value: unknown) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** One value of a line. Its label names the line, for there is none beside it. */
function LineCell({ viewOf, field, line, record, place, disabled, isWrong, describedBy, onChange, onKeyDown }: LineCellProps) {
  const { currency } = useCompany()
  const { Input, Cell } = viewOf(field.kind)
  const whole = { ...record, ...line }
  if (field.readOnly)
    return isBlank(line[field.key]) ? null : <Cell field={field} value={line[field.key]} record={whole} currency={currency} />
  return (
    <div role="presentation" onKeyDown={onKeyDown}>
      {/* Of the lines only the cell that is wrong looks so. */}
      <Form.Item noStyle validateStatus={isWrong ? 'error' : 'success'}>
        <Input
          field={field}
          value={line[field.key]}
          onChange={onChange}
          disabled={disabled}
          record={whole}
          aria-label={`${t(field.label)}, ${t('line')} ${place + 1}`}
          aria-required={isAsked(field, line)}
          {...(isWrong ? { 'aria-invalid': true, 'aria-describedby': describedBy } : {})}
        />
      </Form.Item>
    </div>
  )
}

/** What a new line begins with. */
const startLine = (fields: readonly FieldView[]): Line =>
  Object.fromEntries(fields.filter(({ defaultValue }) => defaultValue !== undefined).map(({ key, defaultValue }) => [key, defaultValue]))

/** Keys that stay with their lines when one in the middle goes, so that what is typed stays where it was. */
function useKeys(count: number): { all: readonly number[]; drop: (place: number) => void } {
  const [left, setLeft] = useState<readonly number[]>([])
  const next = Math.max(-1, ...left) + 1
  const all = Array.from({ length: count }, (_, place) => left[place] ?? next + place - left.length)
  return { all, drop: (place) => setLeft(all.toSpliced(place, 1)) }
}
