import { useQuery } from '@tanstack/react-query'
import { call, type CallData } from '../../../data/calls.ts'
import { t } from '../../../session/labels.ts'
import { formatCompanyDateTime } from '../../../view/formats.ts'
import { Asked, Nothing, useDays } from './parts.tsx'

type Row = CallData<'assets.alarms'>['alarms'][number]
const tones: Readonly<Record<string, string>> = { critical: 'bad', warning: 'warn', info: 'info' }

function Rows({ rows, total, none }: { rows: readonly Row[]; total: number; none: string }) {
  if (rows.length === 0) return <Nothing text={none} />
  return (
    <>
      <p className="fleet-count">{t('{{count}} in the last seven days', { count: total })}</p>
      <ol className="fleet-rows">
        {rows.map((row) => (
          <li key={row.eventId} data-tone={tones[row.severity] ?? 'info'}>
            <span>
              <strong>{t(row.words)}</strong>
              {row.place ? ` · ${row.place}` : ''}
              {row.rule ? ` · ${row.rule}` : ''}
              {row.acknowledgedByName ? ` · ${t('seen by')} ${row.acknowledgedByName}` : ''}
            </span>
            <time dateTime={row.eventTime}>{formatCompanyDateTime(row.eventTime)}</time>
          </li>
        ))}
      </ol>
    </>
  )
}

/** Alarms of an asset in the last seven days, the newest first. */
export function AlertsTab({ id }: { id: string }) {
  const { from, to } = useDays(6)
  const query = useQuery({
    queryKey: ['records', 'geoEvent', 'alarms', id, from, to],
    queryFn: ({ signal }) => call('assets.alarms', { params: { id }, query: { startDate: from, endDate: to } }, { signal }),
  })
  return (
    <Asked query={query} what={t('The alerts')}>
      {({ data, meta }) => <Rows rows={data.alarms} total={meta?.total ?? 0} none={t('No alarm in the last seven days.')} />}
    </Asked>
  )
}

/** All events of an asset in the last seven days. */
export function EventsTab({ id }: { id: string }) {
  const { from, to } = useDays(6)
  const query = useQuery({
    queryKey: ['records', 'geoEvent', 'events', id, from, to],
    queryFn: ({ signal }) => call('assets.events', { params: { id }, query: { startDate: from, endDate: to } }, { signal }),
  })
  return (
    <Asked query={query} what={t('The events')}>
      {({ data, meta }) => <Rows rows={data.events} total={meta?.total ?? 0} none={t('Nothing happened in the last seven days.')} />}
    </Asked>
  )
}
