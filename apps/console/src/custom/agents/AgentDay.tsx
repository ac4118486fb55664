import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Button } from 'antd'
import { useMemo } from 'react'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { call } from '../../data/calls.ts'
import { MapView, type MapLine, type MapPoint } from '../../map/index.ts'
import { t } from '../../session/labels.ts'
import type { Tone } from '../../theme/tones.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { formatTime, formatNumber } from '../../view/formats.ts'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'
import type { CustomProps } from '../props.ts'
import { useMinute } from '../../view/clock.ts'
import { clockError, dayAway, figuresOf, linesOf, type AgentDayData, type DayEvent, type Visit } from './agent-day.ts'
import { Doubts, FixTag } from './fixes.tsx'
import { intlLocale } from '../../session/language.ts'
import './agents.css'

const tones: Record<Visit['meaning'], Tone> = { open: 'info', started: 'warn', done: 'good', missed: 'bad', cancelled: 'quiet' }
const screens: Partial<Record<DayEvent['kind'], string>> = { activity: '/sales/activities/:id/view', lead: '/sales/leads/edit/:id' }
const time = (value: string) => formatTime(value)

/** One agent's day on one screen: what happened in order, the visits, the way, and what is doubtful about it. */
export function AgentDay({ params }: CustomProps) {
  const { id = '', date = '' } = params
  const navigate = useNavigate()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['records', 'agentAction', 'day', id, date],
    queryFn: async ({ signal }) => (await call('agent.timeline', { params: { id, date } }, { signal })).data as unknown as AgentDayData,
  })
  const go = (days: number) => void navigate({ to: `/sales/agents/day/${id}/${dayAway(date, days)}` })
  return (
    <div className="agent-day">
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{data?.agent.name ?? t('Agent’s day')}</h1>
          <span className="view-count">
            {new Date(`${date}T12:00:00`).toLocaleDateString(intlLocale(), {
              weekday: 'long',
              day: 'numeric',
              month: 'long',
              year: 'numeric',
            })}
          </span>
        </div>
        <div className="view-header-actions">
          <Button icon={<LeftOutlined />} aria-label={t('Day before')} onClick={() => go(-1)} />
          <Button icon={<RightOutlined />} aria-label={t('Day after')} onClick={() => go(1)} />
        </div>
      </header>
      {error ? (
        <ErrorState error={error} what={t('This day')} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingState />
      ) : (
        <Day data={data} />
      )}
    </div>
  )
}

function Day({ data }: { data: AgentDayData }) {
  const { address, patch } = useAddress()
  const figures = figuresOf(data, useMinute())
  const points = useMemo(() => pointsOf(data), [data])
  const lines = useMemo(
    () =>
      linesOf(data.track).map((positions, index): MapLine => ({
        id: `track-${index}`,
        positions,
        tone: 'info',
        label: t('The way the device reported'),
      })),
    [data],
  )
  return (
    <>
      <dl className="agents-figures">
        <Figure label={t('Hours at work')} value={formatNumber(data.totals.hours)} />
        <Figure label={t('Distance')} value={`${formatNumber(data.totals.km)} km`} />
        <Figure label={t('Visits done')} value={`${figures.done} / ${figures.planned}`} />
        <Figure label={t('Missed')} value={String(figures.missed)} tone={figures.missed > 0 ? 'bad' : undefined} />
        <Figure label={t('Doubtful positions')} value={String(figures.doubtful)} tone={figures.doubtful > 0 ? 'warn' : undefined} />
      </dl>
      <div className="agent-day-parts">
        <section className="agents-panel" aria-label={t('What happened')}>
          <header>
            <h2>{t('What happened')}</h2>
          </header>
          {data.events.length === 0 ? (
            <p>{t('Nothing was recorded on this day.')}</p>
          ) : (
            <ol className="agent-day-events">
              {data.events.map((event, index) => (
                <Event key={index} event={event} />
              ))}
            </ol>
          )}
        </section>
        {points.length + lines.length > 0 ? (
          <MapView
            label={t('Visits and way')}
            points={points}
            lines={lines}
            viewport={textOf(address.map)}
            onViewport={(map) => patch({ map })}
            isClustered={false}
            hasList={false}
            height="min(560px, 70dvh)"
          />
        ) : (
          <section className="agents-panel" aria-label={t('Visits and way')}>
            <p>{t('No position was reported on this day.')}</p>
          </section>
        )}
      </div>
      <Doubtful data={data} />
    </>
  )
}

const Figure = ({ label, value, tone }: { label: string; value: string; tone?: Tone }) => (
  <div data-tone={tone}>
    <dt>{t(label)}</dt>
    <dd>{value}</dd>
  </div>
)

const clockText = (skewMs: number): string => {
  const time = clockError(skewMs)
  return skewMs < 0 ? t('The device’s clock was {{time}} ahead', { time }) : t('The device’s clock was {{time}} behind', { time })
}

function Event({ event }: { event: DayEvent }) {
  const screen = screens[event.kind]
  return (
    <li data-kind={event.kind}>
      <time dateTime={event.at}>{time(event.at)}</time>
      <span>
        {screen && event.recordId ? <Link to={screen.replace(':id', event.recordId)}>{event.what}</Link> : event.what}
        {event.clockSkewMs !== null && <small className="agent-day-clock">{clockText(event.clockSkewMs)}</small>}
      </span>
      {event.source && <FixTag source={event.source} />}
    </li>
  )
}

function Doubtful({ data }: { data: AgentDayData }) {
  const doubtful = data.track.filter(({ flags }) => flags.length > 0)
  if (doubtful.length === 0) return null
  return (
    <section className="agents-panel" aria-label={t('Doubtful positions')}>
      <header>
        <h2>{t('Doubtful positions')}</h2>
      </header>
      <ul className="agent-day-events">
        {doubtful.slice(0, 50).map(({ at, latitude, longitude, flags }) => (
          <li key={at}>
            <time dateTime={at}>{time(at)}</time>
            <Link to={`/sales/agents/location/${longitude}/${latitude}`}>
              {latitude.toFixed(4)}, {longitude.toFixed(4)}
            </Link>
            <span>
              <Doubts flags={flags} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Visits as numbered stops in their planned order, starts and ends of the day, and the last position. */
function pointsOf({ visits, events, track }: AgentDayData): MapPoint[] {
  const stops = visits.flatMap((visit, index): MapPoint[] =>
    visit.latitude === null || visit.longitude === null
      ? []
      : [
          {
            id: visit.Id,
            lat: visit.latitude,
            lng: visit.longitude,
            label: visit.name,
            number: index + 1,
            tone: tones[visit.meaning],
            note: `${time(visit.startDate)} · ${visit.status}`,
          },
        ],
  )
  const marks = events.flatMap((event, index): MapPoint[] =>
    (event.kind === 'start' || event.kind === 'stop') && event.latitude !== null && event.longitude !== null
      ? [
          {
            id: `event-${index}`,
            lat: event.latitude,
            lng: event.longitude,
            label: event.what,
            note: time(event.at),
            tone: event.kind === 'start' ? 'good' : 'quiet',
          },
        ]
      : [],
  )
  const last = track.at(-1)
  return [
    ...stops,
    ...marks,
    ...(last
      ? [{ id: 'last', lat: last.latitude, lng: last.longitude, label: t('Last position'), note: time(last.at), tone: 'info' as const }]
      : []),
  ]
}
