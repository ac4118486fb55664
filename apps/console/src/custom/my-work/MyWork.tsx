import { Link } from '@tanstack/react-router'
import {
  CalendarOutlined,
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
import { useMinute, useToday } from '../../view/clock.ts'
import { ActivityRow } from './rows.tsx'
import { DayCard } from './DayCard.tsx'
import { Targets, Unread } from './News.tsx'
import { Leads } from './Leads.tsx'
import { NextStop } from './NextStop.tsx'
import { Progress } from './Progress.tsx'
import { ownLeads } from './own-rows.ts'
import { Routes } from './Routes.tsx'
import { Coming, Count, Nothing, Section } from './Section.tsx'
import { Tasks } from './Tasks.tsx'
import { useActivities } from './useWork.ts'
import { useHoldsPlace, Waiting } from './Waiting.tsx'
import { sortDay } from './work.ts'
import { intlLocale } from '../../session/language.ts'
import './my-work.css'

/** The heading over what is late. */
const lateId = 'my-work-late'

const may = (layout: ConsoleLayout, path: string) => layout.screens.some((screen) => screen.path === path && screen.permitted)

/** My Work: what the agent has to do today, for the thumb first; works from the device's own data without a connection. */
export function MyWork() {
  const { layout } = useSession()
  return layout && <Work layout={layout} />
}

function Work({ layout }: { layout: ConsoleLayout }) {
  const now = new Date(useMinute())
  const seesLeads = may(layout, '/sales/leads')
  const userId = layout.user.Id
  const today = useToday(layout.company.timeZone)
  const leads = seesLeads ? ownLeads(userId, today) : undefined
  const activities = useActivities()
  const day = activities.data && sortDay(activities.data.rows, { statuses: activities.data.statuses, userId, now })
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
        <Progress {...{ day, userId, today, leads, lateId }} seesActivities={may(layout, '/sales/activities')} />
      </div>
      {isDayAwaited && <Waiting />}
      {day && activities.data && <NextStop today={day.open} statuses={activities.data.statuses} layout={layout} />}
      <div className="mw-columns">
        <div>
          <Routes layout={layout} />
          {day && day.overdue.length > 0 && (
            <Section title={t('Overdue')} id={lateId} count={<Count value={day.overdue.length} tone="late" />}>
              {day.overdue.map((row) => (
                <ActivityRow key={row.Id} row={row} layout={layout} isLate />
              ))}
            </Section>
          )}
          <Section title={t('Today')} count={day && <Count value={day.today.length} />}>
            {!day ? (
              <Coming query={activities} what={t('Your activities')} rows={3} />
            ) : day.today.length === 0 ? (
              <Nothing>{day.planned > 0 ? t('Everything planned for today is done.') : t('Nothing is planned for today.')}</Nothing>
            ) : (
              day.today.map((row) => <ActivityRow key={row.Id} row={row} layout={layout} />)
            )}
          </Section>
        </div>
        <div>
          <Unread />
          <Tasks layout={layout} now={now} />
          <Targets layout={layout} />
          {leads && (
            <>
              <Leads title={t('Callbacks and consents')} rows={leads.waiting} awaited={2} nothing={t('Nobody waits for your call.')} />
              <Leads title={t('New leads')} rows={leads.fresh} awaited={3} nothing={t('No new leads. Capture the first one.')} />
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
