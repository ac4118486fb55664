import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { call } from '../../../data/calls.ts'
import { t } from '../../../session/labels.ts'
import { companyDay, formatCompanyDate, formatCompanyTime, formatNumber } from '../../../view/formats.ts'
import { DayInput } from '../../../view/fields/inputs/day-input.tsx'
import { decodePath } from '@outpost/rules/fleet/decode-path'
import { showTrip } from '../replay/trip-line.ts'
import { Asked, Nothing, useDays } from './parts.tsx'

/** Trips of an asset, kept while the days asked for are the same; one of them is drawn on the map. */
export function TripsTab({ id }: { id: string }) {
  const usual = useDays(1)
  const [chosen, setChosen] = useState<{ from: string; to: string }>()
  const days = chosen ?? usual
  const query = useQuery({
    queryKey: ['records', 'trip', id, days.from, days.to],
    staleTime: 120_000,
    queryFn: async ({ signal }) =>
      (await call('assets.trips', { body: { assetId: id, startDate: days.from, endDate: days.to } }, { signal })).data.trips,
  })
  // Another asset, or a closed panel, shows no way.
  useEffect(() => () => showTrip(undefined), [id])
  const day = (key: 'from' | 'to', label: string) => (
    <label>
      {t(label)} <DayInput label={t(label)} value={days[key]} onChange={(day) => setChosen({ ...days, [key]: day })} />
    </label>
  )
  return (
    <>
      <div className="fleet-days">
        {day('from', 'From')}
        {day('to', 'To')}
      </div>
      <Asked query={query} what={t('The trips')}>
        {(trips) =>
          trips.length === 0 ? (
            <Nothing text={t('No trips on these days.')} />
          ) : (
            <>
              <p className="fleet-count">
                {t('{{count}} trips', { count: trips.length })} ·{' '}
                {formatNumber(Math.round(trips.reduce((sum, { metres }) => sum + metres, 0) / 100) / 10)} km
              </p>
              <ol className="fleet-rows">
                {trips.toReversed().map((trip) => (
                  <li key={trip.id}>
                    <span>
                      <strong>
                        {formatCompanyDate(trip.startTime)} {formatCompanyTime(trip.startTime)} –{' '}
                        {trip.endTime ? formatCompanyTime(trip.endTime) : t('under way')}
                      </strong>{' '}
                      · {formatNumber(Math.round(trip.metres / 100) / 10)} km
                      {trip.maxSpeed === null ? '' : ` · ${t('up to')} ${Math.round(trip.maxSpeed)} km/h`}
                      {trip.driver ? ` · ${trip.driver}` : ''}
                    </span>
                    <Button
                      size="small"
                      onClick={() =>
                        showTrip({
                          assetId: id,
                          lines: [{ id: trip.id, positions: decodePath(trip.path), tone: 'info', label: t('The way of this trip') }],
                        })
                      }
                    >
                      {t('On the map')}
                    </Button>
                    <Link to={`/tracking/replay/${id}/${companyDay(trip.startTime)}`}>{t('Replay')}</Link>
                  </li>
                ))}
              </ol>
            </>
          )
        }
      </Asked>
    </>
  )
}
