import { useMemo, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Button, Segmented, Select } from 'antd'
import { CheckCircleFilled, CompassOutlined, EnvironmentOutlined, FormOutlined, LeftOutlined } from '@ant-design/icons'
import { t } from '../../../session/labels.ts'
import { useSession } from '../../../session/session.ts'
import { activityPath } from '../../../view/activity-path.ts'
import { textOf, useAddress } from '../../../view/address.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../view/states/index.tsx'
import { useIsPhone } from '../../../view/useIsPhone.ts'
import { ProgressBar } from '../../../view/ProgressBar.tsx'
import type { CustomProps } from '../../props.ts'
import { MapView } from '../../../map/index.ts'
import { usePlan, type PlanRow, type StopRow } from '../api.ts'
import { drawRoutes } from '../planner/routes-drawn.ts'
import { clock, formatDay, formatKm, meaningLabels } from '../formats.ts'
import { useToday } from '../../../view/clock.ts'
import './drive.css'

/** An agent on the road: the next stop first, then the way through the day, on a phone as on a desk. */
export function DriveView({ params }: CustomProps) {
  const { layout } = useSession()
  const plan = usePlan(params.id)
  if (plan.error) return <ErrorState error={plan.error} what={t('This route')} onRetry={plan.refetch} />
  if (!plan.data || !layout) return <LoadingState rows={8} />
  return (
    <Drive
      plan={plan.data.plan}
      stops={plan.data.stops}
      userId={layout.user.Id}
      timeZone={layout.company.timeZone}
      pathOf={({ Id, userId }) => activityPath(layout, Id, { isOwn: userId === layout.user.Id })}
    />
  )
}

/** Where a stop opens for who looks at the route. */
type PathOf = (stop: StopRow) => string | undefined

interface DriveProps {
  plan: PlanRow
  stops: StopRow[]
  userId: string
  timeZone: string
  pathOf: PathOf
}

/** Today when the plan has stops then; else the next day that has some, else the last. */
function dayToShow(days: readonly string[], today: string): string | undefined {
  return days.find((day) => day >= today) ?? days.at(-1)
}

function Drive({ plan, stops, userId, timeZone, pathOf }: DriveProps) {
  const { address, patch } = useAddress()
  const agents = [...new Map(stops.map((stop) => [stop.userId, stop.agentName]))]
  const agent = agents.find(([id]) => id === address.agent)?.[0] ?? agents.find(([id]) => id === userId)?.[0] ?? agents[0]?.[0]
  const theirs = stops.filter((stop) => stop.userId === agent)
  const today = useToday(timeZone)
  const days = [...new Set(theirs.map(({ day }) => day))].toSorted()
  const day = days.find((one) => one === textOf(address.day)) ?? dayToShow(days, today)
  const route = theirs.filter((stop) => stop.day === day)
  return (
    <div className="rd">
      <header className="rd-head">
        <Link to="/sales/activities/activity-plan" className="rd-back" aria-label={t('Back to the route plans')}>
          <LeftOutlined aria-hidden />
        </Link>
        <div>
          <h1 tabIndex={-1}>{plan.name}</h1>
          <p className="rd-soft">{day ? formatDay(day) : t('Nothing planned')}</p>
        </div>
      </header>
      {agents.length > 1 || days.length > 1 ? (
        <div className="rd-choose">
          {agents.length > 1 ? (
            <Select
              aria-label={t('Agent')}
              value={agent}
              options={agents.map(([value, label]) => ({ value, label }))}
              onChange={(value) => patch({ agent: value, day: undefined })}
            />
          ) : null}
          {days.length > 1 ? (
            <Select
              aria-label={t('Day')}
              value={day}
              options={days.map((value) => ({ value, label: formatDay(value) }))}
              onChange={(value) => patch({ day: value })}
            />
          ) : null}
        </div>
      ) : null}
      {route.length === 0 ? (
        <EmptyState title={t('No stops')} body={t('Nobody has planned stops here yet.')} />
      ) : (
        <Route route={route} plan={plan} timeZone={timeZone} pathOf={pathOf} />
      )}
    </div>
  )
}

function Route({ route, plan, timeZone, pathOf }: { route: StopRow[]; plan: PlanRow; timeZone: string; pathOf: PathOf }) {
  const isPhone = useIsPhone()
  const [part, setPart] = useState<'list' | 'map'>('list')
  const next = route.find(({ meaning }) => meaning === 'started') ?? route.find(({ meaning }) => meaning === 'open')
  return (
    <>
      <Progress route={route} />
      {next ? (
        <NextStop stop={next} timeZone={timeZone} pathOf={pathOf} />
      ) : (
        <p className="rd-all-done" role="status">
          <CheckCircleFilled aria-hidden /> {t('Every stop of this day is closed.')}
        </p>
      )}
      {isPhone ? (
        <Segmented
          block
          aria-label={t('Show')}
          value={part}
          onChange={setPart}
          options={[
            { value: 'list', label: t('Stops') },
            { value: 'map', label: t('Map') },
          ]}
        />
      ) : null}
      <div className="rd-body">
        {!isPhone || part === 'list' ? (
          <ol className="rd-list" aria-label={t('Stops')}>
            {route.map((stop, index) => (
              <StopLine key={stop.stopId} stop={stop} number={index + 1} isNext={stop === next} timeZone={timeZone} pathOf={pathOf} />
            ))}
          </ol>
        ) : null}
        {!isPhone || part === 'map' ? (
          <RouteMap key={`${route[0]?.userId} ${route[0]?.day}`} route={route} plan={plan} timeZone={timeZone} />
        ) : null}
      </div>
    </>
  )
}

function RouteMap({ route, plan, timeZone }: { route: StopRow[]; plan: PlanRow; timeZone: string }) {
  // The same array as long as nothing on it changed, whatever the parent draws again.
  const [shown, setShown] = useState(route)
  if (shown.length !== route.length || shown.some((stop, index) => stop !== route[index])) setShown(route)
  const drawn = useMemo(() => drawRoutes(shown, { timeZone, byMeaning: true, start: plan }), [shown, timeZone, plan])
  return (
    <div className="rd-map">
      <MapView label={t('The route')} {...drawn} isClustered={false} hasList={false} height="100%" />
    </div>
  )
}

const isClosed = ({ meaning }: StopRow) => meaning !== 'open' && meaning !== 'started'

function Progress({ route }: { route: readonly StopRow[] }) {
  const done = route.filter(({ meaning }) => meaning === 'done').length
  const left = route.filter((stop) => !isClosed(stop))
  return (
    <section className="rd-progress" aria-label={t('Progress')}>
      <p>
        <strong>
          {done} / {route.length}
        </strong>{' '}
        {t('done')} · {formatKm(left.reduce((sum, { metres }) => sum + metres, 0))} {t('to go')}
      </p>
      <ProgressBar className="rd-bar" label={t('Stops done')} value={done} max={route.length} />
    </section>
  )
}

/** Links to a navigator: geo: opens the phone's own app, the other a web map. */
const navigateTo = ({ lat, lng, name }: StopRow) => ({
  app: `geo:${lat},${lng}?q=${lat},${lng}(${encodeURIComponent(name)})`,
  web: `https://www.google.com/maps/dir/?api=1&destination=${lat},${lng}`,
})

function NextStop({ stop, timeZone, pathOf }: { stop: StopRow; timeZone: string; pathOf: PathOf }) {
  const path = pathOf(stop)
  const hasPlace = stop.lat !== null && stop.lng !== null
  const links = navigateTo(stop)
  return (
    <section className="rd-next" aria-label={t('Next stop')}>
      <p className="rd-next-kicker">
        {t(stop.meaning === 'started' ? 'You are at' : 'Next stop')} · {clock(stop.plannedArrival, timeZone)}–
        {clock(stop.plannedDeparture, timeZone)}
      </p>
      <h2>{stop.name}</h2>
      <p className="rd-soft">
        <EnvironmentOutlined aria-hidden /> {stop.location || t('No place known')}
        {stop.metres > 0 ? ` · ${formatKm(stop.metres)}` : ''}
      </p>
      <div className="rd-buttons">
        {hasPlace ? (
          <Button type="primary" size="large" icon={<CompassOutlined aria-hidden />} href={links.app}>
            {t('Navigate')}
          </Button>
        ) : null}
        {hasPlace ? (
          <Button size="large" href={links.web} target="_blank" rel="noreferrer">
            {t('Web map')}
          </Button>
        ) : null}
        {path ? (
          <Link className="rd-open" to={path}>
            <FormOutlined aria-hidden /> {t('Open, change status')}
          </Link>
        ) : null}
      </div>
    </section>
  )
}

function StopLine({
  stop,
  number,
  isNext,
  timeZone,
  pathOf,
}: {
  stop: StopRow
  number: number
  isNext: boolean
  timeZone: string
  pathOf: PathOf
}) {
  const path = pathOf(stop)
  return (
    <li className="rd-stop" data-meaning={stop.meaning} data-next={isNext || undefined} aria-current={isNext ? 'step' : undefined}>
      <span className="rd-number" aria-hidden>
        {number}
      </span>
      <div>
        <p className="rd-name">{path ? <Link to={path}>{stop.name}</Link> : stop.name}</p>
        <p className="rd-soft">
          {clock(stop.plannedArrival, timeZone)} · {t(meaningLabels[stop.meaning])}
          {stop.statusDateCreated && isClosed(stop) ? ` ${clock(stop.statusDateCreated, timeZone)}` : ''}
          {stop.location ? ` · ${stop.location}` : ''}
        </p>
      </div>
      <span className="rd-soft">{formatKm(stop.metres)}</span>
    </li>
  )
}
