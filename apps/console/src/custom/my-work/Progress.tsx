import { t } from '../../session/labels.ts'
import { ProgressBar } from '../../view/ProgressBar.tsx'
import type { DayWork, LeadWork } from './work.ts'

interface ProgressProps {
  /** Undefined while nobody knows: on its way, or neither from the server nor on this device. */
  day: DayWork | undefined
  leads: LeadWork | undefined
  seesLeads: boolean
}

/** How the agent's day goes, in figures; a dash for what is not known. */
export function Progress({ day, leads, seesLeads }: ProgressProps) {
  return (
    <section className="mw-card mw-progress" aria-label={t('Progress')}>
      <div className="mw-bar-head">
        <span>{t('Done today')}</span>
        <strong>{day ? `${day.done} / ${day.planned}` : '–'}</strong>
      </div>
      <ProgressBar className="mw-bar" label={t('Activities done today')} value={day && percentOf(day)} />
      <dl className="mw-figures">
        <Figure label={t('Overdue')} value={day?.overdue.length} isLate={day !== undefined && day.overdue.length > 0} />
        {seesLeads && (
          <>
            <Figure label={t('Waiting')} value={leads?.waiting.length} />
            <Figure label={t('Captured today')} value={leads?.capturedToday} />
          </>
        )}
      </dl>
    </section>
  )
}

const percentOf = ({ done, planned }: DayWork) => (planned > 0 ? Math.round((done / planned) * 100) : 0)

function Figure({ label, value, isLate = false }: { label: string; value: number | undefined; isLate?: boolean }) {
  return (
    <div data-tone={isLate ? 'late' : undefined}>
      <dt>{label}</dt>
      <dd>{value ?? '–'}</dd>
    </div>
  )
}
