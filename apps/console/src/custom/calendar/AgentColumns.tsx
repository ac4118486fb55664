import { range } from 'es-toolkit/math/range'
import type { Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { toneOf } from '../../theme/tones.ts'
import { EmptyState } from '../../view/states/index.tsx'
import { hoursOf, maxColumns, type Column, type Placed } from './columns.ts'
import { eventLabel, shortName, statusOf, type Status } from './events.ts'

interface AgentColumnsProps {
  columns: readonly Column[]
  statuses: readonly Status[]
  isBusy: boolean
  onOpen: (row: Row) => void
}

/** Pixels of an hour: half an hour has room for two lines. */
const hourHeight = 76
/** Pixels that a box needs to show whole words. */
const laneWidth = 96

/** One day, a column an agent, side by side; the hours and the names stay while it is scrolled. */
export function AgentColumns({ columns, statuses, isBusy, onOpen }: AgentColumnsProps) {
  const shown = columns.slice(0, maxColumns)
  const { first, last } = hoursOf(shown)
  const hours = range(first, last)
  if (shown.length === 0)
    return (
      <div className="cal-grid" data-view="agents" aria-busy={isBusy}>
        <EmptyState title={t('Nothing is planned on this day.')} />
      </div>
    )
  return (
    <div
      className="cal-grid cal-columns"
      data-view="agents"
      aria-busy={isBusy}
      role="region"
      aria-label={t('Agents side by side')}
      tabIndex={0}
    >
      <div className="cal-hours" aria-hidden style={{ blockSize: hours.length * hourHeight }}>
        {hours.map((hour) => (
          <span key={hour} style={{ insetBlockStart: (hour - first) * hourHeight }}>
            {String(hour).padStart(2, '0')}:00
          </span>
        ))}
      </div>
      {shown.map(({ agent, placed }) => (
        <section
          key={agent.Id}
          className="cal-column"
          aria-label={agent.label}
          style={{ minInlineSize: laneWidth * Math.max(...placed.map(({ lanes }) => lanes)) }}
        >
          <h2>
            {agent.label} <span>{placed.length}</span>
          </h2>
          <ul style={{ blockSize: hours.length * hourHeight, backgroundSize: `100% ${hourHeight}px` }}>
            {placed.map((one) => (
              <li key={one.row.Id} style={boxOf(one, first)}>
                <Box row={one.row} statuses={statuses} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

const boxOf = ({ from, to, lane, lanes }: Placed, first: number) => ({
  insetBlockStart: (from / 60 - first) * hourHeight,
  blockSize: ((to - from) / 60) * hourHeight,
  insetInlineStart: `${(lane / lanes) * 100}%`,
  inlineSize: `${100 / lanes}%`,
})

function Box({ row, statuses, onOpen }: Pick<AgentColumnsProps, 'statuses' | 'onOpen'> & { row: Row }) {
  const name = shortName(row)
  return (
    <button
      type="button"
      className={`cal-event cal-box cal-${toneOf(statusOf(row, statuses)?.colour)}`}
      title={eventLabel(row)}
      onClick={() => onOpen(row)}
    >
      <span className="cal-title">{name}</span>
      {name === row.name ? null : <span className="cal-type">{String(row.typeDesc)}</span>}
    </button>
  )
}
