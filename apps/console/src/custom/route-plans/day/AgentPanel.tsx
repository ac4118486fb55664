import { Link } from '@tanstack/react-router'
import { Drawer, Segmented, Select, Tag } from 'antd'
import { useMemo, useState } from 'react'
import { t } from '../../../session/labels.ts'
import { MapView, type MapLine, type MapPoint } from '../../../map/index.ts'
import { ErrorState, LoadingState } from '../../../view/states/index.tsx'
import { countLabels, counts, useTrack, visitsBehind, type AgentDay, type Count, type Track, type TrackStop } from './day-api.ts'
import { Records, useMayOpen } from './Records.tsx'
import { clock, formatDuration, formatKm, meaningTone, meaningLabels } from '../formats.ts'

interface Props {
  agent: AgentDay
  date: string
  of: Count | undefined
  timeZone: string
  onClose: () => void
  onOf: (of: Count | undefined) => void
}

/** One agent's day: the records behind a number, and the plan against what was driven. */
export function AgentPanel({ agent, date, of, timeZone, onClose, onOf }: Props) {
  const hasPlan = agent.plans.length > 0
  const shown = of ?? (hasPlan ? 'track' : 'planned')
  const options = [
    ...(hasPlan ? [{ value: 'track', label: t('Planned and driven') }] : []),
    ...counts
      .filter((count) => count === 'planned' || agent[count] > 0)
      .map((value) => ({ value, label: `${t(countLabels[value])} ${agent[value]}` })),
  ]
  return (
    <Drawer
      open
      title={<h2 className="dv-title">{agent.agent}</h2>}
      size={720}
      onClose={onClose}
      closable={{ 'aria-label': t('Close') } as never}
      rootClassName="dv-panel"
    >
      <Segmented
        className="dv-of"
        aria-label={t('Show')}
        value={shown}
        options={options}
        onChange={(value) => onOf(value === 'track' ? undefined : (value as Count))}
      />
      {shown === 'track' ? (
        <TrackView agent={agent} date={date} timeZone={timeZone} />
      ) : (
        <Records visits={visitsBehind(agent, shown as Count)} timeZone={timeZone} />
      )}
    </Drawer>
  )
}

function TrackView({ agent, date, timeZone }: { agent: AgentDay; date: string; timeZone: string }) {
  const [planId, setPlan] = useState(agent.plans[0])
  const track = useTrack(planId, agent.userId, date)
  if (track.error) return <ErrorState error={track.error} what={t('This track')} onRetry={() => void track.refetch()} />
  if (!track.data) return <LoadingState rows={6} />
  return (
    <div className="dv-track">
      {agent.plans.length > 1 ? (
        <Select
          aria-label={t('Plan')}
          value={planId}
          onChange={setPlan}
          options={agent.plans.map((value, index) => ({ value, label: `${t('Plan')} ${index + 1}` }))}
        />
      ) : null}
      <p className="dv-soft">
        {t('Planned')} {formatKm(track.data.stops.reduce((sum, { metres }) => sum + metres, 0))} · {t('driven')}{' '}
        {formatKm(track.data.metres)} · {track.data.stops.filter(({ isMissed }) => isMissed).length} {t('missed')} · {track.data.fixes}{' '}
        {t('positions')}
      </p>
      <TrackMap track={track.data} timeZone={timeZone} />
      <ol className="dv-stops">
        {track.data.stops.map((stop, index) => (
          <StopLine key={stop.stopId} stop={stop} number={index + 1} timeZone={timeZone} />
        ))}
      </ol>
    </div>
  )
}

/** Planned stops numbered, the plan dashed, the way driven whole. */
function TrackMap({ track, timeZone }: { track: Track; timeZone: string }) {
  const { points, lines } = useMemo(() => {
    const placed = track.stops.flatMap((stop, index) =>
      stop.lat === null || stop.lng === null ? [] : [{ ...stop, number: index + 1, at: [stop.lat, stop.lng] as const }],
    )
    const marks = placed.map(({ stopId, at: [lat, lng], name, number, meaning, isMissed, plannedArrival, actual }): MapPoint => ({
      id: stopId,
      lat,
      lng,
      label: name,
      number,
      tone: isMissed ? 'bad' : meaningTone(meaning),
      note: `${t('planned')} ${clock(plannedArrival, timeZone)}${actual ? ` · ${clock(actual.at, timeZone)}` : ''}`,
    }))
    const ways: MapLine[] = [
      { id: 'plan', tone: 'quiet', isDashed: true, label: t('Planned'), positions: placed.map(({ at }) => at) },
      { id: 'track', tone: 'info', label: t('Driven'), positions: track.track.map(([lat, lng]) => [lat, lng] as const) },
    ]
    return { points: marks, lines: ways.filter(({ positions }) => positions.length > 1) }
  }, [track, timeZone])
  return <MapView label={t('Planned and driven')} points={points} lines={lines} isClustered={false} hasList={false} height="340px" />
}

const apart = (minutes: number) =>
  minutes === 0 ? t('on time') : `${formatDuration(Math.abs(minutes))} ${t(minutes > 0 ? 'later' : 'earlier')}`

function StopLine({ stop, number, timeZone }: { stop: TrackStop; number: number; timeZone: string }) {
  const mayOpen = useMayOpen()
  const { actual, isMissed, passedBy, meaning } = stop
  return (
    <li data-missed={isMissed || undefined}>
      <span className="dv-stop-number">{number}</span>
      <div>
        <p>
          {mayOpen ? <Link to={`/sales/activities/${stop.Id}/view`}>{stop.name}</Link> : stop.name}{' '}
          <Tag className={`tag-${isMissed ? 'bad' : meaningTone(meaning)}`}>{t(isMissed ? 'Missed' : meaningLabels[meaning])}</Tag>
        </p>
        <p className="dv-soft">
          {t('Planned')} {clock(stop.plannedArrival, timeZone)}
          {actual
            ? ` · ${t('reported')} ${clock(actual.at, timeZone)}${actual.minutes === null ? '' : `, ${apart(actual.minutes)}`}${actual.metres === null ? '' : `, ${actual.metres} m ${t('from the place')}`}`
            : ''}
          {isMissed && passedBy !== null ? ` · ${t('nearest')} ${passedBy < 1_000 ? `${passedBy} m` : formatKm(passedBy)}` : ''}
        </p>
      </div>
    </li>
  )
}
