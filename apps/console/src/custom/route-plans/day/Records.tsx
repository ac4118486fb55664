import { Link } from '@tanstack/react-router'
import { Tag } from 'antd'
import { t } from '../../../session/labels.ts'
import { useSession } from '../../../session/session.ts'
import { clock, meaningTone } from '../formats.ts'
import type { Visit } from './day-api.ts'

/** Whether visits are links to their records. */
export const useMayOpen = () =>
  useSession().layout?.screens.some(({ path, permitted }) => path === '/sales/activities/:id/view' && permitted) ?? false

/** Visits with their times and what became of them. */
export function Records({ visits, timeZone }: { visits: readonly Visit[]; timeZone: string }) {
  const mayOpen = useMayOpen()
  return (
    <ul className="dv-records">
      {visits.map((visit) => (
        <li key={visit.Id}>
          <span className="dv-time">
            {clock(visit.startDate, timeZone)}–{clock(visit.endDate, timeZone)}
          </span>
          <span>{mayOpen ? <Link to={`/sales/activities/${visit.Id}/view`}>{visit.name}</Link> : visit.name}</span>
          <span>
            <Tag className={`tag-${meaningTone(visit.meaning === 'late' ? 'missed' : visit.meaning)}`}>
              {visit.meaning === 'late' ? t('Late') : visit.status}
            </Tag>
            {visit.changedAt ? <small className="dv-soft"> {clock(visit.changedAt, timeZone)}</small> : null}
          </span>
        </li>
      ))}
    </ul>
  )
}
