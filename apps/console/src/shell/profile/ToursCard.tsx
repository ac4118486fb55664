import { useNavigate } from '@tanstack/react-router'
import { Button, Switch, Tag } from 'antd'
import type { ConsoleLayout } from '@outpost/contract/console'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { saveTour } from '../../session/personal.ts'
import { allTours, askForTour, isOver, wantsTours } from '../tours/tour-state.ts'
import { tours, type Tour } from '../tours/tours.ts'

/** The tours of the screens the user may open: seen or not, shown again, or none of them by itself. */
export function ToursCard({ layout }: { layout: ConsoleLayout }) {
  const navigate = useNavigate()
  const kept = layout.user.tours
  const opens = (path: string): boolean => layout.screens.some((screen) => screen.path === path && screen.permitted)
  const shown = tours.filter(({ paths }) => opens(paths[0]))
  const show = ({ name, paths, from }: Tour): void => {
    askForTour(name)
    if (from) toast.info({ title: t(from.hint) })
    void navigate({ to: from?.path ?? paths[0] })
  }
  if (shown.length === 0) return null
  return (
    <section className="o-card" aria-labelledby="profile-tours">
      <h2 id="profile-tours">{t('Tours')}</h2>
      <label className="o-keys-switch">
        <Switch
          checked={wantsTours(kept)}
          onChange={(isOn) => saveTour(allTours, { status: isOn ? 'started' : 'skipped' })}
          aria-label={t('Show the tour of a page at my first visit')}
        />{' '}
        {t('Show the tour of a page at my first visit')}
      </label>
      <ul className="o-sessions">
        {shown.map((tour) => (
          <li key={tour.name}>
            <span>
              <strong>{t(tour.title)}</strong> {isOver(kept, tour) && <Tag color="success">{t('seen')}</Tag>}
            </span>
            <Button size="small" onClick={() => show(tour)} aria-label={`${t('Show the tour')}: ${t(tour.title)}`}>
              {t('Show the tour')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
