import { dayOf } from '@outpost/rules/time-zone'
import { decodePath } from '@outpost/rules/fleet/decode-path'
import type { GeoReportName } from '@outpost/contract/geo/reports'

type Row = Readonly<Record<string, unknown>>
export type Asked = Record<string, string | boolean | readonly string[]>

interface Window {
  startDate: string
  endDate: string
  timeZone: string
  /** Whom the report itself was asked for. */
  own: Asked
}

/** A report that holds the rows behind a number; `asks` beside the window and the row's subject. */
interface Link {
  report: GeoReportName
  asks?: (row: Row, window: Window) => Asked
}

const everyTrip: Link = { report: 'trips', asks: () => ({ zeros: true }) }
const everySession: Link = { report: 'engine', asks: () => ({ zeros: true }) }
const measuredTrips: Link = { report: 'trips', asks: ({ day }) => ({ ...onDay(day), zeros: true, isMeasured: true }) }
const happened = (...types: string[]): Link => ({ report: 'events', asks: () => ({ types: types.join(', ') }) })
const happenedOn = (type: string): Link => ({ report: 'events', asks: ({ day }) => ({ ...onDay(day), types: type }) })
const onDay = (day: unknown) => ({ startDate: String(day).slice(0, 10), endDate: String(day).slice(0, 10) })

/** Which number of which report opens which rows; a number that no report can list is not here. */
const links: Partial<Record<GeoReportName, Readonly<Record<string, Link>>>> = {
  trips: {
    alerts: {
      report: 'events',
      asks: ({ tripId, startTime, endTime }, { timeZone, endDate }) => ({
        tripId: String(tripId),
        startDate: dayOf(Date.parse(String(startTime)), timeZone),
        endDate: endTime ? dayOf(Date.parse(String(endTime)), timeZone) : endDate,
      }),
    },
  },
  summary: {
    trips: everyTrip,
    km: everyTrip,
    moving: everyTrip,
    idle: everyTrip,
    engine: everySession,
    stops: { report: 'stops', asks: () => ({ zeros: true, isBegun: true }) },
  },
  active: { km: everyTrip, moving: everyTrip, engine: everySession, messages: { report: 'positions' } },
  'device-usage': { km: everyTrip, moving: everyTrip, engine: everySession, messages: { report: 'positions' } },
  utilisation: { daysUsed: everyTrip, trips: everyTrip, km: everyTrip, moving: everyTrip, idle: everyTrip, engine: everySession },
  hotspots: {
    visits: { report: 'stops', asks: ({ latitude, longitude }) => ({ zeros: true, near: `${String(latitude)},${String(longitude)}` }) },
  },
  battery: {
    messages: { report: 'positions', asks: ({ day, series }) => ({ ...onDay(day), series: String(series) }) },
    crossings: {
      report: 'positions',
      asks: ({ day, series, low }, { startDate }) => ({ ...onDay(day), series: String(series), below: String(low), since: startDate }),
    },
  },
  fuel: {
    trips: measuredTrips,
    km: measuredTrips,
    litres: measuredTrips,
    fills: happenedOn('deviceFuelIncrease'),
    drops: happenedOn('deviceFuelDrop'),
  },
  'driver-behaviour': {
    trips: everyTrip,
    km: everyTrip,
    moving: everyTrip,
    idle: everyTrip,
    hardBraking: happened('hardBraking'),
    hardAcceleration: happened('hardAcceleration'),
    hardCornering: happened('hardCornering'),
    speeding: happened('deviceOverspeed', 'overspeed'),
    fatigueDriving: happened('fatigueDriving'),
    highRpm: happened('highRpm'),
  },
}

/** Times of a row at which its day is played again. */
const moments = ['startTime', 'eventTime', 'enterTime', 'time', 'start', 'fixTime', 'deviceTime'] as const

/** Addresses of the rows behind the numbers of a fleet report's row, and of the replay of its day; a 0 leads nowhere. */
export function fleetLinks(report: GeoReportName, row: Row, window: Window): Record<string, string> {
  const counted = Object.entries(links[report] ?? {}).flatMap(([column, { report: to, asks }]) => {
    if (!(Number(row[column]) > 0)) return []
    const { startDate, endDate, own } = window
    return [
      [
        column,
        `/reports/standard/${to}${queryOf({ startDate, endDate, ...own, ...subjectOf(report, row), ...asks?.(row, window) })}`,
      ] as const,
    ]
  })
  const moment = moments.find((key) => typeof row[key] === 'string')
  const replay =
    typeof row.assetId === 'string' && moment !== undefined
      ? { [moment]: `/tracking/replay/${row.assetId}/${dayOf(Date.parse(String(row[moment])), window.timeZone)}` }
      : {}
  return { ...Object.fromEntries(counted), ...replay }
}

/** Whose rows a row counts: a driver's, a vehicle's, or those of a device while it was on no vehicle. */
function subjectOf(report: GeoReportName, { driverId, assetId, deviceId, subjectId, isAsset }: Row): Asked {
  if (report === 'hotspots') return {}
  if (report === 'active' || report === 'device-usage' || report === 'battery') return { deviceIds: [String(deviceId)] }
  if (report === 'summary') return isAsset === true ? { assetIds: [String(subjectId)] } : { deviceIds: [String(subjectId)], noAsset: true }
  if (report === 'trips') return {}
  if (report === 'driver-behaviour' && typeof driverId === 'string') return { driverIds: [driverId] }
  const vehicle: Asked = typeof assetId === 'string' ? { assetIds: [assetId] } : { noAsset: true }
  const device: Asked = report === 'fuel' || typeof assetId !== 'string' ? { deviceIds: [String(deviceId)] } : {}
  return { ...vehicle, ...device, ...(report === 'driver-behaviour' ? { noDriver: true } : {}) }
}

/** As the report's screen reads its parameters from the address. */
const queryOf = (asked: Asked): string =>
  `?${Object.entries(asked)
    .map(([key, value]) => `${key}=${encodeURIComponent(Array.isArray(value) ? JSON.stringify(value) : String(value))}`)
    .join('&')}`

const isPlace = (lat: unknown, lng: unknown): boolean => typeof lat === 'number' && typeof lng === 'number'

/** Where a row was: the way of a trip, else its places. */
export function fleetPlaces(row: Row): (readonly [number, number])[] {
  if (typeof row.path === 'string' && row.path !== '') return thinned(decodePath(row.path))
  const pairs = [
    [row.latitude, row.longitude],
    [row.startLatitude, row.startLongitude],
    [row.endLatitude, row.endLongitude],
  ] as const
  return pairs.flatMap(([lat, lng]) => (isPlace(lat, lng) ? [[lat as number, lng as number] as const] : []))
}

/** A way on a small map needs no more. */
const mostPlaces = 300

function thinned<Place>(places: readonly Place[]): Place[] {
  const step = Math.ceil(places.length / mostPlaces)
  return places.filter((_, index) => index % step === 0 || index === places.length - 1)
}
