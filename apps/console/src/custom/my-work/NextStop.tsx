import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CarOutlined, EnvironmentOutlined, PhoneOutlined } from '@ant-design/icons'
import type { ConsoleLayout } from '@outpost/contract/console'
import type { Row } from '../../data/records.ts'
import { lastFix } from '../../device/place.ts'
import { useWatch } from '../../device/watch.ts'
import { t } from '../../session/labels.ts'
import { formatTime } from '../../view/formats.ts'
import { activityPath } from '../../view/activity-path.ts'
import { distanceText, nextStop, type ActivityStatus } from './work.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Where the agent goes now, how far that is, and the three things one does about it: go, call, open. */
export function NextStop({
  today,
  statuses,
  layout,
}: {
  today: readonly Row[]
  statuses: readonly ActivityStatus[]
  layout: ConsoleLayout
}) {
  const { last } = useWatch()
  // Without a running day the last place this device knew is near enough for a distance.
  const known = useQuery({ queryKey: ['last-fix', layout.user.Id], queryFn: lastFix, networkMode: 'always', staleTime: 60_000 })
  const stop = nextStop(today, { statuses, here: last ?? known.data ?? null })
  if (!stop) return null
  const { row, isRunning, place, metres } = stop
  const path = activityPath(layout, String(row.Id))
  const people = Array.isArray(row.leads) ? (row.leads as { firstName?: string; phonenumber?: string }[]) : []
  const phone = people.find((one) => one.phonenumber)
  return (
    <section className="mw-card mw-next" aria-label={t(isRunning ? 'You are at' : 'Next stop')}>
      <div>
        <p className="mw-next-kind">
          {t(isRunning ? 'You are at' : 'Next stop')} · <time dateTime={text(row.startDate)}>{formatTime(row.startDate)}</time>
        </p>
        <h2>{path ? <Link to={path}>{text(row.name)}</Link> : text(row.name)}</h2>
        <p className="mw-next-place">
          {text(row.location) && (
            <span>
              <EnvironmentOutlined aria-hidden /> {text(row.location)}
            </span>
          )}
          {metres !== null && (
            <strong>
              {distanceText(metres)} {t('away')}
            </strong>
          )}
        </p>
      </div>
      <p className="mw-actions">
        {place && (
          <a
            className="mw-button"
            data-main
            href={`https://www.google.com/maps/dir/?api=1&destination=${place.latitude},${place.longitude}`}
            target="_blank"
            rel="noreferrer"
          >
            <CarOutlined aria-hidden /> {t('Navigate')}
            <span className="o-hidden"> {t('(opens a map)')}</span>
          </a>
        )}
        {phone && (
          <a className="mw-button" href={`tel:${phone.phonenumber}`}>
            <PhoneOutlined aria-hidden /> {t('Call')} {phone.firstName}
          </a>
        )}
      </p>
    </section>
  )
}
