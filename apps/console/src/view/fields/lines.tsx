import { lazy } from 'react'
import type { FieldKind, FieldView } from '@outpost/contract/fields'
import { holds } from '@outpost/contract/fields'
import { t } from '../../session/labels.ts'
import { isBlank } from '../formats.ts'
import { listOf } from './multiChoice.tsx'
import type { CellProps, FieldKindView, RecordValues } from './types.ts'

export type Line = RecordValues
export type ViewOf = (kind: FieldKind) => FieldKindView

/** Lines of a value; whatever else it may be holds none. */
export const linesOf = (value: unknown): Line[] => listOf(value).filter((one): one is Line => typeof one === 'object' && one !== null)

/** What a fault of a line begins with: "Line 3: Amount". Cells find their faults by it, the server's too. */
export const lineFault = (place: number, { label }: FieldView): string => `${t('Line')} ${place + 1}: ${t(label)}`

/** True where the line's other values ask for the field. */
export const isAsked = (field: FieldView, line: Line): boolean => field.required === true || (field.requiredIf !== undefined && holds(field.requiredIf, line))

/** A fault that the server found in a field of a line ("lines.2.amount"), in words; undefined for others. */
export function wordsOfFault({ key, fields = [] }: FieldView, { field, message }: { field: string, message: string }): string | undefined {
  const [of, place, name] = field.split('.')
  const part = fields.find((one) => one.key === name)
  if (of !== key || place === undefined || !/^\d+$/.test(place)) return undefined
  return part ? `${lineFault(Number(place), part)} ${message}` : `${t('Line')} ${Number(place) + 1} ${message}`
}

/** Rows that belong to a record, edited as a table. `viewOf` gives the kinds of their fields. */
export function makeLines(viewOf: ViewOf): FieldKindView {
  const Input = lazy(async () => {
    const { makeLinesInput } = await import('./inputs/lines-input.tsx')
    return { default: makeLinesInput(viewOf) }
  })
  const Cell = ({ field, value, record, currency }: CellProps) => <LineTable {...{ field, value, record, currency, viewOf }} />
  return { Input, Cell, width: 260, isWide: true, text: (value) => countWords(linesOf(value).length), check: (value, field, country, parts) => checkLines(viewOf, linesOf(value), field, { country, ...parts }), toWire: (value, field) => linesOf(value).map((line) => lineToWire(viewOf, line, field)) }
}

const countWords = (count: number) => count === 1 ? `1 ${t('line')}` : `${count} ${t('lines')}`

/** The lines for reading. */
function LineTable({ field, value, record, currency, viewOf }: CellProps & { viewOf: ViewOf }) {
  const fields = field.fields ?? []
  return (
    <div className="lines-read" role="region" aria-label={t(field.label)} tabIndex={0}>
      <table>
        <thead><tr>{fields.map((one) => <th key={one.key} scope="col" data-align={viewOf(one.kind).align}>{t(one.label)}</th>)}</tr></thead>
        <tbody>
          {linesOf(value).map((line, place) => (
            <tr key={String(line.Id ?? place)}>
              {fields.map((one) => {
                const { Cell, align } = viewOf(one.kind)
                return <td key={one.key} data-align={align}>{isBlank(line[one.key]) ? null : <Cell field={one} value={line[one.key]} record={{ ...record, ...line }} currency={currency} />}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function checkLines(viewOf: ViewOf, lines: readonly Line[], field: FieldView, { country, record, currency }: { country: string, record?: RecordValues, currency?: string }): string | undefined {
  const { min, max, fields = [] } = field
  if (min !== undefined && lines.length < min) return `needs at least ${min}`
  if (max !== undefined && lines.length > max) return `may hold ${max} at most`
  const faults = lines.flatMap((line, place) => fields.filter(({ readOnly }) => !readOnly).flatMap((one) => {
    const value = line[one.key]
    const isEmpty = isBlank(typeof value === 'string' ? value.trim() : value)
    const wrong = isEmpty ? isAsked(one, line) ? 'is required' : undefined : viewOf(one.kind).check?.(value, one, country, { record: { ...record, ...line }, currency })
    return wrong === undefined ? [] : [`${lineFault(place, one)} ${wrong}`]
  }))
  return faults.length > 0 ? faults.join('; ') : undefined
}

/** A line as a body holds it: what can be entered, and its Id once it has one. */
function lineToWire(viewOf: ViewOf, line: Line, { fields = [] }: FieldView): Line {
  const entered = fields.filter(({ readOnly }) => !readOnly).map((field) => {
    const { toWire } = viewOf(field.kind)
    return [field.key, toWire ? toWire(line[field.key], field) : line[field.key] ?? null] as const
  })
  return { ...(line.Id === undefined ? {} : { Id: line.Id }), ...Object.fromEntries(entered.filter(([, value]) => value !== undefined)) }
}
