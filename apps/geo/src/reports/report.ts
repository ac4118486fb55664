import type { GeoColumnKind, GeoReportColumn } from '@outpost/contract/geo/reports'
import type { GeoCtx } from '../api/types.ts'
import type { ReportParameters } from './parameters.ts'

/** A row by column names; times are Date or ISO text. */
export type Row = Record<string, unknown>

/** One report: its columns, and the source of its rows, one after the other. */
export interface GeoReport {
  columns: readonly GeoReportColumn[]
  /** Columns with the name of a place, each with the columns of its coordinates. */
  places?: Readonly<Record<string, readonly [latitude: string, longitude: string]>>
  /** False: places are named only on request, because there may be millions. Default true. */
  arePlacesNamed?: boolean
  rows(ctx: GeoCtx, asked: ReportParameters): AsyncIterable<Row>
}

const column =
  (kind: GeoColumnKind) =>
  (name: string, label: string): GeoReportColumn => ({ name, label, kind })

export const id = column('id')
export const user = column('user')
export const asset = column('asset')
export const text = column('text')
export const dateTime = column('dateTime')
export const date = column('date')
export const percent = column('percent')
export const boolean = column('boolean')
export const json = column('json')
export const duration = column('duration')

/** A number, optionally with a unit. */
export const number = (name: string, label: string, unit?: string): GeoReportColumn => ({
  name,
  label,
  kind: 'number',
  ...(unit === undefined ? {} : { unit }),
})

/** A column with a total. */
export const summed = (one: GeoReportColumn): GeoReportColumn => ({ ...one, isSum: true })

/** Latitude and longitude, with `prefix` before their names. */
export const coordinates = (prefix = '', label = ''): GeoReportColumn[] => {
  const named = (word: string) => (prefix === '' ? word : `${prefix}${word[0]!.toUpperCase()}${word.slice(1)}`)
  const labelled = (word: string) => (label === '' ? `${word[0]!.toUpperCase()}${word.slice(1)}` : `${label} ${word}`)
  return ['latitude', 'longitude'].map((word) => number(named(word), labelled(word), '°'))
}

/** The device and its asset: the first columns of most reports. */
export const subject: readonly GeoReportColumn[] = [text('device', 'Device'), id('deviceId', 'Device id'), asset('assetId', 'Vehicle')]
