import { t } from '../../session/labels.ts'
import { Coming, Nothing, Section } from './Section.tsx'
import { OwnRowsLink } from './OwnRowsLink.tsx'
import type { OwnRows } from './own-rows.ts'
import { LeadRow } from './rows.tsx'
import { shownLeads, useOwnLeads } from './useWork.ts'

interface LeadsProps {
  title: string
  rows: OwnRows
  /** How many rows are waited for. */ awaited: number
  /** Said when there are none. */ nothing: string
}

/** The first of some of the agent's leads; their number opens all of them. */
export function Leads({ title, rows, awaited, nothing }: LeadsProps) {
  const query = useOwnLeads(rows)
  const total = query.data?.meta.total
  const all = (className: string, words: string | number) => (
    <OwnRowsLink to="/sales/leads" rows={rows} className={className} label={`${t('Show all')}: ${title}, ${total}`}>
      {words}
    </OwnRowsLink>
  )
  return (
    <Section title={title} count={total !== undefined && all('mw-count', total)}>
      {query.data === undefined || total === undefined ? (
        <Coming query={query} what={t('Your leads')} rows={awaited} />
      ) : total === 0 ? (
        <Nothing>{nothing}</Nothing>
      ) : (
        <>
          {query.data.rows.map((row) => (
            <LeadRow key={row.Id} row={row} />
          ))}
          {total > shownLeads && <p className="mw-more">{all('mw-link', `${t('Show all')} (${total})`)}</p>}
        </>
      )}
    </Section>
  )
}
