import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button, Segmented } from 'antd'
import { useMemo } from 'react'
import { CloseOutlined, PhoneOutlined } from '@ant-design/icons'
import { fixLabels } from '@outpost/rules/places/fix-quality'
import { call } from '../../data/calls.ts'
import { useLayout } from '../../data/queries.ts'
import { distanceText, MapView, type MapPoint } from '../../map/index.ts'
import { t } from '../../session/labels.ts'
import { formatPhone } from '../../view/phone.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { formatDateTime, formatTime, formatRelative } from '../../view/formats.ts'
import { EmptyState, ErrorState, LoadingState } from '../../view/states/index.tsx'
import { useToday } from '../../view/clock.ts'
import { gradeOf, nearestTo, parseSpot, pickAgents, type Agent, type Shown, type Spot } from './agents-map.ts'
import { Doubts, FixTag, fixTones } from './fixes.tsx'
import { intlLocale } from '../../session/language.ts'
import './agents.css'

const none: Agent[] = []

/** All agents in reach on one map: who works, where, and how sure that is; a click on the ground asks who is nearest. */
export function AgentsMap() {
  const { address, patch } = useAddress()
  const { data, error, isPending, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['records', 'agentAction', 'positions'],
    queryFn: async ({ signal }) => (await call('agent.positions', {}, { signal })).data.agents as Agent[],
    refetchInterval: 30_000,
  })
  const shown: Shown = address.show === 'online' || address.show === 'nowhere' ? address.show : 'all'
  const near = textOf(address.near)
  const spot = useMemo(() => parseSpot(near), [near])
  const agents = data ?? none
  const [now, all] = [dataUpdatedAt, useMemo(() => pickAgents(agents, { shown, now: dataUpdatedAt }), [agents, shown, dataUpdatedAt])]
  const points = useMemo(() => pointsOf(all, spot, now), [all, spot, now])
  const working = agents.filter(({ isOnline }) => isOnline).length
  return (
    <div className="agents-map">
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t('Agents on the map')}</h1>
          <span className="view-count" role="status">
            {data
              ? `${working} ${t('of')} ${agents.length} ${t('at work')} · ${t('as of')} ${new Date(now).toLocaleTimeString(intlLocale())}`
              : ''}
          </span>
        </div>
        <div className="view-header-actions">
          <Segmented
            aria-label={t('Show')}
            value={shown}
            onChange={(show) => patch({ show: show === 'all' ? undefined : show }, { isStep: true })}
            options={[
              { value: 'all', label: t('All') },
              { value: 'online', label: t('At work') },
              { value: 'nowhere', label: t('No position') },
            ]}
          />
          <Link to="/sales/agents/actions">{t('Agent actions')}</Link>
        </div>
      </header>
      {error && !data ? (
        <ErrorState error={error} what={t('The map of agents')} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingState />
      ) : all.length === 0 ? (
        <EmptyState
          title={
            shown === 'nowhere'
              ? t('Everybody’s position is known')
              : shown === 'online'
                ? t('Nobody is at work')
                : t('No agents in your reach')
          }
        />
      ) : (
        <>
          <MapView
            label={t('Agents')}
            points={points}
            viewport={textOf(address.map)}
            onViewport={(map) => patch({ map })}
            onGround={(place) => patch({ near: `${place.lat.toFixed(5)},${place.lng.toFixed(5)}` }, { isStep: true })}
            popup={(point) => <Card agent={all.find(({ Id }) => Id === point.id)} label={point.label} now={now} />}
          />
          {spot ? (
            <Nearest agents={agents} spot={spot} now={now} onClose={() => patch({ near: undefined })} />
          ) : (
            <p className="agents-hint">{t('Click the ground to see who can be there first.')}</p>
          )}
          <Nowhere agents={all.filter(({ latitude }) => latitude === null)} />
        </>
      )}
    </div>
  )
}

function pointsOf(agents: readonly Agent[], spot: Spot | undefined, now: number): MapPoint[] {
  const people = agents.flatMap((agent): MapPoint[] => {
    const { Id, name, latitude, longitude, isOnline, deviceTime } = agent
    if (latitude === null || longitude === null) return []
    const grade = gradeOf(agent, now)
    return [
      {
        id: Id,
        lat: latitude,
        lng: longitude,
        label: name,
        tone: isOnline ? fixTones[grade] : 'quiet',
        note: `${isOnline ? t('At work') : t('Off')} · ${t(fixLabels[grade])} · ${formatRelative(deviceTime)}`,
      },
    ]
  })
  return spot ? [...people, { id: 'spot', ...spot, label: t('Chosen place'), tone: 'bad' }] : people
}

/** A day of an agent is a day of the company, wherever the one who looks sits. */
const useCompanyDay = () => useToday(useLayout().data?.company.timeZone)

/** What the map shows of one agent. */
function Card({ agent, label, now }: { agent: Agent | undefined; label: string; now: number }) {
  const date = useCompanyDay()
  if (!agent) return <strong>{label}</strong>
  return (
    <div className="agents-card">
      <strong>{agent.name}</strong>
      <p>
        {[agent.tenant, agent.isOnline ? `${t('At work since')} ${formatTime(agent.since)}` : t('Not at work')].filter(Boolean).join(' · ')}
      </p>
      <p>
        <FixTag source={gradeOf(agent, now)} />{' '}
        <time dateTime={agent.deviceTime ?? undefined} title={formatDateTime(agent.deviceTime)}>
          {formatRelative(agent.deviceTime)}
        </time>
      </p>
      <p>
        {[agent.accuracy === null ? '' : `± ${Math.round(agent.accuracy)} m`, agent.battery ? `${t('Battery')} ${agent.battery} %` : '']
          .filter(Boolean)
          .join(' · ')}
      </p>
      {agent.flags.length > 0 && (
        <p>
          <Doubts flags={agent.flags} />
        </p>
      )}
      <p className="agents-links">
        <Link to={`/sales/agents/day/${agent.Id}/${date}`}>{t('Open the day')}</Link>
        {agent.mobile && (
          <a href={`tel:${agent.mobile}`}>
            <PhoneOutlined aria-hidden /> {formatPhone(agent.mobile)}
          </a>
        )}
      </p>
    </div>
  )
}

function Nearest({ agents, spot, now, onClose }: { agents: readonly Agent[]; spot: Spot; now: number; onClose: () => void }) {
  const near = nearestTo(agents, spot, now).slice(0, 5)
  return (
    <section className="agents-panel" aria-label={t('Who can be there first')}>
      <header>
        <h2>{t('Who can be there first')}</h2>
        <Button type="text" icon={<CloseOutlined />} aria-label={t('Forget the chosen place')} onClick={onClose} />
      </header>
      {near.length === 0 ? (
        <p>{t('Nobody’s position is known at present.')}</p>
      ) : (
        <ol>
          {near.map(({ agent, metres }) => (
            <li key={agent.Id}>
              <strong>{agent.name}</strong> <span>{distanceText(metres)}</span> <FixTag source={gradeOf(agent, now)} />{' '}
              {agent.isOnline ? null : <span>{t('Not at work')}</span>}
              {agent.mobile && (
                <a href={`tel:${agent.mobile}`}>
                  <PhoneOutlined aria-hidden /> {formatPhone(agent.mobile)}
                </a>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Nowhere({ agents }: { agents: readonly Agent[] }) {
  const date = useCompanyDay()
  if (agents.length === 0) return null
  return (
    <section className="agents-panel" aria-label={t('No position in seven days')}>
      <header>
        <h2>{t('No position in seven days')}</h2>
      </header>
      <ul>
        {agents.map(({ Id, name, tenant, isOnline }) => (
          <li key={Id}>
            <Link to={`/sales/agents/day/${Id}/${date}`}>{name}</Link> <span>{tenant}</span> {isOnline && <span>{t('At work')}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
