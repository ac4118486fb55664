import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EnvironmentOutlined, RightOutlined } from '@ant-design/icons'
import type { ConsoleLayout } from '@outpost/contract/console'
import { keys } from '../../data/keys.ts'
import { ownPlans, stopsOf } from '../../device/work/own-plans.ts'
import { t } from '../../session/labels.ts'
import { useToday } from '../../view/clock.ts'
import { formatDate } from '../../view/formats.ts'
import { useHoldsPlace, Waiting } from './Waiting.tsx'

const screen = '/sales/activities/activity-plan/:id/map-view'

interface OwnRoute {
  id: string
  name: string
  /** The day it is driven next. */
  day: string
  stops: number
  done: number
}

async function ownRoutes(userId: string, today: string): Promise<OwnRoute[]> {
  const plans = await ownPlans(userId, today)
  const routes = await Promise.all(
    plans.map(async ({ Id, name }): Promise<OwnRoute[]> => {
      const mine = (await stopsOf(Id, userId)).filter((stop) => stop.userId === userId && stop.day >= today)
      const day = mine.map((stop) => stop.day).toSorted()[0]
      const stops = mine.filter((stop) => stop.day === day)
      return day ? [{ id: Id, name, day, stops: stops.length, done: stops.filter(({ meaning }) => meaning === 'done').length }] : []
    }),
  )
  return routes.flat().toSorted((a, b) => a.day.localeCompare(b.day))
}

/** The agent's routes of today and the next days, each a link to the drive; nothing where none is planned. */
export function Routes({ layout }: { layout: ConsoleLayout }) {
  const today = useToday(layout.company.timeZone)
  const isPermitted = layout.screens.some(({ path, permitted }) => path === screen && permitted)
  const userId = layout.user.Id
  const { data = [], isLoading } = useQuery({
    queryKey: [...keys.records('activity'), 'own-routes', userId, today],
    enabled: isPermitted,
    // A route that was never kept is no fault of the day.
    queryFn: () => ownRoutes(userId, today).catch(() => []),
  })
  if (useHoldsPlace(isLoading)) return <Waiting />
  if (data.length === 0) return null
  return (
    <section className="mw-card mw-section" aria-label={t('Routes')}>
      <h2>{t('Routes')}</h2>
      <ul className="mw-rows mw-routes">
        {data.slice(0, 3).map(({ id, name, day, stops, done }) => (
          <li key={id}>
            <Link className="mw-route" to={screen.replace(':id', id)}>
              <EnvironmentOutlined aria-hidden />
              <span>
                <strong>{name}</strong>
                <small>
                  {day === today ? t('Today') : formatDate(day)} · {done} / {stops} {t('done')}
                </small>
              </span>
              <RightOutlined aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
