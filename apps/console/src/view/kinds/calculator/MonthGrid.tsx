import { Button, InputNumber } from 'antd'
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { ClipboardEvent } from 'react'
import type { GridDefinition } from '@outpost/rules/calculators/index'
import { t } from '../../../session/labels.ts'
import { groupedAmount } from '../../fields/parts/grouped.ts'
import { pastedCells, withPasted, type Place } from './pasted.ts'

type Row = Record<string, unknown>
interface MonthGridProps {
  grid: GridDefinition
  value?: Row[]
  onChange?: (rows: Row[]) => void
}

/** Rows of figures, one a month; a part of a spreadsheet may be pasted into any cell. */
export function MonthGrid({ grid, value = [], onChange }: MonthGridProps) {
  const keys = grid.columns.map(({ key }) => key)
  const set = (index: number, key: string, cell: number | null) =>
    onChange?.(value.map((row, at) => (at === index ? { ...row, [key]: cell } : row)))
  const paste = (event: ClipboardEvent, place: Place) => {
    const cells = pastedCells(event.clipboardData.getData('text'))
    if (cells.length === 0 || (cells.length === 1 && cells[0]?.length === 1)) return
    event.preventDefault()
    onChange?.(withPasted(value, cells, { keys, place, max: grid.max }))
  }
  return (
    <fieldset className="month-grid">
      <legend>
        {t(grid.label)}{' '}
        <span>
          ({value.length} {t('of')} {grid.min}–{grid.max})
        </span>
      </legend>
      <p className="calculator-formula">
        {t('Paste rows from a spreadsheet into any cell: sales, cost of sales, operating costs, other income, drawings.')}
      </p>
      <div className="month-grid-rows" role="group" aria-label={t(grid.label)} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Month')}</th>
              {grid.columns.map(({ key, label, required }) => (
                <th key={key} scope="col">
                  {t(label)}
                  {required ? <span aria-hidden> *</span> : null}
                </th>
              ))}
              <th scope="col">
                <span className="o-hidden">{t('Remove')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {value.map((row, index) => (
              <tr key={index}>
                <th scope="row">{index + 1}</th>
                {grid.columns.map(({ key, label }, column) => (
                  <td key={key} onPasteCapture={(event) => paste(event, { row: index, column })}>
                    <InputNumber
                      {...groupedAmount}
                      size="small"
                      value={row[key] as number | null}
                      controls={false}
                      min={0}
                      inputMode="decimal"
                      aria-label={`${t(label)}, ${t('month')} ${index + 1}`}
                      onChange={(cell) => set(index, key, cell as number | null)}
                    />
                  </td>
                ))}
                <td>
                  <Button
                    type="text"
                    size="small"
                    icon={<DeleteOutlined aria-hidden />}
                    aria-label={`${t('Remove month')} ${index + 1}`}
                    disabled={value.length <= grid.min}
                    onClick={() => onChange?.(value.filter((_, at) => at !== index))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Button
        size="small"
        icon={<PlusOutlined aria-hidden />}
        disabled={value.length >= grid.max}
        onClick={() => onChange?.([...value, {}])}
      >
        {t('Add a month')}
      </Button>
    </fieldset>
  )
}
