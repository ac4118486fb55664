import { useState } from 'react'
import type { Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { LeadRow } from './rows.tsx'

const shownAtFirst = 20

/** The first of these leads and, when asked for, all of them: the number above counts them all. */
export function LeadRows({ rows }: { rows: readonly Row[] }) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? rows : rows.slice(0, shownAtFirst)
  return (
    <>
      {shown.map((row) => (
        <LeadRow key={row.Id} row={row} />
      ))}
      {rows.length > shownAtFirst && (
        <p className="mw-more">
          <button type="button" className="mw-link" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? t('Show fewer') : `${t('Show all')} (${rows.length})`}
          </button>
        </p>
      )}
    </>
  )
}
