import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button, Dropdown, Select } from 'antd'
import { DownloadOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons'
import { t } from '../../../session/labels.ts'
import { formatDate } from '../../../view/formats.ts'
import { DayInput } from '../../../view/fields/inputs/day-input.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../view/states/index.tsx'
import type { CustomProps } from '../../props.ts'
import { Player } from './Player.tsx'
import { exportsOf, type Fix } from './replay.ts'
import { useLayout } from '../../../data/queries.ts'
import { useAddress } from '../../../view/address.ts'
import { assetOptions } from '../asset-options.ts'
import { useDrawn } from './useDrawn.ts'
import { dayQuery, marksQuery, readFixes, type Day } from './day.ts'
import '../fleet.css'

/** A day of an asset, played again: the way, the speed, stops and events on one line of time. */
export function Replay({ params }: CustomProps) {
  const { id = '', date = '' } = params
  const navigate = useNavigate()
  const timeZone = useLayout().data?.company.timeZone ?? 'UTC'
  const dayOf = (one: string) => dayQuery({ id: one, date, timeZone })
  const { data: sketched, error, isPending, refetch } = useQuery(dayOf(id))
  const { address, patch } = useAddress()
  const beside = listOf(address.with)
    .filter((one) => one !== id)
    .slice(0, mostBeside)
  const sketches = useQueries({ queries: beside.map(dayOf) }).flatMap(({ data: day }) => day ?? [])
  const isDrawn = useDrawn(sketched !== undefined)
  const marks = useQuery({ ...marksQuery({ id, date }), enabled: isDrawn })
  const days = useWholeDays(sketched ? [sketched, ...sketches] : [], isDrawn)
  const [data, ...others] = days
  const go = (day: string) =>
    void navigate({ to: `/tracking/replay/${id}/${day}`, search: (beside.length > 0 ? { with: beside } : {}) as never })
  const away = (days: number) => new Date(Date.parse(`${date}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
  return (
    <div className="fleet-replay">
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{data?.asset.name ?? t('Replay')}</h1>
          <span className="view-count">{formatDate(date)}</span>
        </div>
        <div className="view-header-actions">
          <Button icon={<LeftOutlined />} aria-label={t('Day before')} onClick={() => go(away(-1))} />
          <DayInput label={t('Day')} value={date} onChange={go} />
          <Button icon={<RightOutlined />} aria-label={t('Day after')} onClick={() => go(away(1))} />
          {data?.isWhole && data.fixes.length > 0 ? <Export name={`${data.asset.registrationNumber} ${date}`} fixes={data.fixes} /> : null}
        </div>
      </header>
      <Beside id={id} chosen={beside} onChange={(ids) => patch({ with: ids.length === 0 ? undefined : ids })} />
      {error ? (
        <ErrorState error={error} what={t('This day')} onRetry={() => void refetch()} />
      ) : isPending || !data ? (
        <LoadingState />
      ) : data.fixes.length === 0 ? (
        <EmptyState
          title={t('Nothing was reported on this day')}
          body={t('Choose another day, or look at the Info tab of the asset: it says how its tracker is connected.')}
        />
      ) : (
        <>
          {marks.error ? <ErrorState error={marks.error} what={t('Stops and events')} onRetry={() => void marks.refetch()} /> : null}
          <Player key={`${id} ${date}`} day={data} marks={marks.data ?? noMarks} others={others} />
        </>
      )}
    </div>
  )
}

const noMarks = { stops: [], events: [] }

/** The days with every message in the sketch's place, as far as those are here; asked for once the sketch is drawn. */
function useWholeDays(sketches: readonly Day[], isDrawn: boolean): Day[] {
  const whole = useQueries({
    queries: sketches.map((day) => ({
      queryKey: ['records', 'replay', 'whole', day.asset.Id, day.deviceId, day.span.from],
      enabled: isDrawn && !day.isWhole && day.deviceId !== undefined,
      staleTime: 60_000,
      // Comparing tens of thousands of messages with the former ones takes longer than drawing them.
      structuralSharing: false,
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Day> => ({
        ...day,
        fixes: await readFixes(day.deviceId ?? '', day.span, signal),
        isWhole: true,
      }),
    })),
  })
  return sketches.map((day, at) => whole[at]?.data ?? day)
}

/** Nobody can tell more ways on one map apart. */
const mostBeside = 4

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])

/** Which other assets' days are played along. */
function Beside({ id, chosen, onChange }: { id: string; chosen: string[]; onChange: (ids: string[]) => void }) {
  const { data = [], isPending } = useQuery({ queryKey: ['records', 'asset', 'options'], queryFn: ({ signal }) => assetOptions(signal) })
  return (
    <Select
      mode="multiple"
      className="fleet-beside"
      aria-label={t('Play other assets along')}
      placeholder={t('Play other assets along')}
      loading={isPending}
      value={chosen}
      onChange={onChange}
      maxCount={mostBeside}
      options={data.filter(({ value }) => value !== id)}
      optionFilterProp="label"
    />
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
          { key: 'kml', label: 'KML' },
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
