import { Link } from '@tanstack/react-router'
import { t } from '../../session/labels.ts'
import { ImportTable } from '../../view/import/ImportTable.tsx'
import { leftOver, type ImportedRow, type Sheet } from './run.ts'

/** More rows than these are in the file of what was not taken. */
const mostShown = 200
const order: readonly ImportedRow['verdict'][] = ['refuse', 'skip', 'update', 'make']

/** What became of the rows, or would: what has to be put right first, with the client that a row is about. */
export function Verdicts({ sheet, judged, isDone }: { sheet: Sheet; judged: readonly ImportedRow[]; isDone: boolean }) {
  const words: Record<ImportedRow['verdict'], string> = {
    make: isDone ? t('Made') : t('Is made'),
    update: isDone ? t('Changed') : t('Is changed'),
    skip: t('Passed over'),
    refuse: t('Refused'),
  }
  const counted = order.toReversed().flatMap((verdict) => {
    const count = judged.filter((one) => one.verdict === verdict).length
    return count > 0 ? [`${words[verdict]}: ${count}`] : []
  })
  const sorted = judged.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || a.row - b.row)
  const isLeft = judged.some(({ verdict }) => verdict === 'refuse' || verdict === 'skip')
  return (
    <>
      <div className="import-verdict">
        <p role="status">
          <strong>{counted.join(' · ')}</strong>
        </p>
        {isLeft ? (
          <a
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(leftOver(sheet, judged, t('What is wrong')))}`}
            download="clients-not-imported.csv"
          >
            {t('Download the rows that are not taken')}
          </a>
        ) : null}
      </div>
      <ImportTable label={t('Rows')} headings={[t('Row'), t('Name'), t('Verdict'), t('Client')]}>
        {sorted.slice(0, mostShown).map(({ row, name, verdict, problems, existing }) => (
          <tr key={row}>
            <td>{row}</td>
            <td>{name}</td>
            <td>
              <strong>{words[verdict]}</strong>
              {problems.map(({ field, message }) => (
                <div
                  key={`${field} ${message}`}
                >{`${t(sheet.fields.find(({ key }) => key === field)?.label ?? field)}: ${t(message)}`}</div>
              ))}
            </td>
            <td>{existing ? <Link to={`/clients/${existing.Id}/view` as never}>{existing.name}</Link> : null}</td>
          </tr>
        ))}
      </ImportTable>
      {sorted.length > mostShown ? <p>{t('The first {{count}} rows are shown.', { count: mostShown })}</p> : null}
    </>
  )
}
