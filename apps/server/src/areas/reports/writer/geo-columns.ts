import type { GeoColumnKind, GeoReportColumn } from '@outpost/contract/geo-reports'
import type { ColumnKind, ReportColumn } from '../definition.ts'

/** Ids and JSON are for programs: a sheet has none. */
const kinds: Readonly<Record<GeoColumnKind, ColumnKind | null>> = {
  text: 'text', number: 'number', percent: 'percent', boolean: 'boolean', date: 'date', dateTime: 'dateTime', duration: 'duration', id: null, json: null,
}

/** Columns of a report of the geo service as those of a file, the unit in the heading. */
export function columnsFromGeo(columns: readonly GeoReportColumn[]): ReportColumn[] {
  return columns.flatMap(({ name, label, kind: told, unit, isSum }) => {
    const kind = kinds[told]
    if (kind === null) return []
    return [{ key: name, title: unit === undefined ? label : `${label} (${unit})`, kind, ...widthOf(name, kind), ...(isSum ? { total: true } : {}) }]
  })
}

function widthOf(name: string, kind: ColumnKind): { width?: number } {
  if (kind === 'dateTime') return { width: 18 }
  return kind === 'text' && /place|words|device$|Geo/i.test(name) ? { width: name === 'device' ? 22 : 34 } : {}
}
