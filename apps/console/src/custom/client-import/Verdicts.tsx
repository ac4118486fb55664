import { Link } from '@tanstack/react-router'
import { t } from '../../session/labels.ts'
import { ImportTable } from '../../view/import/ImportTable.tsx'
import { leftOver, type ImportedRow, type Run } from './run.ts'

/** More rows than these are in the file of what was not taken. */
const mostShown = 200
const order: readonly ImportedRow['verdict'][] = ['refuse', 'skip', 'update', 'make']

/** What became of the rows, or would: what has to be put right first, with the client that a row is about. */
export function Verdicts({ run, labels }: { run: Run; labels: ReadonlyMap<string, string> }) {
  const isDone = !run.isTrial
  const words: Record<ImportedRow['verdict'], string> = {
    make: isDone ? t('Made') : t('Is made'),
    update: isDone ? t('Changed') : t('Is changed'),
    skip: t('Passed over'),
    refuse: t('Refused'),
  }
  const counted = order.toReversed().flatMap((verdict) => {
    const count = run.counts[verdict] ?? 0
    return count > 0 ? [`${words[verdict]}: ${count}`] : []
  })
  const sorted = run.rows.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || a.row - b.row)
  const isLeft = (run.counts.refuse ?? 0) + (run.counts.skip ?? 0) > 0
  return (
    <>
      <div className="import-verdict">
        <p role="status">
          <strong>{counted.join(' · ')}</strong>
        </p>
        {isLeft ? (
          <a
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(leftOver(run, t('What is wrong')))}`}
            download="clients-not-imported.csv"
          >
            {t('Download the rows that are not taken')}
          </a>
        ) : null}
      </div>
      <ImportTable label={t('Rows')} headings={[t('Row'), t('Name'), t('Verdict'), t('Client')]}>
        {sorted.slice(0, mostShown).map(({ row, name, verdict, problems, existing, warnings = [] }) => (
          <tr key={row}>
            <td>{row}</td>
            <td>{name}</td>
            <td>
              <strong>{words[verdict]}</strong>
              {problems.map(({ field, message }) => (
                <div key={`${field} ${message}`}>{`${t(labels.get(field) ?? field)}: ${t(message)}`}</div>
              ))}
              {warnings.map(({ field, message, name: who, open }) => (
                <div key={`${field} ${open}`}>
                  {`${t(labels.get(field) ?? field)}: ${t(message)}`} <Link to={open as never}>{who}</Link>
                </div>
              ))}
            </td>
            <td>{existing ? <Link to={`/clients/${existing.Id}/view` as never}>{existing.name}</Link> : null}</td>
          </tr>
        ))}
      </ImportTable>
      {run.done > Math.min(sorted.length, mostShown) ? (
        <p>{t('The first {{count}} rows are shown.', { count: Math.min(sorted.length, mostShown) })}</p>
      ) : null}
    </>
  )
}
