import { lazy } from 'react'
import type { FieldView } from '@outpost/contract/fields'
import { t } from '../../session/labels.ts'
import { isBlank } from '../formats.ts'
import { LinesPlace } from './parts/input-place.tsx'
import { isAsked, lineFault, linesOf, type Line, type ViewOf } from './parts/line-values.ts'
import type { CellProps, FieldKindView, RecordValues } from './types.ts'

/** Rows that belong to a record, edited as a table. `viewOf` gives the kinds of their fields. */
export function makeLines(viewOf: ViewOf): FieldKindView {
  const Input = lazy(async () => {
    const { makeLinesInput } = await import('./inputs/lines-input.tsx')
    return { default: makeLinesInput(viewOf) }
  })
  const Cell = ({ field, value, record, currency }: CellProps) => <LineTable {...{ field, value, record, currency, viewOf }} />
  return {
    Input,
    Cell,
    Place: LinesPlace,
    width: 260,
    isWide: true,
    text: (value) => countWords(linesOf(value).length),
    check: (value, field, country, parts) => checkLines(viewOf, linesOf(value), field, { country, ...parts }),
    toWire: (value, field) => linesOf(value).map((line) => lineToWire(viewOf, line, field)),
  }
}

const countWords = (count: number) => (count === 1 ? `1 ${t('line')}` : `${count} ${t('lines')}`)

/** The lines for reading. */
function LineTable({ field, value, record, currency, viewOf }: CellProps & { viewOf: ViewOf }) {
  const fields = field.fields ?? []
  return (
    <div className="lines-read" role="region" aria-label={t(field.label)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {fields.map((one) => (
              <th key={one.key} scope="col" data-align={viewOf(one.kind).align}>
                {t(one.label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {linesOf(value).map((line, place) => (
            <tr key={String(line.Id ?? place)}>
              {fields.map((one) => {
                const { Cell, align } = viewOf(one.kind)
                return (
                  <td key={one.key} data-align={align}>
                    {isBlank(line[one.key]) ? null : (
                      <Cell field={one} value={line[one.key]} record={{ ...record, ...line }} currency={currency} />
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function checkLines(
  viewOf: ViewOf,
  lines: readonly Line[],
  field: FieldView,
  { country, record, currency }: { country: string; record?: RecordValues; currency?: string },
): string | undefined {
  const { min, max, fields = [] } = field
  if (min !== undefined && lines.length < min) return t('needs at least {{min}}', { min })
  if (max !== undefined && lines.length > max) return t('may hold {{max}} at most', { max })
  const faults = lines.flatMap((line, place) =>
    fields
      .filter(({ readOnly }) => !readOnly)
      .flatMap((one) => {
        const value = line[one.key]
        const isEmpty = isBlank(typeof value === 'string' ? value.trim() : value)
        const wrong = isEmpty
          ? isAsked(one, line)
            ? 'is required'
            : undefined
          : viewOf(one.kind).check?.(value, one, country, { record: { ...record, ...line }, currency })
        return wrong === undefined ? [] : [`${lineFault(place, one)} ${wrong}`]
      }),
  )
  return faults.length > 0 ? faults.join('; ') : undefined
}

/** A line as a body holds it: what can be entered, and its Id once it has one. */
function lineToWire(viewOf: ViewOf, line: Line, { fields = [] }: FieldView): Line {
  const entered = fields
    .filter(({ readOnly }) => !readOnly)
    .map((field) => {
      const { toWire } = viewOf(field.kind)
      return [field.key, toWire ? toWire(line[field.key], field) : (line[field.key] ?? null)] as const
    })
  return { ...(line.Id === undefined ? {} : { Id: line.Id }), ...Object.fromEntries(entered.filter(([, value]) => value !== undefined)) }
}
