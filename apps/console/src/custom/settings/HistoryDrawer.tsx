import { Drawer } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../data/api.ts'
import { fillPath } from '../../data/paths.ts'
import { t } from '../../session/labels.ts'
import { formatDate, formatDateTime } from '../../view/formats.ts'
import { EmptyState, ErrorState, LoadingState } from '../../view/states/index.tsx'

interface Entry {
  at: string
  who: string
  name: string
  label: string
  about: string | null
  unit: string
  before: number | string | null
  after: number | string | null
}
interface HistoryDrawerProps {
  path: string
  place: { Id: string; name: string }
  isOpen: boolean
  onClose: () => void
}

function inWords(value: number | string | null, unit: string): string {
  if (value === null) return t('inherited')
  if (typeof value === 'number') return `${value} ${t(unit)}`
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? formatDate(value) : t(value)
}

/** Who changed which setting of a tenant, when, from what to what. */
export function HistoryDrawer({ path, place, isOpen, onClose }: HistoryDrawerProps) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['settings', 'history', place.Id],
    queryFn: async () => (await api.get<{ timeline: Entry[] }>(fillPath(path, { id: place.Id }))).data.timeline,
    enabled: isOpen,
    gcTime: 0,
    staleTime: 0,
  })
  return (
    <Drawer open={isOpen} onClose={onClose} title={t('Changes of settings: {{name}}', { name: place.name })}>
      {error ? <ErrorState error={error} what={t('The changes')} onRetry={() => void refetch()} /> : null}
      {isPending && !error ? <LoadingState /> : null}
      {data?.length === 0 ? (
        <EmptyState title={t('Nothing was changed here yet')} body={t('What is changed from now on is listed with who did it.')} />
      ) : null}
      <ol className="set-history">
        {data?.map(({ at, who, name, label, about, unit, before, after }, place) => (
          <li key={`${at} ${name} ${place}`}>
            <strong>{about === null ? t(label) : `${t(label)}: ${about}`}</strong>
            <span>
              {inWords(before, unit)} → {inWords(after, unit)}
            </span>
            <small>
              {who} · {formatDateTime(at)}
            </small>
          </li>
        ))}
      </ol>
    </Drawer>
  )
}
