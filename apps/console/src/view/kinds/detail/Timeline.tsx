import { lazy, Suspense, useEffect, useState } from 'react'
import { Alert, Timeline as AntTimeline } from 'antd'
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import type { StepView, WaitingView } from '@outpost/contract/call-views'
import type { CallView } from '@outpost/contract/views'
import { api } from '../../../data/api.ts'
import { useConnection } from '../../../data/connection.ts'
import { fillPath } from '../../../data/paths.ts'
import { t } from '../../../session/labels.ts'
import { formatDateTime, formatRelative } from '../../formats.ts'
import type { HistoryPlace } from './RecordSteps.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../states/index.tsx'

interface Entry {
  at: string
  who: string
  what: string
  detail?: string | null
}

interface History {
  timeline?: Entry[]
  waiting?: WaitingView | null
  steps?: StepView[]
}

interface TimelineProps {
  call: CallView
  resource: string
  id: string
  params: Record<string, string>
}

/** What happened to a record, and the decision of a second person that it waits for. Nothing is asked without a record. */
const historyQuery = (about: TimelineProps | undefined) =>
  queryOptions({
    queryKey: ['records', about?.resource, 'timeline', about?.id],
    queryFn: about ? ({ signal }) => historyOf(about, signal) : skipToken,
  })

async function historyOf({ call, id, params }: TimelineProps, signal: AbortSignal): Promise<History> {
  const answer = await api.call<History>(call.method, fillPath(call.path, { ...params, id }), { signal })
  return answer.data
}
const useHistory = (props: TimelineProps) => useQuery(historyQuery(props))

/** For how long a record that is there waits for its history, ms: longer than that, reading it is worth more than a page in its usual order. */
const patience = 1_000

/**
 * Where the history's notice and steps go; undefined while that is open. Above the record they are drawn together with it. Without a
 * connection, after a first failed try or when the answer is late the record does not wait: they come into the history then, so that
 * nothing moves down under somebody's eyes, and stay there while the record is open.
 */
export function useHistoryPlace(about: TimelineProps | undefined, isRecordThere: boolean): HistoryPlace | undefined {
  const { isOnline } = useConnection()
  const { data, failureCount } = useQuery(historyQuery(about))
  const [decided, setDecided] = useState<{ id: string; place: HistoryPlace }>()
  const id = about?.id
  const isOpen = id !== undefined && isRecordThere && decided?.id !== id
  useEffect(() => {
    if (!isOpen) return undefined
    const timer = setTimeout(() => setDecided({ id, place: 'inHistory' }), patience)
    return () => clearTimeout(timer)
  }, [isOpen, id])
  if (!isOpen) return decided && decided.id === id ? decided.place : undefined
  const place = data ? 'above' : isOnline && failureCount === 0 ? undefined : 'inHistory'
  if (place) setDecided({ id, place })
  return place
}

const LazySteps = lazy(() => import('./RecordSteps.tsx').then(({ RecordSteps }) => ({ default: RecordSteps })))

/** The record's states as steps, once its history is there. */
export function StepsOf({ place, ...props }: TimelineProps & { place: HistoryPlace }) {
  const steps = useHistory(props).data?.steps
  if (!steps || steps.length === 0) return null
  return (
    <Suspense fallback={place === 'above' ? <div className="form-card record-steps" aria-hidden /> : null}>
      <LazySteps steps={steps} place={place} />
    </Suspense>
  )
}

/** Says above a record that it waits for somebody's decision: who asked, since when, and what was changed last. */
export function WaitingNotice(props: TimelineProps) {
  const waiting = useHistory(props).data?.waiting
  if (!waiting) return null
  const { who, since, what, moves, mayDecide } = waiting
  return (
    <Alert
      className="form-alert"
      type={mayDecide ? 'warning' : 'info'}
      showIcon
      title={`${t(mayDecide ? 'Waits for your decision' : 'Waits for the decision of another person')}: ${moves.map((move) => t(move)).join(', ')}`}
      description={
        <>
          {t('Asked by')} {who} ·{' '}
          <time dateTime={since} title={formatDateTime(since)}>
            {formatRelative(since)}
          </time>
          {what ? <> · {what}</> : null}
        </>
      }
    />
  )
}

/** What happened to a record and who did it, below what is drawn nowhere else. */
export function Timeline({ children, ...props }: TimelineProps & { children?: React.ReactNode }) {
  const { data: answer, error, refetch } = useHistory(props)
  const data = answer && (answer.timeline ?? [])
  return (
    <section className="form-card" aria-labelledby="timeline-title">
      <h2 id="timeline-title">{t('History')}</h2>
      {children}
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} what={t('The history')} /> : null}
      {data?.length === 0 ? <EmptyState title={t('Nothing happened yet')} /> : null}
      {data ? (
        <AntTimeline items={data.map((entry, index) => ({ key: `${entry.at} ${index}`, content: <EntryLine entry={entry} /> }))} />
      ) : error ? null : (
        <LoadingState rows={4} />
      )}
    </section>
  )
}

const EntryLine = ({ entry: { at, who, what, detail } }: { entry: Entry }) => (
  <div className="timeline-entry">
    <span>{what}</span>
    {detail ? <span className="timeline-detail">{detail}</span> : null}
    <span className="timeline-who">
      {who} ·{' '}
      <time dateTime={at} title={formatDateTime(at)}>
        {formatRelative(at)}
      </time>
    </span>
  </div>
)
