import { Timeline as AntTimeline } from 'antd'
import { useQuery } from '@tanstack/react-query'
import type { CallView } from '@outpost/contract/views'
import { api } from '../../../data/api.ts'
import { fillPath } from '../../../data/paths.ts'
import { t } from '../../../session/labels.ts'
import { formatDateTime, formatRelative } from '../../formats.ts'
import { EmptyState, ErrorState, LoadingState } from '../../states/index.tsx'

interface Entry { at: string, who: string, what: string, detail?: string | null }

/** What happened to a record and who did it. */
export function Timeline({ call, resource, id, params }: { call: CallView, resource: string, id: string, params: Record<string, string> }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['records', resource, 'timeline', id],
    queryFn: async ({ signal }) => (await api.call<{ timeline?: Entry[] }>(call.method, fillPath(call.path, { ...params, id }), { signal })).data.timeline ?? [],
  })
  return (
    <section className="form-card" aria-labelledby="timeline-title">
      <h2 id="timeline-title">{t('History')}</h2>
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} what="The history" /> : null}
      {data?.length === 0 ? <EmptyState title="Nothing happened yet" /> : null}
      {data ? <AntTimeline items={data.map((entry, index) => ({ key: `${entry.at} ${index}`, content: <EntryLine entry={entry} /> }))} /> : error ? null : <LoadingState rows={4} />}
    </section>
  )
}

const EntryLine = ({ entry: { at, who, what, detail } }: { entry: Entry }) => (
  <div className="timeline-entry">
    <span>{what}</span>
    {detail ? <span className="timeline-detail">{detail}</span> : null}
    <span className="timeline-who">{who} · <time dateTime={at} title={formatDateTime(at)}>{formatRelative(at)}</time></span>
  </div>
)
