import type { PanelView } from '@outpost/contract/views'
import type { Row } from '../../../data/records.ts'
import { t } from '../../../session/labels.ts'
import { RecordLink } from '../../RecordLink.tsx'
import { tiesLayout, type Tied } from './ties.ts'
import './ties.css'

interface TiesGraphProps {
  panel: PanelView
  rows: readonly Row[]
  /** What the record in the middle is called. */
  name: string
  values: Record<string, string>
}

/** More of them is no picture; the table below has all. */
const most = 20

/** Who is tied to the record, and by what: three columns with lines. Each of them opens its record; the table below says the same in words. */
export function TiesGraph({ panel, rows, name, values }: TiesGraphProps) {
  const key = panel.ties ?? ''
  const shown = new Map(rows.slice(0, most).map((row) => [String(row.Id), row]))
  const tied = [...shown].map(([id, row]): Tied => ({ id, ties: Array.isArray(row[key]) ? row[key].map(String) : [] }))
  const { height, centre, ties, nodes, edges } = tiesLayout(tied)
  const label = panel.fields[0]?.key ?? 'Id'
  return (
    <figure className="ties">
      <div className="ties-picture" style={{ blockSize: height }}>
        <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden>
          {ties.map(({ words, y }) => (
            <path key={words} d={curve(24, centre, 32, y)} />
          ))}
          {edges.map(({ words, from, to }) => (
            <path key={`${words} ${to}`} d={curve(60, from, 68, to)} />
          ))}
        </svg>
        <span className="ties-node ties-centre" style={{ insetBlockStart: centre }}>
          {name}
        </span>
        {ties.map(({ words, y }) => (
          <span key={words} className="ties-node ties-tie" title={words} style={{ insetBlockStart: y }}>
            {words}
          </span>
        ))}
        {nodes.map(({ id, y }) => (
          <span key={id} className="ties-node ties-tied" style={{ insetBlockStart: y }}>
            <RecordLink screen={panel.open} values={{ ...values, ...shown.get(id), id }}>
              {String(shown.get(id)?.[label] ?? '')}
            </RecordLink>
          </span>
        ))}
      </div>
      {rows.length > most ? (
        <figcaption>{t('The first {{shown}} of {{all}} are drawn.', { shown: most, all: rows.length })}</figcaption>
      ) : null}
    </figure>
  )
}

const curve = (x: number, y: number, toX: number, toY: number) => `M${x} ${y} C${(x + toX) / 2} ${y} ${(x + toX) / 2} ${toY} ${toX} ${toY}`
