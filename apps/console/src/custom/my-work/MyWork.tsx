import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  CalendarOutlined,
  CheckCircleOutlined,
  CloudSyncOutlined,
  DisconnectOutlined,
  ExclamationCircleOutlined,
  FormOutlined,
  LockOutlined,
  UserAddOutlined,
} from '@ant-design/icons'
import type { ConsoleLayout } from '@outpost/contract/console'
import { useConnection, describeTrouble } from '../../data/connection.ts'
import { askForOldPassword, useSyncStatus, describeSealed } from '../../offline/sync/status.ts'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'
import { useMinute } from '../../view/clock.ts'
import { ActivityRow, LeadRow } from './rows.tsx'
import { DayCard } from './DayCard.tsx'
import { Targets, Unread } from './News.tsx'
import { NextStop } from './NextStop.tsx'
import { Routes } from './Routes.tsx'
import { Tasks } from './Tasks.tsx'
import { useWork } from './useWork.ts'
import { useHoldsPlace, Waiting } from './Waiting.tsx'
import { sortDay, sortLeads } from './work.ts'
import { intlLocale } from '../../session/language.ts'
import './my-work.css'

const may = (layout: ConsoleLayout, path: string) => layout.screens.some((screen) => screen.path === path && screen.permitted)

/** My Work: what the agent has to do today, for the thumb first; works from the device's own data without a connection. */
export function MyWork() {
  const { layout } = useSession()
  return layout && <Work layout={layout} />
}

function Work({ layout }: { layout: ConsoleLayout }) {
  const now = new Date(useMinute())
  const { activities, leads } = useWork(layout.user.Id, { seeLeads: may(layout, '/sales/leads') })
  const day = activities.data && sortDay(activities.data.rows, { statuses: activities.data.statuses, userId: layout.user.Id, now })
  const mine = sortLeads(leads.data ?? [], now)
  const isDayAwaited = useHoldsPlace(activities.isLoading)
  return (
    <div className="mw">
      <header className="mw-head">
        <div>
          <h1 tabIndex={-1}>{t('My Work')}</h1>
          <p className="mw-date">
            {greeting(now)}, {layout.user.firstName} ·{' '}
            {now.toLocaleDateString(intlLocale(), { weekday: 'long', day: 'numeric', month: 'long' })}
          </p>
        </div>
        <nav className="mw-actions" aria-label={t('Capture')}>
          {may(layout, '/sales/leads/create') && (
            <Link className="mw-button" data-main to="/sales/leads/create">
              <UserAddOutlined aria-hidden /> {t('New lead')}
            </Link>
          )}
          {may(layout, '/sales/activities/create') && (
            <Link className="mw-button" to="/sales/activities/create">
              <CalendarOutlined aria-hidden /> {t('New activity')}
            </Link>
          )}
          {may(layout, '/sales/leads/digital-onboarding/wizard') && (
            <Link className="mw-button" to="/sales/leads/digital-onboarding/wizard">
              <FormOutlined aria-hidden /> {t('Onboard')}
            </Link>
          )}
        </nav>
      </header>
      <SyncLine />
      <div className="mw-top">
        <DayCard layout={layout} />
        <Progress
          done={day?.done ?? 0}
          planned={day?.planned ?? 0}
          overdue={day?.overdue.length ?? 0}
          captured={mine.capturedToday}
          waiting={mine.waiting.length}
        />
      </div>
      {isDayAwaited && <Waiting />}
      {day && activities.data && <NextStop today={day.open} statuses={activities.data.statuses} layout={layout} />}
      <div className="mw-columns">
        <div>
          <Routes layout={layout} />
          {day && day.overdue.length > 0 && (
            <Section title={t('Overdue')} count={day.overdue.length} tone="late">
              {day.overdue.map((row) => (
                <ActivityRow key={row.Id} row={row} layout={layout} isLate />
              ))}
            </Section>
          )}
          <Section title={t('Today')} count={day?.today.length}>
            {activities.isPending ? (
              <LoadingState rows={3} />
            ) : activities.error ? (
              <ErrorState error={activities.error} what={t('Your activities')} onRetry={() => void activities.refetch()} />
            ) : day?.today.length === 0 ? (
              <Nothing>{day.planned > 0 ? t('Everything planned for today is done.') : t('Nothing is planned for today.')}</Nothing>
            ) : (
              day?.today.map((row) => <ActivityRow key={row.Id} row={row} layout={layout} />)
            )}
          </Section>
        </div>
        <div>
          <Unread />
          <Tasks layout={layout} now={now} />
          <Targets layout={layout} />
          {may(layout, '/sales/leads') && (
            <>
              <Section title={t('Callbacks and consents')} count={mine.waiting.length}>
                {leads.isPending ? (
                  <LoadingState rows={2} />
                ) : mine.waiting.length === 0 ? (
                  <Nothing>{t('Nobody waits for your call.')}</Nothing>
                ) : (
                  mine.waiting.slice(0, 20).map((row) => <LeadRow key={row.Id} row={row} />)
                )}
              </Section>
              <Section title={t('New leads')} count={mine.fresh.length}>
                {leads.isPending ? (
                  <LoadingState rows={3} />
                ) : leads.error ? (
                  <ErrorState error={leads.error} what={t('Your leads')} onRetry={() => void leads.refetch()} />
                ) : mine.fresh.length === 0 ? (
                  <Nothing>{t('No new leads. Capture the first one.')}</Nothing>
                ) : (
                  mine.fresh.slice(0, 20).map((row) => <LeadRow key={row.Id} row={row} />)
                )}
              </Section>
            </>
          )}
        </div>
      </div>
    </div>
  )
}

function greeting(now: Date): string {
  const hour = now.getHours()
  return t(hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening')
}

/** One line on what is not at the server yet; nothing when all is well. */
function SyncLine() {
  const connection = useConnection()
  const { isOnline, trouble } = connection
  const { isOpen, pending, attention, sealed } = useSyncStatus()
  if (isOnline && pending === 0 && attention === 0 && !sealed) return null
  return (
    <div role="status">
      <ul className="mw-sync">
        {!isOnline && (
          <li>
            <DisconnectOutlined aria-hidden /> {trouble === 'unreachable' ? '' : `${t(describeTrouble(connection))} `}
            {t(isOpen ? 'No connection. You see what is on this device.' : 'No connection, and this device keeps no changes.')}
          </li>
        )}
        {sealed && (
          <li data-tone="late">
            <LockOutlined aria-hidden /> {describeSealed(sealed)}{' '}
            <button type="button" className="mw-link" onClick={askForOldPassword}>
              {t('Enter it')}
            </button>
          </li>
        )}
        {pending > 0 && (
          <li>
            <CloudSyncOutlined aria-hidden /> {pending} {pending === 1 ? t('change waits to be sent') : t('changes wait to be sent')}
          </li>
        )}
        {attention > 0 && (
          <li data-tone="late">
            <ExclamationCircleOutlined aria-hidden />{' '}
            <Link to="/offline/attention">
              {attention} {attention === 1 ? t('change needs your attention') : t('changes need your attention')}
            </Link>
          </li>
        )}
      </ul>
    </div>
  )
}

interface ProgressProps {
  done: number
  planned: number
  overdue: number
  captured: number
  waiting: number
}

function Progress({ done, planned, overdue, captured, waiting }: ProgressProps) {
  const percent = planned === 0 ? 0 : Math.round((done / planned) * 100)
  return (
    <section className="mw-card mw-progress" aria-label={t('Progress')}>
      <div className="mw-bar-head">
        <span>{t('Done today')}</span>
        <strong>
          {done} / {planned}
        </strong>
      </div>
      <div
        className="mw-bar"
        role="progressbar"
        aria-label={t('Activities done today')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span style={{ inlineSize: `${percent}%` }} />
      </div>
      <dl className="mw-figures">
        <div data-tone={overdue > 0 ? 'late' : undefined}>
          <dt>{t('Overdue')}</dt>
          <dd>{overdue}</dd>
        </div>
        <div>
          <dt>{t('Waiting')}</dt>
          <dd>{waiting}</dd>
        </div>
        <div>
          <dt>{t('Captured today')}</dt>
          <dd>{captured}</dd>
        </div>
      </dl>
    </section>
  )
}

function Section({ title, count, tone, children }: { title: string; count?: number; tone?: 'late'; children: ReactNode }) {
  return (
    <section className="mw-card mw-section">
      <h2>
        {t(title)}
        {count !== undefined && (
          <span className="mw-count" data-tone={tone}>
            {count}
          </span>
        )}
      </h2>
      <div className="mw-rows">{children}</div>
    </section>
  )
}

const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="mw-nothing">
    <CheckCircleOutlined aria-hidden /> {children}
  </p>
)
