import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Select } from 'antd'
import { useMemo } from 'react'
import { call, type CallData } from '../../data/calls.ts'
import { MapView, type MapLine, type MapPoint } from '../../map/index.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { companyDay, formatCompanyDate, formatCompanyTime, formatNumber } from '../../view/formats.ts'
import { DayInput } from '../../view/fields/inputs/day-input.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../view/states/index.tsx'
import type { CustomProps } from '../props.ts'
import { assetOptions, type AssetOption } from './asset-options.ts'
import { Outdated, soonAfterFailure } from './Outdated.tsx'
import { useDays } from './panel/parts.tsx'
import { decodePath } from '@outpost/rules/fleet/decode-path'
import './fleet.css'

type Trip = CallData<'assets.trips'>['trips'][number]
type Of = 'asset' | 'device'
const none: Trip[] = []

async function optionsOf(of: Of, signal: AbortSignal): Promise<AssetOption[]> {
  if (of === 'asset') return assetOptions(signal)
  const { data } = await call('devices.list', { query: { size: 1_000, sortField: 'name', sortOrder: 'ASC' } }, { signal })
  return data.devices.map(({ Id, name }) => ({ value: Id, label: name }))
}

async function tripsOf(of: Of, id: string, { from, to }: { from: string; to: string }, signal: AbortSignal): Promise<Trip[]> {
  if (of === 'asset') return (await call('assets.trips', { body: { assetId: id, startDate: from, endDate: to } }, { signal })).data.trips
  return (await call('devices.tripDetails', { query: { deviceId: id, fromDate: from, toDate: to } }, { signal })).data.trips
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
    refetchInterval: soonAfterFailure(),
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
        label: `${formatCompanyDate(trip.startTime)} ${formatCompanyTime(trip.startTime)}`,
      })),
    [shown],
  )
  const day = (key: 'from' | 'to', label: string) => (
    <label>
      {t(label)} <DayInput label={t(label)} value={days[key]} onChange={(day) => patch({ [key]: day, trip: undefined })} />
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
      <Outdated error={data ? error : null} onRetry={refetch} />
      {chosen === undefined ? (
        <EmptyState
          title={of === 'asset' ? t('Choose an asset') : t('Choose a device')}
          body={t('Its trips appear here, beside their ways on the map.')}
        />
      ) : error && !data ? (
        <ErrorState error={error} what={t('The trips')} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingState />
      ) : trips.length === 0 ? (
        <EmptyState title={t('No trips on these days')} />
      ) : (
        <div className="fleet-editor fleet-trips">
          <section aria-label={t('Trips')} className="fleet-scroll-x" tabIndex={0}>
            <TripTable trips={trips} chosen={one} assetId={of === 'asset' ? chosen : undefined} onChoose={(trip) => patch({ trip })} />
          </section>
          <MapView
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

interface TripTableProps {
  trips: readonly Trip[]
  chosen: string | undefined
  /** Whose day can be replayed. */
  assetId: string | undefined
  onChoose: (id: string | undefined) => void
}

const numbers = new Set(['km', 'Max km/h'])

function TripTable({ trips, chosen, assetId, onChoose }: TripTableProps) {
  const heads = ['Began', 'Ended', 'km', 'Max km/h', 'Driver', 'Why it ended', ...(assetId === undefined ? [] : ['Replay'])]
  return (
    <table className="fleet-table fleet-stacked">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col" className={numbers.has(head) ? 'fleet-number' : undefined}>
              {t(head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {trips.map((trip) => (
          <tr key={trip.id} data-chosen={trip.id === chosen}>
            <td>
              <button
                type="button"
                className="fleet-pick"
                aria-pressed={trip.id === chosen}
                onClick={() => onChoose(trip.id === chosen ? undefined : trip.id)}
              >
                {formatCompanyDate(trip.startTime)} {formatCompanyTime(trip.startTime)}
              </button>
            </td>
            <td data-label={t('Ended')}>{trip.endTime ? endText(trip.startTime, trip.endTime) : t('under way')}</td>
            <td className="fleet-number" data-label={t('km')}>
              {formatNumber(Math.round(trip.metres / 100) / 10)}
            </td>
            <td className="fleet-number" data-label={t('Max km/h')}>
              {trip.maxSpeed === null ? '' : Math.round(trip.maxSpeed)}
            </td>
            <td>{trip.driver ?? ''}</td>
            <td title={trip.explain.words?.map((one) => t(one)).join(' ')}>
              {trip.endReason === null ? '' : t(endWords.get(trip.endReason) ?? trip.endReason)}
            </td>
            {assetId === undefined ? null : (
              <td>
                <Link
                  to={`/tracking/replay/${assetId}/${companyDay(trip.startTime)}`}
                  aria-label={t('Replay from {{time}}', { time: formatCompanyTime(trip.startTime) })}
                >
                  {t('Replay')}
                </Link>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The day only where it is another one. */
const endText = (start: string, end: string) =>
  formatCompanyDate(start) === formatCompanyDate(end) ? formatCompanyTime(end) : `${formatCompanyDate(end)} ${formatCompanyTime(end)}`

const endWords: ReadonlyMap<string, string> = new Map([
  ['still', 'It stood still'],
  ['ignitionOff', 'The engine was switched off'],
  ['silent', 'No messages came'],
  ['gap', 'Messages were missing'],
  ['jump', 'Its place jumped'],
])
