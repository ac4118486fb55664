import { range } from 'es-toolkit/math/range'
import { clamp } from 'es-toolkit/math/clamp'
import { Tag } from 'antd'
import { minuteOf } from '@outpost/rules/time-zone'
import { t } from '../../../session/labels.ts'
import { useIsPhone } from '../../../view/useIsPhone.ts'
import { countLabels, counts, type AgentDay, type Count, type Visit } from './day-api.ts'
import { clock, formatKm } from '../formats.ts'

interface Props {
  agents: readonly AgentDay[]
  timeZone: string
  window: { from: number; to: number }
  onOpen: (userId: string, of?: Count) => void
}

/** One line an agent; on phones one card. Every number opens the records behind it. */
export function DayTable(props: Props) {
  const isPhone = useIsPhone()
  if (isPhone)
    return (
      <ul className="dv-cards">
        {props.agents.map((agent) => (
          <AgentCard key={agent.userId} {...props} agent={agent} />
        ))}
      </ul>
    )
  return (
    <div className="dv-scroll" tabIndex={0} role="group" aria-label={t('The day of the agents')}>
      <table className="dv-table">
        <thead>
          <tr>
            <th scope="col">{t('Agent')}</th>
            {counts.map((count) => (
              <th key={count} scope="col" className="dv-digits">
                {t(countLabels[count])}
              </th>
            ))}
            <th scope="col" className="dv-digits">
              {t('Way')}
            </th>
            <th scope="col" className="dv-bar-head">
              <Hours {...props.window} />
            </th>
            <th scope="col">{t('Visits, day')}</th>
          </tr>
        </thead>
        <tbody>
          {props.agents.map((agent) => (
            <AgentLine key={agent.userId} {...props} agent={agent} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = Props & { agent: AgentDay }

const AgentLine = ({ agent, timeZone, window, onOpen }: RowProps) => (
  <tr>
    <th scope="row">
      <Who agent={agent} onOpen={onOpen} />
    </th>
    {counts.map((count) => (
      <td key={count} className="dv-digits">
        <Number agent={agent} count={count} onOpen={onOpen} />
      </td>
    ))}
    <td className="dv-digits">
      {formatKm(agent.km * 1000)}
      {agent.plannedKm > 0 ? (
        <>
          <br />
          <small title={t('Planned way')}>/ {formatKm(agent.plannedKm * 1000)}</small>
        </>
      ) : null}
    </td>
    <td>
      <Bars agent={agent} timeZone={timeZone} window={window} />
    </td>
    <td className="dv-time">
      <span title={t('First start and last end of a visit')}>
        {clock(agent.firstStart, timeZone)} – {clock(agent.lastEnd, timeZone)}
      </span>
      <br />
      <small title={t('Start and stop of the day')}>
        {t('Day')} {clock(agent.dayStart, timeZone)} – {clock(agent.dayStop, timeZone)}
      </small>
    </td>
  </tr>
)

const AgentCard = ({ agent, timeZone, window, onOpen }: RowProps) => (
  <li className="dv-card">
    <Who agent={agent} onOpen={onOpen} />
    <div className="dv-numbers">
      {counts
        .filter((count) => count === 'planned' || count === 'done' || agent[count] > 0)
        .map((count) => (
          <span key={count}>
            <small>{t(countLabels[count])}</small>
            <Number agent={agent} count={count} onOpen={onOpen} />
          </span>
        ))}
    </div>
    <Bars agent={agent} timeZone={timeZone} window={window} />
    <p className="dv-soft">
      {formatKm(agent.km * 1000)} · {t('visits')} {clock(agent.firstStart, timeZone)} – {clock(agent.lastEnd, timeZone)}
      {agent.dayStart || agent.dayStop ? ` · ${t('day')} ${clock(agent.dayStart, timeZone)} – ${clock(agent.dayStop, timeZone)}` : ''}
    </p>
  </li>
)

function Who({ agent, onOpen }: Pick<RowProps, 'agent' | 'onOpen'>) {
  return (
    <div className="dv-who">
      <button type="button" className="o-text-button" onClick={() => onOpen(agent.userId)}>
        {agent.agent}
      </button>
      <span className="dv-soft">{agent.branch}</span>
      {agent.current ? (
        <Tag className="tag-info">{agent.current.name}</Tag>
      ) : (
        <Tag className={agent.isOnDuty ? 'tag-good' : 'tag-quiet'}>{t(agent.isOnDuty ? 'On duty' : 'Off duty')}</Tag>
      )}
    </div>
  )
}

const Number = ({ agent, count, onOpen }: Pick<RowProps, 'agent' | 'onOpen'> & { count: Count }) =>
  agent[count] === 0 ? (
    <span className="dv-none">0</span>
  ) : (
    <button
      type="button"
      className="dv-number"
      data-count={count}
      aria-label={`${t(countLabels[count])}: ${agent[count]}, ${agent.agent}`}
      onClick={() => onOpen(agent.userId, count)}
    >
      {agent[count]}
    </button>
  )

const share = (minute: number, { from, to }: { from: number; to: number }) => `${clamp(((minute - from) / (to - from)) * 100, 0, 100)}%`

/** The visits along the day, coloured by what became of them; the line is now. */
function Bars({ agent, timeZone, window }: Pick<RowProps, 'agent' | 'timeZone' | 'window'>) {
  const words = (visit: Visit) => `${clock(visit.startDate, timeZone)} ${visit.name}: ${t(countLabels[visit.meaning])}`
  return (
    <div className="dv-bars" role="img" aria-label={agent.visits.length === 0 ? t('Nothing planned') : agent.visits.map(words).join('; ')}>
      {agent.visits.map((visit) => {
        const [from, to] = [minuteOf(Date.parse(visit.startDate), timeZone), minuteOf(Date.parse(visit.endDate), timeZone)]
        return (
          <span
            key={visit.Id}
            title={words(visit)}
            data-meaning={visit.meaning}
            style={{
              insetInlineStart: share(from, window),
              inlineSize: `max(4px, ${share(window.from + Math.max(0, to - from), window)})`,
            }}
          />
        )
      })}
    </div>
  )
}

function Hours({ from, to }: { from: number; to: number }) {
  const hours = range(from, to + 1, 180)
  return (
    <div className="dv-hours">
      <span className="o-hidden">{t('Visits along the day')}</span>
      {hours.map((minute) => (
        <span key={minute} aria-hidden style={{ insetInlineStart: share(minute, { from, to }) }}>
          {minute / 60}
        </span>
      ))}
    </div>
  )
}
