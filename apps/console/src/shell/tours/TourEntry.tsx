import { useRouterState } from '@tanstack/react-router'
import { t } from '../../session/labels.ts'
import { askForTour } from './tour-state.ts'
import { tourOf } from './tours.ts'

/** The tour of the screen that is open, where there is one. */
export function TourEntry({ onStart }: { onStart: () => void }) {
  const tour = useRouterState({ select: ({ location }) => tourOf(location.pathname) })
  if (!tour) return null
  const start = (): void => {
    onStart()
    askForTour(tour.name)
  }
  return (
    <li>
      <button type="button" onClick={start}>
        {t('Tour of this page')}
      </button>
    </li>
  )
}
