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

/** For how long a record waits for its history, ms: longer than that, reading it is worth more than a page in which nothing moves. */
const patience = 1_000

/**
 * Whether it is known what is drawn above a record: drawn together with it, a waiting decision moves nothing down. Without a connection,
 * after a first failed try or when the answer is late, it is not waited for.
 */
export function useIsHistoryKnown(about: TimelineProps | undefined): boolean {
  const { isOnline } = useConnection()
  const { isPending, failureCount } = useQuery(historyQuery(about))
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), patience)
    return () => clearTimeout(timer)
  }, [])
  return !about || !isPending || !isOnline || failureCount > 0 || isLate
}

const LazySteps = lazy(() => import('./RecordSteps.tsx').then(({ RecordSteps }) => ({ default: RecordSteps })))

/** The record's states as steps, once its history is there; its place is kept until then. */
export function StepsOf(props: TimelineProps) {
  const { data, isError } = useHistory(props)
  const outline = <div className="form-card record-steps" aria-hidden />
  if (!data) return isError ? null : outline
  return data.steps && data.steps.length > 0 ? (
    <Suspense fallback={outline}>
      <LazySteps steps={data.steps} />
    </Suspense>
  ) : null
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

/** What happened to a record and who did it. */
export function Timeline(props: TimelineProps) {
  const { data: answer, error, refetch } = useHistory(props)
  const data = answer && (answer.timeline ?? [])
  return (
    <section className="form-card" aria-labelledby="timeline-title">
      <h2 id="timeline-title">{t('History')}</h2>
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
