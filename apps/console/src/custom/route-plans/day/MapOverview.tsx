import { useMemo } from 'react'
import { Link } from '@tanstack/react-router'
import { Checkbox } from 'antd'
import { LeftOutlined } from '@ant-design/icons'
import { t } from '../../../session/labels.ts'
import { useSession } from '../../../session/session.ts'
import { textOf, useAddress } from '../../../view/address.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../view/states/index.tsx'
import { MapView } from '../../../map/index.ts'
import { useDayRoutes, type StopRow } from '../api.ts'
import { DateStepper } from './DateStepper.tsx'
import { drawRoutes } from '../planner/routes-drawn.ts'
import { agentTone, clock, isDashed, formatKm, meaningLabels } from '../formats.ts'
import { useToday } from '../../../view/clock.ts'
import './drive.css'

interface Agent {
  id: string
  name: string
  plans: { id: string; name: string }[]
  stops: (StopRow & { planName: string })[]
}

/** All routes of a day on one map, a colour an agent; agents can be left out. */
export function MapOverview() {
  const { layout } = useSession()
  const { address, patch } = useAddress()
  const timeZone = layout?.company.timeZone ?? 'UTC'
  const today = useToday(timeZone)
  const date = textOf(address.date) ?? today
  const routes = useDayRoutes(date)
  const agents = useMemo(() => agentsOf(routes.data ?? []), [routes.data])
  const hiddenText = textOf(address.hidden) ?? ''
  const hidden = useMemo(() => new Set(hiddenText.split(',').filter(Boolean)), [hiddenText])
  const drawn = useMemo(
    () =>
      drawRoutes(
        (routes.data ?? []).filter(({ userId }) => !hidden.has(userId)),
        { timeZone, byMeaning: false, agents: agents.map(({ id }) => id) },
      ),
    [routes.data, agents, hidden, timeZone],
  )
  const show = (id: string, isOn: boolean) => {
    const next = new Set(hidden)
    if (isOn) next.delete(id)
    else next.add(id)
    patch({ hidden: [...next].join(',') || undefined })
  }
  return (
    <div className="rd rd-overview">
      <header className="rd-head">
        <Link to="/sales/activities/activity-plan" className="rd-back" aria-label={t('Back to the route plans')}>
          <LeftOutlined aria-hidden />
        </Link>
        <h1 tabIndex={-1}>{t('Routes of the day')}</h1>
        <DateStepper date={date} timeZone={timeZone} onDate={(next) => patch({ date: next })} />
      </header>
      {routes.error ? (
        <ErrorState error={routes.error} what={t('These routes')} onRetry={() => void routes.refetch()} />
      ) : routes.isPending ? (
        <LoadingState rows={6} />
      ) : agents.length === 0 ? (
        <EmptyState title={t('No route on this day')} body={t('Step to another day, or plan a route.')} />
      ) : (
        <div className="rd-body">
          <ul className="rd-agents" aria-label={t('Agents')}>
            {agents.map((agent, index) => (
              <AgentLine
                key={agent.id}
                agent={agent}
                index={index}
                isShown={!hidden.has(agent.id)}
                timeZone={timeZone}
                onShow={(isOn) => show(agent.id, isOn)}
              />
            ))}
          </ul>
          <div className="rd-map">
            <MapView
              label={t('Routes of the day')}
              {...drawn}
              isClustered={false}
              hasList={false}
              height="100%"
              viewport={textOf(address.map)}
              onViewport={(map) => patch({ map })}
            />
          </div>
        </div>
      )}
    </div>
  )
}

function agentsOf(stops: readonly (StopRow & { planName: string })[]): Agent[] {
  return [...Map.groupBy(stops, ({ userId }) => userId)].map(([id, own]) => ({
    id,
    name: own[0]?.agentName ?? '',
    stops: own,
    plans: [...new Map(own.map(({ planId, planName }) => [planId, { id: planId, name: planName }])).values()],
  }))
}

function AgentLine({
  agent,
  index,
  isShown,
  timeZone,
  onShow,
}: {
  agent: Agent
  index: number
  isShown: boolean
  timeZone: string
  onShow: (isShown: boolean) => void
}) {
  const done = agent.stops.filter(({ meaning }) => meaning === 'done').length
  const next = agent.stops.find(({ meaning }) => meaning === 'started') ?? agent.stops.find(({ meaning }) => meaning === 'open')
  return (
    <li className="rd-agent">
      <Checkbox checked={isShown} onChange={(event) => onShow(event.target.checked)}>
        <span className="rd-agent-name">
          <span className={`rd-line map-tone-${agentTone(index)}`} data-dashed={isDashed(index) || undefined} aria-hidden />
          {agent.name}
        </span>
      </Checkbox>
      <p className="rd-soft">
        {done} / {agent.stops.length} {t('done')} · {formatKm(agent.stops.reduce((sum, { metres }) => sum + metres, 0))}
      </p>
      <p className="rd-soft">
        {next
          ? `${t(next.meaning === 'started' ? meaningLabels.started : 'Next')}: ${next.name}, ${clock(next.plannedArrival, timeZone)}`
          : t('All stops are closed.')}
      </p>
      <p>
        {agent.plans.map(({ id, name }) => (
          <Link key={id} className="rd-plan" to={`/sales/activities/activity-plan/${id}/map-view?agent=${agent.id}` as string}>
            {name}
          </Link>
        ))}
      </p>
    </li>
  )
}
