import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Alert, Button, Checkbox, Input, Pagination, Segmented } from 'antd'
import { useState } from 'react'
import { call, type CallData } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { formatCompanyDateTime } from '../../view/formats.ts'
import { EmptyState, ErrorState, LoadingState } from '../../view/states/index.tsx'
import { errorText } from './error-text.ts'
import { eventWords } from './event-words.ts'
import { Outdated, soonAfterFailure } from './Outdated.tsx'
import { useAlarms } from './useAlarms.ts'
import './fleet.css'

type Row = CallData<'geo.events.list'>['events'][number]
const size = 50
const tones: Readonly<Record<string, string>> = { critical: 'bad', warning: 'warn', info: 'info' }

interface Shown {
  show: string
  severity: string | undefined
  page: number
}
interface Events {
  rows: Row[]
  total: number
}

async function eventsOf({ show, severity, page }: Shown, signal: AbortSignal): Promise<Events> {
  const { data, meta } = await call(
    'geo.events.list',
    {
      query: {
        page: String(page),
        size: String(size),
        severity: severity ?? 'warning,critical',
        ...(show === 'open' ? { acknowledged: 'false' } : show === 'seen' ? { acknowledged: 'true' } : {}),
      },
    },
    { signal },
  )
  return { rows: data.events, total: meta?.total ?? 0 }
}

async function oneEvent(id: string, signal: AbortSignal): Promise<Events> {
  const { data } = await call('geo.events.get', { params: { id } }, { signal })
  return { rows: [data.event], total: 1 }
}

/** What happened to vehicles: seen to with a note, one by one or many at once. */
export function FleetEvents() {
  const { address, patch } = useAddress()
  useAlarms()
  // A notification leads to the one event that it tells of.
  const one = textOf(address.event)
  const [show, severity, page] = [textOf(address.show) ?? 'open', textOf(address.severity), Number(address.page ?? 1)]
  const { data, error, isPending, refetch } = useQuery({
    queryKey: one ? ['records', 'geoEvent', 'one', one] : ['records', 'geoEvent', 'list', show, severity, page],
    refetchInterval: soonAfterFailure(),
    queryFn: ({ signal }) => (one ? oneEvent(one, signal) : eventsOf({ show, severity, page }, signal)),
  })
  const { rows, total } = data ?? { rows: [], total: 0 }
  return (
    <>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t('Notifications')}</h1>
          <span className="view-count" role="status">
            {data ? t('{{count}} events', { count: total }) : ''}
          </span>
        </div>
        {one ? (
          <Button onClick={() => patch({ event: undefined }, { isStep: true })}>{t('Show all')}</Button>
        ) : (
          <div className="view-header-actions">
            <Segmented
              aria-label={t('Show')}
              value={show}
              onChange={(next) => patch({ show: next === 'open' ? undefined : next, page: undefined }, { isStep: true })}
              options={[
                { value: 'open', label: t('Open') },
                { value: 'seen', label: t('Seen to') },
                { value: 'all', label: t('All') },
              ]}
            />
            <Segmented
              aria-label={t('Severity')}
              value={severity ?? 'warning,critical'}
              onChange={(next) => patch({ severity: next === 'warning,critical' ? undefined : next, page: undefined }, { isStep: true })}
              options={[
                { value: 'critical', label: t('Critical') },
                { value: 'warning,critical', label: t('Warnings too') },
                { value: 'info,warning,critical', label: t('Everything') },
              ]}
            />
          </div>
        )}
      </header>
      <Outdated error={data ? error : null} onRetry={refetch} />
      {error && !data ? (
        <ErrorState error={error} what={t('The notifications')} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingState />
      ) : rows.length === 0 ? (
        <EmptyState
          title={show === 'open' ? t('Nothing waits for you') : t('Nothing here')}
          body={t('What the rules of the fleet notice appears here as it happens.')}
        />
      ) : (
        <Rows key={`${show} ${String(severity)} ${page}`} rows={rows} />
      )}
      {total > size ? (
        <Pagination
          current={page}
          pageSize={size}
          total={total}
          showSizeChanger={false}
          onChange={(next) => patch({ page: next === 1 ? undefined : next }, { isStep: true })}
        />
      ) : null}
    </>
  )
}

function Rows({ rows }: { rows: readonly Row[] }) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [note, setNote] = useState('')
  const open = rows.filter(({ acknowledgedAt }) => acknowledgedAt === null)
  const acknowledge = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await call('geo.events.acknowledge', { params: { id }, body: note.trim() === '' ? {} : { note: note.trim() } })
      return ids.length
    },
    onSuccess: (count) => {
      toast.success({ title: t('{{count}} seen to', { count }) })
      setChosen(new Set())
      setNote('')
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['records', 'geoEvent'] }),
  })
  const toggle = (id: string) =>
    setChosen((before) => (before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id])))
  return (
    <section className="fleet-box">
      {open.length > 0 ? (
        <div className="fleet-acts">
          <Checkbox
            checked={open.every(({ id }) => chosen.has(id))}
            onChange={(event) => setChosen(new Set(event.target.checked ? open.map(({ id }) => id) : []))}
          >
            {t('Choose all on this page')}
          </Checkbox>
          <Input
            aria-label={t('Note')}
            placeholder={t('Note: what was done about it')}
            maxLength={1_000}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          <Button
            type="primary"
            disabled={chosen.size === 0}
            loading={acknowledge.isPending}
            onClick={() => acknowledge.mutate([...chosen])}
          >
            {t('Seen to ({{count}})', { count: chosen.size })}
          </Button>
        </div>
      ) : null}
      {acknowledge.error ? <Alert type="error" showIcon title={errorText(acknowledge.error)} /> : null}
      <ol className="fleet-rows">
        {rows.map((row) => (
          <li key={row.id} data-tone={tones[row.severity] ?? 'info'}>
            {row.acknowledgedAt === null ? (
              <Checkbox aria-label={`${row.device} ${eventWords(row)}`} checked={chosen.has(row.id)} onChange={() => toggle(row.id)} />
            ) : null}
            <span>
              <strong>{row.device}</strong> · {eventWords(row)}
              {row.geofence ? ` (${row.geofence})` : ''}
              {row.eventIo ? ` · ${row.eventIo}` : ''}
              {row.acknowledgedAt ? ` · ${t('seen by')} ${row.acknowledgedByName ?? ''}` : ''}
              {row.note ? ` · “${row.note}”` : ''}
            </span>
            <time dateTime={row.eventTime}>{formatCompanyDateTime(row.eventTime)}</time>
            {row.latitude === null || row.longitude === null ? null : (
              <Link
                to="/tracking/map"
                search={{ map: `${row.latitude.toFixed(5)},${row.longitude.toFixed(5)},15` } as never}
                aria-label={t('Place of {{name}}', { name: `${row.device} ${eventWords(row)}` })}
              >
                {t('Place')}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
