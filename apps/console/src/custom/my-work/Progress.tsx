import type { ReactNode } from 'react'
import { t } from '../../session/labels.ts'
import { ProgressBar } from '../../view/ProgressBar.tsx'
import { OwnRowsLink } from './OwnRowsLink.tsx'
import { ownActivities, type OwnRows, type ownLeads } from './own-rows.ts'
import { useOwnLeads } from './useWork.ts'
import type { DayWork } from './work.ts'

interface ProgressProps {
  /** Undefined while nobody knows: on its way, or neither from the server nor on this device. */
  day: DayWork | undefined
  userId: string
  today: string
  /** Undefined where somebody sees none. */ leads: ReturnType<typeof ownLeads> | undefined
  /** The id of the heading over what is late. */ lateId: string
  seesActivities: boolean
}

/** How the agent's day goes, in figures, each of which opens what it counts; a dash for what is not known. */
export function Progress({ day, userId, today, leads, lateId, seesActivities }: ProgressProps) {
  const done = day && `${day.done} / ${day.planned}`
  const late = day?.overdue.length
  return (
    <section className="mw-card mw-progress" aria-label={t('Progress')}>
      <div className="mw-bar-head">
        <span>{t('Done today')}</span>
        <strong>
          {done && seesActivities ? (
            <OwnRowsLink to="/sales/activities" rows={ownActivities(userId, today)} label={`${t('Done today')}: ${done}`}>
              {done}
            </OwnRowsLink>
          ) : (
            (done ?? '–')
          )}
        </strong>
      </div>
      <ProgressBar className="mw-bar" label={t('Activities done today')} value={day && percentOf(day)} />
      <dl className="mw-figures">
        <Figure label={t('Overdue')} isLate={late !== undefined && late > 0}>
          {late !== undefined && late > 0 ? (
            <button type="button" aria-label={`${t('Overdue')}: ${late}`} onClick={() => goToHeading(lateId)}>
              {late}
            </button>
          ) : (
            late
          )}
        </Figure>
        {leads && (
          <>
            <LeadFigure label={t('Waiting')} rows={leads.waiting} />
            <LeadFigure label={t('Captured today')} rows={leads.captured} />
          </>
        )}
      </dl>
    </section>
  )
}

const percentOf = ({ done, planned }: DayWork) => (planned > 0 ? Math.round((done / planned) * 100) : 0)

function goToHeading(id: string): void {
  const heading = document.getElementById(id)
  heading?.scrollIntoView({ block: 'center' })
  heading?.focus({ preventScroll: true })
}

function LeadFigure({ label, rows }: { label: string; rows: OwnRows }) {
  const total = useOwnLeads(rows).data?.meta.total
  return (
    <Figure label={label}>
      {total === undefined ? undefined : (
        <OwnRowsLink to="/sales/leads" rows={rows} label={`${label}: ${total}`}>
          {total}
        </OwnRowsLink>
      )}
    </Figure>
  )
}

function Figure({ label, isLate = false, children }: { label: string; isLate?: boolean; children: ReactNode }) {
  return (
    <div data-tone={isLate ? 'late' : undefined}>
      <dt>{label}</dt>
      <dd>{children ?? '–'}</dd>
    </div>
  )
}
