import { Button } from 'antd'
import { isNetworkError } from '../../data/api.ts'
import { t } from '../../session/labels.ts'
import './fleet.css'

const againMs = 15_000

/** How long until a query is asked again by itself: soon after a failure, so that a screen comes back once the service does. */
export const soonAfterFailure =
  (usualMs: number | false = false) =>
  ({ state: { status } }: { state: { status: string } }): number | false =>
    status === 'error' ? againMs : usualMs

interface OutdatedProps {
  /** Why the picture could not be renewed; null while it is up to date. */
  error: Error | null
  onRetry: () => unknown
  /** The picture is what this device kept. */
  isKept?: boolean
}

/** Said above a picture that could not be renewed; the screen asks again by itself. */
export function Outdated({ error, onRetry, isKept = false }: OutdatedProps) {
  if (!error && !isKept) return null
  return (
    <p className="fleet-stale" role="alert">
      {isKept || isNetworkError(error)
        ? t('There is no connection. This is the last picture; it goes on by itself.')
        : t('The tracking service does not answer. This is the last picture; it goes on by itself.')}{' '}
      <Button size="small" onClick={() => void onRetry()}>
        {t('Try now')}
      </Button>
    </p>
  )
}
