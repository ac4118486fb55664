import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Input, Select } from 'antd'
import { useMemo } from 'react'
import { call } from '../../data/calls.ts'
import { MapFrame, type MapLine, type MapPoint } from '../../map/index.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { formatDate, formatNumber, formatTime } from '../../view/formats.ts'
import { EmptyState, ErrorState, LoadingState } from '../../view/states/index.tsx'
import type { CustomProps } from '../props.ts'
import { assetOptions, type AssetOption } from './asset-options.ts'
import { useDays } from './panel/parts.tsx'
import { decodePath } from '@outpost/rules/fleet/decode-path'
import './fleet.css'

interface Trip {
  id: string
  startTime: string
  endTime: string | null
  startLatitude: number
  startLongitude: number
  metres: number
  maxSpeed: number | null
  driver: string | null
  endReason: string | null
  path: string
}
type Of = 'asset' | 'device'
const none: Trip[] = []

async function optionsOf(of: Of, signal: AbortSignal): Promise<AssetOption[]> {
  if (of === 'asset') return assetOptions(signal)
  const { data } = await call('devices.list', { query: { size: 1_000, sortField: 'name', sortOrder: 'ASC' } }, { signal })
  return (data.devices as unknown as { Id: string; name: string }[]).map(({ Id, name }) => ({ value: Id, label: name }))
}

async function tripsOf(of: Of, id: string, days: { from: string; to: string }, signal: AbortSignal): Promise<Trip[]> {
  if (of === 'asset')
    return (await call('assets.trips', { body: { assetId: id, startDate: days.from, endDate: days.to } }, { signal })).data
      .trips as unknown as Trip[]
  return (await call('devices.tripDetails', { query: { deviceId: id, fromDate: days.from, toDate: days.to } }, { signal })).data
    .trips as unknown as Trip[]
}

/** Trips of an asset or a device beside their ways on a map. */
export function FleetTrips({ view }: CustomProps) {
  const of: Of = view.data.of === 'device' ? 'device' : 'asset'
  const { address, patch } = useAddress()
  const usual = useDays(6)
  const days = { from: textOf(address.from) ?? usual.from, to: textOf(address.to) ?? usual.to }
  const chosen = textOf(address.of)
  const options = useQuery({ queryKey: ['records', of, 'options'], queryFn: ({ signal }) => optionsOf(of, signal) })
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['records', 'trip', of, chosen, days.from, days.to],
    enabled: chosen !== undefined,
    queryFn: ({ signal }) => tripsOf(of, chosen ?? '', days, signal),
  })
  const trips = data ?? none
  const one = textOf(address.trip)
  const shown = useMemo(() => (one === undefined ? trips : trips.filter(({ id }) => id === one)), [trips, one])
  const lines = useMemo(
    () => shown.map(({ id, path }): MapLine => ({ id, positions: decodePath(path), tone: 'info', label: t('The way of this trip') })),
    [shown],
  )
  const points = useMemo(
    () =>
      shown.map((trip, index): MapPoint => ({
        id: trip.id,
        lat: trip.startLatitude,
        lng: trip.startLongitude,
        number: index + 1,
        label: `${formatDate(trip.startTime)} ${formatTime(trip.startTime)}`,
      })),
    [shown],
  )
  const day = (key: 'from' | 'to', label: string) => (
    <label>
      {t(label)}{' '}
      <Input
        type="date"
        value={days[key]}
        onChange={(event) => event.target.value && patch({ [key]: event.target.value, trip: undefined })}
      />
    </label>
  )
  const km = Math.round(trips.reduce((sum, { metres }) => sum + metres, 0) / 100) / 10
  return (
    <>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{of === 'asset' ? t('Asset trips') : t('Device trips')}</h1>
          <span className="view-count" role="status">
            {data ? `${t('{{count}} trips', { count: trips.length })} · ${formatNumber(km)} km` : ''}
          </span>
        </div>
      </header>
      <div className="fleet-days fleet-box">
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          style={{ minWidth: 220 }}
          aria-label={of === 'asset' ? t('Asset') : t('Device')}
          placeholder={of === 'asset' ? t('Choose an asset') : t('Choose a device')}
          loading={options.isPending}
          value={chosen ?? null}
          options={options.data ?? []}
          onChange={(value: string | null) => patch({ of: value ?? undefined, trip: undefined }, { isStep: true })}
        />
        {day('from', 'From')}
        {day('to', 'To')}
      </div>
      {chosen === undefined ? (
        <EmptyState
          title={of === 'asset' ? t('Choose an asset') : t('Choose a device')}
          body={t('Its trips appear here, beside their ways on the map.')}
        />
      ) : error ? (
        <ErrorState error={error} what={t('The trips')} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingState />
      ) : trips.length === 0 ? (
        <EmptyState title={t('No trips on these days')} />
      ) : (
        <div className="fleet-editor">
          <section aria-label={t('Trips')}>
            <ol className="fleet-rows">
              {trips.map((trip) => (
                <li key={trip.id} data-tone={trip.id === one ? 'info' : undefined}>
                  <span>
                    <button
                      type="button"
                      className="fleet-pick"
                      aria-pressed={trip.id === one}
                      onClick={() => patch({ trip: trip.id === one ? undefined : trip.id })}
                    >
                      {formatDate(trip.startTime)} {formatTime(trip.startTime)} – {trip.endTime ? formatTime(trip.endTime) : t('under way')}
                    </button>{' '}
                    {formatNumber(Math.round(trip.metres / 100) / 10)} km
                    {trip.maxSpeed === null ? '' : ` · ${t('up to')} ${Math.round(trip.maxSpeed)} km/h`}
                    {trip.driver ? ` · ${trip.driver}` : ''}
                  </span>
                  {of === 'asset' ? <Link to={`/tracking/replay/${chosen}/${trip.startTime.slice(0, 10)}`}>{t('Replay')}</Link> : null}
                </li>
              ))}
            </ol>
          </section>
          <MapFrame
            label={t('Ways of the trips')}
            points={points}
            lines={lines}
            isClustered={false}
            hasList={false}
            viewport={textOf(address.map)}
            onViewport={(map) => patch({ map })}
            onOpen={({ id }) => patch({ trip: id })}
            height="min(640px, 70dvh)"
          />
        </div>
      )}
    </>
  )
}
