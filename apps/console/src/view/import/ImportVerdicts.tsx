import { Button } from 'antd'
import { t } from '../../session/labels.ts'
import { ImportTable } from './ImportTable.tsx'

/** What became of the rows of a file, or would; with one refused nothing is made. */
export interface ImportOutcome {
  made: number
  refused: number
  rows: readonly ImportedRow[]
}
export interface ImportedRow {
  /** Where it is in the file. */
  row: number
  /** What it is known by, under the columns of its kind. */
  cells: readonly string[]
  problems: readonly { field: string; message: string }[]
}

interface VerdictsProps {
  name: string
  kind: { columns: readonly string[]; words: { possible(count: number): string; make(count: number): string } }
  outcome: ImportOutcome
  isBusy: boolean
  onCommit: () => void
}

/** The verdict on a file and on each of its rows, with the button that makes them all. */
export function ImportVerdicts({ name, kind: { columns, words }, outcome: { made, refused, rows }, isBusy, onCommit }: VerdictsProps) {
  return (
    <section className="import-verdicts" aria-labelledby="import-verdict">
      <div className="import-verdict">
        <div role="status">
          <h2 id="import-verdict">
            {name}: {refused === 0 ? words.possible(made) : t('{{count}} rows have to be put right first', { count: refused })}
          </h2>
        </div>
        <Button type="primary" disabled={refused > 0} loading={isBusy} onClick={onCommit}>
          {words.make(made)}
        </Button>
      </div>
      <ImportTable label={t('Rows')} headings={[t('Row'), ...columns, t('Verdict')]}>
        {/* What has to be put right comes first. */}
        {rows
          .toSorted((one, other) => Number(one.problems.length === 0) - Number(other.problems.length === 0))
          .map((one) => (
            <Row key={one.row} row={one} columns={columns} />
          ))}
      </ImportTable>
    </section>
  )
}

function Row({ row: { row, cells, problems }, columns }: { row: ImportedRow; columns: readonly string[] }) {
  return (
    <tr>
      <td>{row}</td>
      {columns.map((column, index) => (
        <td key={column}>{cells[index]}</td>
      ))}
      <td>
        <strong>{problems.length === 0 ? t('Is made') : t('Refused')}</strong>
        {problems.map(({ field, message }) => (
          <div key={`${field} ${message}`}>{`${field}: ${t(message)}`}</div>
        ))}
      </td>
    </tr>
  )
}
