import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button, Dropdown, Input } from 'antd'
import { DownloadOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons'
import { t } from '../../session/labels.ts'
import { EmptyState, ErrorState, LoadingState } from '../../view/states/index.tsx'
import type { CustomProps } from '../index.ts'
import { Player } from './Player.tsx'
import { exportsOf, type Fix } from './replay.ts'
import { readDay } from './replay-day.ts'
import './fleet.css'

/** A day of an asset, played again: the way, the speed, stops and events on one line of time. */
export function Replay({ params }: CustomProps) {
  const { id = '', date = '' } = params
  const navigate = useNavigate()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['records', 'replay', id, date],
    staleTime: 60_000,
    queryFn: ({ signal }) => readDay(id, date, signal),
  })
  const go = (day: string) => void navigate({ to: `/tracking/replay/${id}/${day}` })
  const away = (days: number) => new Date(Date.parse(`${date}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
  return (
    <div className="fleet-replay">
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{data?.asset.name ?? t('Replay')}</h1>
          <span className="view-count">{date}</span>
        </div>
        <div className="view-header-actions">
          <Button icon={<LeftOutlined />} aria-label={t('Day before')} onClick={() => go(away(-1))} />
          <Input type="date" aria-label={t('Day')} value={date} onChange={(event) => event.target.value && go(event.target.value)} />
          <Button icon={<RightOutlined />} aria-label={t('Day after')} onClick={() => go(away(1))} />
          {data && data.fixes.length > 0 ? <Export name={`${data.asset.registrationNumber} ${date}`} fixes={data.fixes} /> : null}
        </div>
      </header>
      {error ? (
        <ErrorState error={error} what={t('This day')} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingState />
      ) : data.fixes.length === 0 ? (
        <EmptyState
          title={t('Nothing was reported on this day')}
          body={t('Choose another day, or look at the Info tab of the asset: it says how its tracker is connected.')}
        />
      ) : (
        <Player key={`${id} ${date}`} day={data} />
      )}
    </div>
  )
}

function Export({ name, fixes }: { name: string; fixes: readonly Fix[] }) {
  const save = (kind: keyof typeof exportsOf) => {
    const { type, write } = exportsOf[kind]
    const address = URL.createObjectURL(new Blob([write(name, fixes)], { type }))
    const link = Object.assign(document.createElement('a'), { href: address, download: `${name}.${kind}` })
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          { key: 'gpx', label: 'GPX' },
          { key: 'geojson', label: 'GeoJSON' },
          { key: 'csv', label: 'CSV' },
        ],
        onClick: ({ key }) => save(key as keyof typeof exportsOf),
      }}
    >
      <Button icon={<DownloadOutlined aria-hidden />}>{t('Export')}</Button>
    </Dropdown>
  )
}
