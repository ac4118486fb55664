import { mayFollowPositions, type GeoCallDefinition } from './calls.ts'

/** How the values of a column are meant: `duration` in seconds, `percent` from 0 to 1, `user` and `asset` the id of a person or an asset, whose name only the server knows, `id` and `json` for programs rather than readers. */
export const geoColumnKinds = [
  'text',
  'number',
  'percent',
  'boolean',
  'date',
  'dateTime',
  'duration',
  'user',
  'asset',
  'id',
  'json',
] as const
export type GeoColumnKind = (typeof geoColumnKinds)[number]

export interface GeoReportColumn {
  name: string
  label: string
  kind: GeoColumnKind
  /** Of a number, e.g. km or km/h. */
  unit?: string
  /** A sum over its rows means something. */
  isSum?: true
}

const subjects = ['from', 'to', 'deviceIds', 'assetIds'] as const

const report = (name: string, ...more: readonly string[]): GeoCallDefinition => ({
  method: 'GET',
  path: `/reports/${name}`,
  anyOf: mayFollowPositions,
  query: [...subjects, ...more],
  own: true,
})

/**
 * Reports that the geo service makes for the server, never for a browser: `from` and `to` are days of the company's calendar,
 * both included. The answer is lines of JSON: the columns, an array a row, at last how many there were; an empty line says
 * that work goes on.
 */
export const geoReportCalls = {
  trips: report('trips', 'zeros', 'places', 'driverIds', 'isMeasured'),
  stops: report('stops', 'zeros', 'places', 'near', 'isBegun'),
  engine: report('engine', 'zeros'),
  hotspots: report('hotspots', 'places'),
  active: report('active'),
  'device-usage': report('device-usage'),
  summary: report('summary', 'zeros'),
  positions: report('positions', 'places', 'series', 'below', 'since'),
  alarms: report('alarms', 'types', 'places', 'driverIds'),
  events: report('events', 'types', 'places', 'driverIds', 'tripId'),
  tamper: report('tamper', 'places'),
  crash: report('crash', 'places'),
  battery: report('battery'),
  'device-asset-history': report('device-asset-history'),
  'driver-behaviour': report('driver-behaviour', 'driverIds'),
  utilisation: report('utilisation'),
  fuel: report('fuel'),
  'fence-stays': report('fence-stays', 'geofenceIds', 'isOpen'),
} as const satisfies Record<string, GeoCallDefinition>
/** One page of such a report as JSON, for calls that page: rows by the names of the columns, and how many there are. */
export const geoReportPage = {
  method: 'GET',
  path: '/report-pages/:name',
  anyOf: mayFollowPositions,
  query: [
    ...subjects,
    'zeros',
    'places',
    'types',
    'driverIds',
    'tripId',
    'geofenceIds',
    'isMeasured',
    'near',
    'isBegun',
    'isOpen',
    'series',
    'below',
    'since',
    'page',
    'size',
    'sortField',
    'sortOrder',
  ],
  own: true,
} as const satisfies GeoCallDefinition

export type GeoReportName = keyof typeof geoReportCalls

/** First line of a report. */
export interface GeoReportHead {
  columns: GeoReportColumn[]
}

/** Last line of a report: without it the stream was broken. */
export interface GeoReportEnd {
  end: true
  rows: number
}
