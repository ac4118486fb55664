import { Drawer } from 'antd'
import { t } from '../../../session/labels.ts'
import { formatKm } from '../formats.ts'
import { countLabels, counts, sumOf, visitsBehind, type AgentDay, type Count } from './day-api.ts'
import { Records } from './Records.tsx'

/** What a number over all agents counts: visits of a kind, or agents on duty. */
export type Total = Count | 'onDuty'
const labels: Record<Total, string> = { ...countLabels, onDuty: 'On duty' }
export const totals: readonly Total[] = [...counts, 'onDuty']

const numbersOf = (agents: readonly AgentDay[]): ReturnType<typeof sumOf> & Record<Total, number> => ({
  ...sumOf(agents),
  onDuty: agents.filter(({ isOnDuty }) => isOnDuty).length,
})

/** The numbers of all agents together, each of which opens what it counts. */
export function Totals({ agents, onOpen }: { agents: readonly AgentDay[]; onOpen: (total: Total) => void }) {
  const numbers = numbersOf(agents)
  return (
    <dl className="dv-totals">
      {counts.map((count) => (
        <TotalNumber key={count} total={count} value={numbers[count]} onOpen={onOpen} />
      ))}
      <div>
        <dt>{t('Way')}</dt>
        <dd>{formatKm(numbers.km * 1000)}</dd>
      </div>
      <TotalNumber total="onDuty" value={numbers.onDuty} onOpen={onOpen} />
    </dl>
  )
}

function TotalNumber({ total, value, onOpen }: { total: Total; value: number; onOpen: (total: Total) => void }) {
  const label = t(labels[total])
  return (
    <div data-count={total}>
      <dt>{label}</dt>
      <dd>
        {value === 0 ? (
          0
        ) : (
          <button type="button" className="dv-total" aria-haspopup="dialog" aria-label={`${label}: ${value}`} onClick={() => onOpen(total)}>
            {value}
          </button>
        )}
      </dd>
    </div>
  )
}

interface TotalPanelProps {
  agents: readonly AgentDay[]
  total: Total
  timeZone: string
  onClose: () => void
  onAgent: (userId: string) => void
}

/** What is behind a number of all agents: their names, each with the visits that it counts. */
export function TotalPanel({ agents, total, timeZone, onClose, onAgent }: TotalPanelProps) {
  const behind = agents.filter((agent) => (total === 'onDuty' ? agent.isOnDuty : agent[total] > 0))
  return (
    <Drawer
      open
      title={<h2 className="dv-title">{`${t(labels[total])}: ${numbersOf(agents)[total]}`}</h2>}
      size={720}
      onClose={onClose}
      closable={{ 'aria-label': t('Close') } as never}
      rootClassName="dv-panel"
    >
      {behind.map((agent) => (
        <section key={agent.userId} className="dv-behind" aria-label={agent.agent}>
          <h3>
            <button type="button" className="o-text-button" onClick={() => onAgent(agent.userId)}>
              {agent.agent}
            </button>{' '}
            <span className="dv-soft">{agent.branch}</span>
          </h3>
          {total !== 'onDuty' && <Records visits={visitsBehind(agent, total)} timeZone={timeZone} />}
        </section>
      ))}
    </Drawer>
  )
}
