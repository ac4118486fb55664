import { PauseCircleOutlined, PlayCircleOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ConsoleLayout } from '@outpost/contract/console'
import { useDay } from '../../device/useDay.ts'
import { t } from '../../session/labels.ts'
import { formatDateTime } from '../../view/formats.ts'

/** Starts and stops the agent's day. */
export function DayCard({ layout }: { layout: ConsoleLayout }) {
  const { isRunning, since, isChanging, isWaiting, toggle } = useDay(layout)
  const place = layout.user.selectedTenant.locationRequired ? t('Your location is recorded.') : null
  return (
    <section className="mw-card mw-day" data-running={isRunning || undefined} aria-label={t('Your day')}>
      <div>
        <p className="mw-day-state">
          <span className="mw-dot" aria-hidden />
          {isRunning ? t('Your day is running') : t('Your day has not started')}
        </p>
        <p className="mw-day-since">
          {since && (
            <time dateTime={since}>
              {isRunning ? t('Since') : t('Last ended')} {formatDateTime(since)}
            </time>
          )}
          {isWaiting ? ` · ${t('waits to be sent')}` : ''}
          {place && <span> {place}</span>}
        </p>
      </div>
      <Button
        type={isRunning ? 'default' : 'primary'}
        size="large"
        loading={isChanging}
        icon={isRunning ? <PauseCircleOutlined /> : <PlayCircleOutlined />}
        onClick={() => void toggle()}
      >
        {isRunning ? t('Stop day') : t('Start day')}
      </Button>
    </section>
  )
}
