import { ClockCircleOutlined, EnvironmentOutlined, PhoneOutlined } from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import { Tag } from 'antd'
import type { ConsoleLayout } from '@outpost/contract/console'
import { rowStateKey, type Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { formatPhone } from '../../view/phone.ts'
import { activityPath } from '../../view/activity-path.ts'
import { formatDateTime, formatTime, formatRelative } from '../../view/formats.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const time = (value: unknown): string => formatTime(value)

/** One activity: when, what, where, and the people to call. */
export function ActivityRow({ row, layout, isLate = false }: { row: Row; layout: ConsoleLayout; isLate?: boolean }) {
  const path = activityPath(layout, String(row.Id))
  const isWaiting = row[rowStateKey] === 'pending'
  const name = text(row.name) || t('Activity')
  const leads = Array.isArray(row.leads) ? (row.leads as { Id: string; firstName?: string; lastName?: string; phonenumber?: string }[]) : []
  return (
    <article className="mw-row">
      <div className="mw-when" data-tone={isLate ? 'late' : undefined}>
        <ClockCircleOutlined aria-hidden />
        <time dateTime={text(row.startDate)}>{isLate ? formatRelative(row.endDate) : `${time(row.startDate)}–${time(row.endDate)}`}</time>
      </div>
      <div className="mw-what">
        <h3>{path ? <Link to={path}>{name}</Link> : name}</h3>
        <p>
          {[row.typeDesc, row.status].map(text).filter(Boolean).join(' · ')}
          {isWaiting && <Tag variant="outlined">{t('Not sent yet')}</Tag>}
        </p>
        {text(row.location) && (
          <p>
            <EnvironmentOutlined aria-hidden /> {text(row.location)}
          </p>
        )}
        {leads.map((lead) => (
          <p key={lead.Id}>
            {[lead.firstName, lead.lastName].filter(Boolean).join(' ')}{' '}
            {lead.phonenumber && <Call phone={lead.phonenumber} who={lead.firstName ?? ''} />}
          </p>
        ))}
      </div>
    </article>
  )
}

/** One lead: who, how far, since when, and the call button. */
export function LeadRow({ row }: { row: Row }) {
  const name = [row.firstName, row.lastName].map(text).filter(Boolean).join(' ')
  const state = row[rowStateKey]
  const isAsked = row.consentStatus === 'REQUESTED'
  return (
    <article className="mw-row">
      <div className="mw-what">
        <h3>
          <Link to={`/sales/leads/edit/${row.Id}`}>{name}</Link>
        </h3>
        <p>
          {[row.city, row.employer]
            .map(text)
            .filter(Boolean)
            .map((part) => `${part} · `)}
          {text(row.dateCreated) && (
            <time dateTime={text(row.dateCreated)} title={formatDateTime(row.dateCreated)}>
              {formatRelative(row.dateCreated)}
            </time>
          )}
        </p>
        <p className="mw-tags">
          <Tag variant="outlined">{text(row.status)}</Tag>
          {isAsked && <Tag variant="outlined">{t('Waits for consent')}</Tag>}
          {state === 'pending' && <Tag variant="outlined">{t('Not sent yet')}</Tag>}
          {state === 'attention' && (
            <Tag variant="outlined" color="error">
              {t('Needs attention')}
            </Tag>
          )}
        </p>
      </div>
      {text(row.phonenumber) && <Call phone={text(row.phonenumber)} who={name} />}
    </article>
  )
}

const Call = ({ phone, who }: { phone: string; who: string }) => (
  <a className="mw-call" href={`tel:${phone}`} aria-label={`${t('Call')} ${who}, ${formatPhone(phone)}`}>
    <PhoneOutlined aria-hidden /> <span>{formatPhone(phone)}</span>
  </a>
)
